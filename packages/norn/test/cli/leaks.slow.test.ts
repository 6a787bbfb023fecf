/**
 * What a passing execution leaves behind is a warning with its place; what ends by itself, or may
 * stay, is none.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, parsed, project } from './project.ts'

interface Leaving {
  readonly name: string
  /** As it is told. */
  readonly what: string
  /** A line of a body. */
  readonly body: string
}

const LEFT: readonly Leaving[] = [
  { name: 'an interval', what: 'an interval that is still set', body: 'setInterval(() => {}, 10)' },
  { name: 'a far timeout', what: 'a timeout that is still set', body: 'setTimeout(() => {}, 2 ** 31 - 1)' },
  { name: 'immediates', what: 'an immediate that is still set', body: 'again((next) => setImmediate(next))' },
  { name: 'a descriptor', what: '/etc/passwd, still open', body: "fs.openSync('/etc/passwd')" },
  { name: 'a FileHandle', what: '/etc/group, still open', body: "await fsp.open('/etc/group')" },
  { name: 'a directory', what: '/etc, still open', body: "await fsp.opendir('/etc')" },
  {
    name: 'a stream',
    what: '$TMP/norn-leak, still open',
    body: "fs.createWriteStream(tmpdir() + '/norn-leak').write('x')",
  },
  { name: 'an operation', what: 'stat /, still under way', body: "again((next) => fs.stat('/', next))" },
  { name: 'a server', what: 'a server at [::]:3000, still listening', body: 'net.createServer().listen(3000)' },
  {
    name: 'a connection',
    what: 'a connection with 127.0.0.1:3000, still open',
    body: "net.connect(3000, '127.0.0.1')",
  },
  {
    name: 'a server on a path',
    what: 'a server at $TMP/norn-leak.sock, still listening',
    body: "net.createServer().listen(tmpdir() + '/norn-leak.sock')",
  },
  {
    name: 'a UDP socket',
    what: 'a UDP socket at 127.0.0.1:3000, still open',
    body: "dgram.createSocket('udp4').bind(3000, '127.0.0.1')",
  },
  { name: 'a listener', what: "a listener of 'SIGTERM' on process", body: "process.on('SIGTERM', () => {})" },
  { name: 'an environment variable', what: 'environment variable LEFT', body: "process.env.LEFT = '1'" },
  { name: 'a working directory', what: 'working directory $TMP', body: 'process.chdir(tmpdir())' },
]

const FINE: readonly { readonly name: string; readonly body: string }[] = [
  { name: 'nothing', body: '' },
  { name: 'a timer that runs', body: 'setTimeout(() => {})' },
  { name: 'an unreferenced interval', body: 'setInterval(() => {}, 10).unref()' },
  { name: 'a cleared interval', body: 'clearInterval(setInterval(() => {}, 10))' },
  { name: 'a closed descriptor', body: "fs.closeSync(fs.openSync('/etc/passwd'))" },
  { name: 'a stream that ends', body: "fs.createReadStream('/etc/passwd').resume()" },
  { name: 'a directory that is read', body: "for await (const _ of await fsp.opendir('/etc'));" },
  { name: 'a server that closes', body: 'const s = net.createServer().listen(3001, () => void s.close())' },
  {
    name: 'an idle socket of an agent',
    body: `const s = http.createServer((_, r) => r.end('x')).listen(3002).unref()
    await once(s, 'listening')
    http.get('http://127.0.0.1:3002', (r) => r.resume())`,
  },
  { name: 'a listener that is taken away', body: "process.once('x', () => {}); process.emit('x' as 'exit', 0)" },
  { name: 'a variable that is put back', body: "process.env.LEFT = '1'; delete process.env.LEFT" },
  { name: 'a directory that is put back', body: 'const d = process.cwd(); process.chdir(tmpdir()); process.chdir(d)' },
  { name: 'a global that is taken away', body: 'const g: any = globalThis; g.left = 1; delete g.left' },
]

const source = `import dgram from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import fsp from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { fuzz } from 'norn'

// The file of properties may keep what it likes for as long as its process lives.
setInterval(() => {}, 1000).unref()
process.on('SIGINT', () => {})
process.env.LOADED = 'yes'
fs.openSync('/etc/hostname')
Object.assign(Array.prototype, { second: (array: unknown[]) => array[1] })

function again(start: (next: () => void) => void) {
  const next = () => start(next)
  next()
}

fuzz('leaves', {}, async () => {
${LEFT.map(({ body }) => `  ${body}\n`).join('')}})
fuzz('fine', {}, async () => {
${FINE.map(({ body }) => `  {\n    ${body}\n  }\n`).join('')}})
fuzz('properties', {}, () => {
  const holder: any = globalThis
  holder.left = 1
  fs.readFile = holder.Array.prototype.last = () => 1
})
fuzz('fails', {}, () => {
  setInterval(() => {}, 10)
  throw new Error('no')
})
`
const here = project({ 'leaks.fuzz.ts': source })

let lines: Line[]
let status: number | null
const of = (property: string) => lines.filter((line) => line.type === 'warning' && line.property === property)

beforeAll(async () => {
  const outcome = await here.call('fuzz', 'leaks.fuzz.ts', '--runs', '3', '--seed', '1', '--json')
  status = outcome.status
  lines = parsed(outcome.stdout)
})

describe('what outlives an execution', () => {
  it.each(LEFT)('$name is a warning, once, with its line', ({ what, body }) => {
    const line = source.split('\n').indexOf(`  ${body}`) + 1
    const told = of('leaves').filter(({ frames }) => frames[0]?.line === line)
    expect(told).toMatchObject([{ what, frames: [{ file: 'leaks.fuzz.ts' }] }])
  })

  it('is told of nothing else', () => {
    expect(of('leaves')).toHaveLength(LEFT.length)
  })

  it('that is a property of an object that all share is told by its name', () => {
    const told = of('properties').map(({ kind, what }) => [kind, what])
    expect(told.sort()).toEqual([
      ['object', 'Array.prototype.last'],
      ['object', 'fs.readFile'],
      ['object', 'globalThis.left'],
    ])
  })

  it(`is not ${FINE.map(({ name }) => name).join(', nor ')}`, () => {
    expect(of('fine')).toEqual([])
  })

  it('changes nothing about the verdict', () => {
    expect(status).toBe(1)
    const failing = lines.filter(({ type, failed }) => type === 'summary' && failed > 0)
    expect(failing.map(({ property }) => property)).toEqual(['fails'])
    expect(of('fails')).toEqual([])
  })

  it('is told to a person with its line', async () => {
    const { stdout, status } = await here.call('fuzz', 'leaks.fuzz.ts', '--runs', '3', '--property', 'leaves')
    expect(stdout).toMatch(
      /! leaves: leaks in executions that pass\n(?: .*\n)* {2}\/etc, still open\n {4}at leaks\.fuzz\.ts:\d+:\d+\n/,
    )
    expect(status).toBe(0)
  })
})
