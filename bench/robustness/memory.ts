/**
 * Memory: resident memory of a worker after 10,000 and after 100,000 executions of one campaign
 * (a fifth as many with twenty connections each), which may differ by a fifth. Each is the minimum
 * of several samples, since memory varies by as much between two garbage collections.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAMPAIGN, Worker } from '../engine.ts'
import { residentMib } from '../measure.ts'
import { printer } from '../output.ts'
import type { FilteredOptions } from '../suite.ts'

const SAMPLES = 5

const BODIES: Readonly<Record<string, string>> = {
  tasks: `
    const task = async (ms: number) => { await new Promise((done) => setTimeout(done, ms)); return ms }
    await Promise.all([task(1), task(2), task(3)])`,
  fs: `
    await fsp.writeFile(file, 'x'.repeat(100))
    await Promise.all([fsp.readFile(file), fsp.appendFile(file, 'y'), fsp.stat(file)])
    await fsp.rm(file)`,
  package: `
    await new Promise((done) => setTimeout(done, 1))
    parse(stringify({ at: new Date(0), map: new Map([[1, 2]]), cycle: [1, 2, 3] }))`,
  sockets: `
    const server = net.createServer((socket) => socket.pipe(socket)).listen(0)
    const clients = Array.from({ length: 20 }, () => net.connect((server.address() as net.AddressInfo).port))
    await Promise.all(clients.map(async (client) => {
      client.write('x')
      await once(client, 'data')
      client.end()
      await once(client, 'close')
    }))
    server.close()`,
  streams: `
    await store.run({ id: 1 }, async () => {
      const chunks: unknown[] = []
      await pipeline(Readable.from(['a', 'b']), new PassThrough(), async (source) => {
        for await (const chunk of source) chunks.push(chunk, store.getStore())
      })
    })`,
}

interface Row {
  readonly suite: 'memory'
  readonly body: string
  readonly executions: number
  readonly earlyMib: number
  readonly lateMib: number
  readonly growth: number
}

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const [early, late, limit] = smoke ? [1000, 5000, 1.3] : [10_000, 100_000, 1.2]
  const say = printer(json)
  for (const [body, code] of Object.entries(BODIES)) {
    if (!body.includes(only)) continue
    const share = body === 'sockets' ? 5 : 1
    const row = await measure(body, code, early / share, late / share)
    const [first, last] = [row.earlyMib, row.lateMib].map((mib) => mib.toFixed(0))
    const samples = `${first} MiB after ${early / share} executions, ${last} after ${late / share}`
    say(row, `${body.padEnd(8)} ${samples}: ${row.growth.toFixed(2)} times`)
    if (row.growth > limit) process.exitCode = 1
  }
}

async function measure(body: string, code: string, early: number, late: number): Promise<Row> {
  // Inside the repository, where `norn` resolves.
  const folder = mkdtempSync(join(import.meta.dirname, '.memory-'))
  const path = join(folder, 'memory.fuzz.ts')
  writeFileSync(path, source(code))
  const worker = new Worker({ file: path, root: folder, aliases: [] })
  try {
    const [property] = await worker.list()
    const samples: number[] = []
    const options = { ...CAMPAIGN, keepGoing: false, runs: late }
    const summary = await worker.explore(property!, options, (notice) => {
      if (notice.type === 'progress' && notice.executions >= early) samples.push(residentMib(worker.pid!))
    })
    if (summary.passed !== late) throw new Error(`${body}: ${summary.passed} of ${late} executions passed`)
    samples.push(residentMib(worker.pid!))
    const earlyMib = Math.min(...samples.slice(0, SAMPLES))
    const lateMib = Math.min(...samples.slice(-SAMPLES))
    return { suite: 'memory', body, executions: late, earlyMib, lateMib, growth: lateMib / earlyMib }
  } finally {
    worker.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function source(code: string): string {
  return `import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import fsp from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse, stringify } from 'devalue'
import { fc, fuzz } from 'norn'

const store = new AsyncLocalStorage()
const file = tmpdir() + '/norn-memory'
fuzz('body', { n: fc.integer({ min: 0, max: 100 }) }, async () => {${code}
})
void [store, once, fsp, net, file, PassThrough, Readable, pipeline, parse, stringify]
`
}
