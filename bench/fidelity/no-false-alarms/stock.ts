/** The tests of a file on stock Node, in processes of their own (stock-child.ts). */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { effortOf } from '../../../packages/norn/src/watch/effort.ts'
import { HangWatch, LOOK_MS } from '../../../packages/norn/src/watch/hang-watch.ts'
import { SUITE } from './aliases.ts'

const CHILD = fileURLToPath(new URL('./stock-child.ts', import.meta.url))

export interface StockOptions {
  /** Real time of one test, in milliseconds, and half of the processor time after which it hangs. */
  readonly testMs: number
  /**
   * Runs that must fail before the test counts as failing on stock Node: its clock and machine are
   * real.
   */
  readonly tries: number
}

const DEFAULTS: StockOptions = { testMs: 15_000, tries: 3 }

/** The child ends a test that sleeps; only one that blocks its thread is left to the watchdog. */
const SLEEPING_FACTOR = 6

export interface StockLine {
  readonly test: string
  readonly event: 'begins' | 'ended'
  /** The error of a failed test. */
  readonly problem?: string
}

/** The error of each test that fails on stock Node every time. */
export async function failuresOnStock(
  aliases: readonly (readonly [string, string])[],
  names: readonly string[],
  { testMs, tries }: StockOptions = DEFAULTS,
): Promise<Map<string, string>> {
  let failures = await triedOnStock(aliases, names, testMs)
  for (let attempt = 1; attempt < tries && failures.size > 0; attempt++) {
    failures = await triedOnStock(aliases, [...failures.keys()], testMs)
  }
  return failures
}

async function triedOnStock(
  aliases: readonly (readonly [string, string])[],
  names: readonly string[],
  testMs: number,
): Promise<Map<string, string>> {
  const failures = new Map<string, string>()
  let left = [...names]
  while (left.length > 0) {
    const { ended, dying } = await run(aliases, left, testMs)
    for (const { test, problem } of ended) if (problem !== undefined) failures.set(test, problem)
    const known = new Set(ended.map(({ test }) => test))
    const lost = dying ?? left.find((name) => !known.has(name))
    if (lost !== undefined && !known.has(lost)) {
      failures.set(lost, 'the process died or hung')
      known.add(lost)
    }
    left = left.filter((name) => !known.has(name))
  }
  return failures
}

interface Ran {
  readonly ended: readonly StockLine[]
  /** The test that was running when the process ended. */
  readonly dying: string | undefined
}

function run(aliases: readonly (readonly [string, string])[], names: readonly string[], testMs: number): Promise<Ran> {
  const temporary = mkdtempSync(join(tmpdir(), 'norn-stock-'))
  const settings = JSON.stringify({ file: SUITE, aliases, names, testMs })
  const child = spawn(process.execPath, ['--expose-internals', '--no-warnings', CHILD, settings], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let sequence = 0
  const limits = { taskMs: 2 * testMs, startMs: 2 * testMs, sleepingFactor: SLEEPING_FACTOR }
  const watch = new HangWatch(limits, performance.now(), sequence)
  const watchdog = setInterval(() => {
    const look = { nowMs: performance.now(), sequence, effort: effortOf(child.pid), isFilling: false }
    if (watch.hungFor(look) !== undefined) child.kill('SIGKILL')
  }, LOOK_MS)
  const ended: StockLine[] = []
  let dying: string | undefined
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = parse(text)
    if (line === undefined) return
    dying = line.event === 'begins' ? line.test : undefined
    if (line.event === 'begins') sequence++
    else ended.push(line)
  })
  return new Promise((resolve) => {
    child.on('close', () => {
      clearInterval(watchdog)
      rmSync(temporary, { recursive: true, force: true })
      resolve({ ended, dying })
    })
  })
}

/** A line of the child; undefined for a test's own output. */
function parse(text: string): StockLine | undefined {
  try {
    const line = JSON.parse(text) as StockLine
    return typeof line?.test === 'string' && typeof line.event === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
