/** Node's tests on stock Node, each in a process of its own. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../suite.ts'
import type { TestFile } from './test-files.ts'

/** Real time of one test; one that needs more is not run under norn. */
const LIMIT_MS = 60_000

/** What a test prints that finds its machine wanting. */
const SKIPPED = /^1\.\.0 # [Ss]kip/m

export type Stock = 'passed' | 'failed' | 'skipped'

/**
 * @param count processes at once
 * @param kept a file with what was said before, which is not asked again; what is new is added
 */
export async function onStock(
  files: readonly TestFile[],
  count: number,
  kept?: string,
): Promise<ReadonlyMap<string, Stock>> {
  const found = new Map(kept === undefined ? [] : Object.entries(keptIn(kept)))
  const left = files.filter(({ name }) => !found.has(name))
  const take = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) found.set(file.name, await outcome(file))
  }
  await Promise.all(Array.from({ length: count }, take))
  if (kept !== undefined)
    writeFileSync(kept, JSON.stringify({ node: process.version, tests: Object.fromEntries(found) }))
  return found
}

function keptIn(path: string): Readonly<Record<string, Stock>> {
  if (!existsSync(path)) return {}
  const { node, tests } = JSON.parse(readFileSync(path, 'utf8')) as { node: string; tests: Record<string, Stock> }
  if (node !== process.version) throw new UsageError(`--stock: ${path} is of Node ${node}, this is ${process.version}`)
  return tests
}

/** One that fails is tried again, alone in its turn: many measure real time. */
async function outcome(file: TestFile): Promise<Stock> {
  const first = await run(file)
  return first === 'failed' ? run(file) : first
}

function run({ path, flags }: TestFile): Promise<Stock> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags, path], {
      env: { ...process.env, NODE_OPTIONS: undefined, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
    })
    child.once('close', (code) => resolve(code !== 0 ? 'failed' : SKIPPED.test(output) ? 'skipped' : 'passed'))
  })
}
