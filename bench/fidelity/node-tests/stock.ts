/** Node's tests on stock Node, each in a process of its own. */
import { spawn } from 'node:child_process'
import type { TestFile } from './test-files.ts'

/** Real time of one test; one that needs more is not run under norn. */
const LIMIT_MS = 60_000

/** What a test prints that finds its machine wanting. */
const SKIPPED = /^1\.\.0 # [Ss]kip/m

export type Stock = 'passed' | 'failed' | 'skipped'

/** @param count processes at once */
export async function onStock(files: readonly TestFile[], count: number): Promise<ReadonlyMap<string, Stock>> {
  const found = new Map<string, Stock>()
  const left = [...files]
  const take = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) found.set(file.name, await outcome(file))
  }
  await Promise.all(Array.from({ length: count }, take))
  return found
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
