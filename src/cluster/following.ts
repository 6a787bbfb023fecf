/** Follows an execution in its model: which abstract states it reached, and at which scheduled step each. */
import type { Followed } from '../explore/observation.ts'
import type { Action } from '../model/model.ts'
import type { ClusterView, ModelBinding } from './definition.ts'
import type { LogEntry } from './log.ts'

export class Following {
  /** Ids of the abstract states reached, each once, in the order in which they were reached. */
  readonly states: number[] = []
  /** The scheduled step at which each was reached. */
  readonly steps: number[] = []
  /** What the model was told of, in order. */
  readonly followed: Followed[] = []
  readonly #binding: ModelBinding
  readonly #reached = new Set<number>()

  constructor(binding: ModelBinding) {
    this.#binding = binding
    for (const { id } of binding.model.reset()) this.#reach(id, -1)
  }

  observe(entry: LogEntry, view: ClusterView): void {
    const mapped = this.#binding.actions(entry, view)
    if (mapped === undefined) return
    const actions: readonly Action[] = Array.isArray(mapped) ? mapped : [mapped]
    if (actions.length === 0) this.followed.push({ entry })
    for (const { action, parameters = [] } of actions) {
      const applied = this.#binding.model.apply(action, parameters)
      this.followed.push(applied.enabled ? { entry, action } : { entry, action, reason: applied.reason })
      if (applied.enabled) for (const { id } of applied.states) this.#reach(id, entry.step)
    }
  }

  #reach(id: number, step: number): void {
    if (this.#reached.has(id)) return
    this.#reached.add(id)
    this.states.push(id)
    this.steps.push(step)
  }
}
