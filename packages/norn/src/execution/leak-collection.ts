/**
 * The distinct leaks of one campaign. Their source lines are found at its end, by replaying the
 * first execution of each with explanations on, which is too slow for every execution.
 */
import type { ExecutionResult, LeakReport } from '../contract/execution.ts'
import { messageShape } from '../contract/fingerprint.ts'
import type { Plan } from '../contract/plan.ts'
import { withAsyncOrigins } from './async-origins.ts'

/** Further leaks are dropped. */
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
  /** The first execution of each leak, by the shape of the leak. */
  readonly #first = new Map<string, Shown>()

  note(execution: number, plan: Plan, leaks: readonly LeakReport[]): void {
    for (const { kind, what } of leaks) {
      if (this.#first.size >= MAX_LEAKS) return
      const key = `${kind} ${messageShape(what)}`
      if (!this.#first.has(key)) this.#first.set(key, { execution, plan })
    }
  }

  /** Each leak once, with its source line. Leaks that do not occur again are dropped. */
  async explained(explain: (plan: Plan) => Promise<ExecutionResult>): Promise<FoundLeak[]> {
    const found = new Map<string, FoundLeak>()
    const plans = new Map([...this.#first.values()].map((shown) => [shown.plan, shown]))
    for (const { execution, plan } of [...plans.values()]) {
      const { leaks = [] } = await explain(plan)
      const complete = leaks.every(({ kind, frames }) => frames.length > 0 || kind === 'object')
      // A handle that Node opened in a tick of its own has no program frame on its stack.
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
