/** What stock Node answers. A call that ends its process counts as that, and another process goes on behind it. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Answers } from './calls.ts'

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')

/** Time for one shape of a function, in milliseconds. */
const PATIENCE_MS = 60_000

export interface StockAnswers {
  readonly answers: ReadonlyMap<string, Answers>
  /** Shapes within which stock Node died, or did not go on. */
  readonly lost: readonly string[]
}

export async function stockAnswers(names: readonly string[]): Promise<StockAnswers> {
  const answers = new Map<string, Answers>()
  const lost: string[] = []
  for (;;) {
    const left = names.filter((name) => !answers.has(name) && !lost.includes(name))
    if (left.length === 0) return { answers, lost }
    const died = await runChild(left, answers)
    if (died === undefined && left.every((name) => !answers.has(name))) throw new Error('stock Node answers nothing')
    if (died !== undefined) lost.push(died)
  }
}

/** Returns the shape in which the process ended before it was done. */
async function runChild(names: readonly string[], answers: Map<string, Answers>): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(names)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let running: string | undefined
  let timer: NodeJS.Timeout | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    // A function that is called may print too.
    if (!line.startsWith('{')) continue
    const { begins, name, answers: given } = JSON.parse(line)
    running = begins
    if (name !== undefined) answers.set(name, given)
  }
  clearTimeout(timer)
  return running
}
