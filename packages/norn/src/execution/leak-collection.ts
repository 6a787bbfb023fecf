/**
 * The distinct leaks of one campaign. Where each came from is found out at its end, by running the
 * execution that showed it again, explained: that is too slow to do every time.
 */
import type { ExecutionResult, LeakReport } from '../contract/execution.ts'
import { messageShape } from '../contract/fingerprint.ts'
import type { Plan } from '../contract/plan.ts'
import { withAsyncOrigins } from './async-origins.ts'

/** More than this are not told apart. */
const MAX_LEAKS = 20

interface Shown {
  readonly execution: number
  readonly plan: Plan
}

export interface FoundLeak {
  readonly execution: number
  readonly report: LeakReport
}

export class LeakCollection {
  /** The first execution that showed each. */
  readonly #first = new Map<string, Shown>()

  note(execution: number, plan: Plan, leaks: readonly LeakReport[]): void {
    for (const { kind, what } of leaks) {
      if (this.#first.size >= MAX_LEAKS) return
      const key = `${kind} ${messageShape(what)}`
      if (!this.#first.has(key)) this.#first.set(key, { execution, plan })
    }
  }

  /**
   * Each leak once, with its place in the program; those that cannot be seen again are left out.
   */
  async explained(explain: (plan: Plan) => Promise<ExecutionResult>): Promise<FoundLeak[]> {
    const found = new Map<string, FoundLeak>()
    const plans = new Map([...this.#first.values()].map((shown) => [shown.plan, shown]))
    for (const { execution, plan } of [...plans.values()]) {
      const { leaks = [] } = await explain(plan)
      const complete = leaks.every(({ kind, frames }) => frames.length > 0 || kind === 'object')
      // What was opened in a tick of Node's own has no place on the stack.
      const placed = complete ? leaks : ((await withAsyncOrigins(() => explain(plan))).result.leaks ?? leaks)
      for (const report of placed) {
        const [frame] = report.frames
        const place = frame === undefined ? report.what : `${frame.file}:${frame.line}:${frame.column}`
        const key = `${report.kind} ${place}`
        if (!found.has(key)) found.set(key, { execution, report })
      }
    }
    return [...found.values()].slice(0, MAX_LEAKS)
  }
}
