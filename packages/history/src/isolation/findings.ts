/** Collects anomalies: how often each was found, and the first few in words. */
import type { AnomalyClass, AnomalyType, CycleStep } from './anomaly.ts'

/** How many of a type are explained; more are counted. */
const MAX_EXPLAINED = 10

export interface Finding {
  readonly type: AnomalyType
  /** Indices in the order of calls. */
  readonly transactions: readonly number[]
  readonly explanation: string
  readonly cycle?: readonly CycleStep[]
}

export class Findings {
  readonly explained: Finding[] = []
  readonly counts = new Map<AnomalyType, number>()
  /** What the findings are cases of. */
  readonly classes = new Set<AnomalyClass>()
  /** Of the history. */
  keys: number | undefined

  /** @param explain called if there are few findings of this type yet */
  add(type: AnomalyType, explain: () => Omit<Finding, 'type'>, as: AnomalyClass = type): void {
    const count = this.counts.get(type) ?? 0
    this.counts.set(type, count + 1)
    this.classes.add(as)
    if (count < MAX_EXPLAINED) this.explained.push({ type, ...explain() })
  }

  /** Whether another finding of the type would be explained. */
  wants(type: AnomalyType): boolean {
    return (this.counts.get(type) ?? 0) < MAX_EXPLAINED
  }
}
