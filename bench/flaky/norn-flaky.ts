/** Calls `norn flaky` in a project, and reads what it prints. */
import { resolve } from 'node:path'
import { describeReason, type InconclusiveReason } from '../../packages/norn/src/contract/inconclusive.ts'
import { runTimed, type Timed, testKey } from './runners.ts'

const NORN = resolve(import.meta.dirname, '../../packages/norn/src/cli/main.ts')

export interface NornTest {
  readonly verdict: string
  readonly executions: number
  /** Schedule points of one execution, at most. */
  readonly points: number
  /** Of a test that is inconclusive or fails: the reason, its first line. */
  readonly why: string
}

export interface NornVerdicts {
  /** By `testKey`. */
  readonly tests: ReadonlyMap<string, NornTest>
  /** Files that norn could not load, and the first line of the reason. */
  readonly unloaded: ReadonlyMap<string, string>
}

export async function runNornFlaky(root: string, args: readonly string[]): Promise<Timed<NornVerdicts>> {
  const norn = [process.execPath, '-C', 'norn-source', NORN, 'flaky', '--json', ...args]
  const { stdout, stderr, status, ms, processorMs } = await runTimed(norn, root)
  const lines = stdout.split('\n').filter((line) => line !== '')
  if (lines.length === 0) throw new Error(`norn flaky ended with status ${status} and printed nothing:\n${stderr}`)
  return { value: parseNorn(lines), ms, processorMs }
}

/** @param lines of `norn flaky --json` */
export function parseNorn(lines: readonly string[]): NornVerdicts {
  const tests = new Map<string, NornTest>()
  const unloaded = new Map<string, string>()
  for (const line of lines.map((each) => JSON.parse(each))) {
    if (line.type === 'unloaded') unloaded.set(line.file, lastLine(line.why))
    if (line.type !== 'test') continue
    tests.set(testKey(line.file, line.name), {
      verdict: line.verdict,
      executions: line.executions,
      points: line.points,
      why: firstLine(whyOf(line)),
    })
  }
  return { tests, unloaded }
}

interface TestLine {
  readonly executions: number
  readonly failure?: { readonly message: string }
  readonly inconclusive?: { readonly reason: InconclusiveReason }
}

function whyOf({ executions, failure, inconclusive }: TestLine): string {
  if (inconclusive !== undefined) return describeReason(inconclusive.reason)
  if (failure !== undefined) return failure.message
  return executions === 0 ? 'the time ended before it ran' : ''
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!.trim()
}
