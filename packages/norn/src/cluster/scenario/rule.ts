/**
 * What a scenario does to messages: those that a rule's predicate picks are lost, or kept from
 * arriving.
 *
 * Invariant: every rule in force has seen each message once, in the order in which they were sent,
 * and before anything else happened; a rule sees what was under way when it was made, too.
 */
import type { ClusterView, MessageView } from '../definition.ts'
import type { Simulation } from '../simulation.ts'

/**
 * Selects messages for a rule of a scenario.
 *
 * @public
 */
export type MessagePredicate = (message: MessageView) => boolean

/**
 * A rule of a scenario that drops or holds messages.
 *
 * @public
 */
export class Rule {
  readonly kind: 'drop' | 'hold'
  readonly predicate: MessagePredicate
  /** Messages that it picked so far. */
  matched = 0
  /** Ids of those that it holds back. */
  readonly held = new Set<number>()

  constructor(kind: 'drop' | 'hold', predicate: MessagePredicate) {
    this.kind = kind
    this.predicate = predicate
  }

  get text(): string {
    return `${this.kind}(${predicateText(this.predicate)})`
  }
}

/** The rules of a scenario. */
export class Rules {
  readonly #simulation: Simulation
  readonly #view: ClusterView
  #inForce: Rule[] = []
  readonly #all: Rule[] = []
  /** Messages that all rules in force have seen: ids below this. */
  #seen = 0

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    this.#view = simulation.view
  }

  /** In the order in which they were made. */
  get inForce(): readonly Rule[] {
    return this.#inForce
  }

  /** Those that picked nothing, so far. */
  get unused(): readonly Rule[] {
    return this.#all.filter(({ matched }) => matched === 0)
  }

  has(rule: Rule): boolean {
    return this.#all.includes(rule)
  }

  add(rule: Rule): void {
    this.apply()
    this.#inForce.push(rule)
    this.#all.push(rule)
    for (const message of this.#view.messages) this.#show(message, rule)
  }

  /** Ends rules; what they held, and no other holds, goes on its way. */
  end(ended: readonly Rule[]): void {
    this.#inForce = this.#inForce.filter((each) => !ended.includes(each))
    for (const { held } of ended) {
      for (const id of held)
        if (!this.#inForce.some((other) => other.held.has(id))) this.#simulation.network.release(id)
      held.clear()
    }
  }

  /** Something has happened: shows the messages that were sent to the rules. */
  apply(): void {
    const sent = this.#view.messages.filter(({ id }) => id >= this.#seen)
    for (const message of sent) for (const rule of this.#inForce) this.#show(message, rule)
    for (const { id } of sent) if (id >= this.#seen) this.#seen = id + 1
  }

  #show(message: MessageView, rule: Rule): void {
    if (!rule.predicate(message)) return
    rule.matched++
    if (rule.kind === 'drop') this.#simulation.dropMessage(message.id)
    else {
      rule.held.add(message.id)
      this.#simulation.network.hold(message.id)
    }
  }
}

const MAX_PREDICATE = 160

/** A predicate as it stands in the source, in one line. */
export function predicateText(predicate: Function): string {
  const text = String(predicate).replace(/\s+/g, ' ')
  return text.length > MAX_PREDICATE ? `${text.slice(0, MAX_PREDICATE)}…` : text
}
