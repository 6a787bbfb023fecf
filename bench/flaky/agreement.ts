/** Compares what norn says of each test with what its runner says, or with what norn says without sharing modules. */
import type { NornTest, NornVerdicts } from './norn-flaky.ts'
import type { RunnerVerdict, RunnerVerdicts } from './runners.ts'

export interface Difference {
  readonly test: string
  readonly runner: RunnerVerdict
  /** A verdict of norn, or that the test did not run. */
  readonly norn: string
  readonly why: string
}

export interface Agreement {
  readonly tests: number
  readonly asRunner: number
  readonly flaky: number
  readonly differences: readonly Difference[]
}

/** The verdicts of norn that agree with one of the runner: a flaky test passes under the default schedule. */
const AGREES: Readonly<Record<RunnerVerdict, readonly string[]>> = {
  passed: ['clean', 'flaky', 'dependent'],
  failed: ['failing'],
  skipped: ['skipped'],
}

export function agreementOf(own: RunnerVerdicts, { tests, unloaded }: NornVerdicts): Agreement {
  const differences: Difference[] = []
  for (const [test, runner] of own) {
    const norn = tests.get(test)
    if (norn !== undefined && AGREES[runner].includes(norn.verdict)) continue
    const why = norn?.why ?? unloaded.get(test.split(': ', 1)[0]!) ?? 'norn does not list the test'
    differences.push({ test, runner, norn: norn?.verdict ?? 'not run', why })
  }
  const flaky = [...tests.values()].filter(({ verdict }) => verdict === 'flaky').length
  return { tests: own.size, asRunner: own.size - differences.length, flaky, differences }
}

/** How many differences have a reason, the most frequent first. */
export function reasonsOf(differences: readonly Difference[]): readonly (readonly [string, number])[] {
  const reasons = Map.groupBy(differences, ({ norn, why }) => (why === '' ? norn : `${norn}: ${why}`))
  return [...reasons].map(([reason, of]) => [reason, of.length] as const).sort((a, b) => b[1] - a[1])
}

export interface VerdictDifference {
  readonly test: string
  /** Verdict, executions, schedule points and reason. */
  readonly shared: string
  readonly fresh: string
}

/** The tests, and the files that do not load, of which norn says something else where executions share modules. */
export function verdictDifferences(shared: NornVerdicts, fresh: NornVerdicts): readonly VerdictDifference[] {
  const said = ({ tests, unloaded }: NornVerdicts, test: string) =>
    describe(tests.get(test)) ?? unloaded.get(test) ?? 'not listed'
  const keys = [shared, fresh].flatMap(({ tests, unloaded }) => [...tests.keys(), ...unloaded.keys()])
  return [...new Set(keys)]
    .map((test) => ({ test, shared: said(shared, test), fresh: said(fresh, test) }))
    .filter((each) => each.shared !== each.fresh)
}

function describe(test: NornTest | undefined): string | undefined {
  if (test === undefined) return undefined
  const { verdict, executions, points, why } = test
  return `${verdict} (${executions} executions, ${points} points)${why === '' ? '' : `: ${why}`}`
}
