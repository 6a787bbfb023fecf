/**
 * The rules of a scenario: messages that match a rule's predicate are dropped or held.
 *
 * Invariant: every active rule sees each message exactly once, in the order of sending and before
 * the next event; a new rule also sees the messages in flight.
 */
import type { ClusterView, MessageView } from '../definition.ts'
import type { Simulation } from '../simulation.ts'

/**
 * Selects messages for a rule of a scenario.
 *
 * @public
 */
export type MessagePredicate<Message = unknown> = (message: MessageView<Message>) => boolean

/**
 * A rule of a scenario that drops or holds messages.
 *
 * @public
 */
export class Rule {
  readonly kind: 'drop' | 'hold'
  readonly predicate: MessagePredicate
  /** The number of messages that matched. */
  matched = 0
  /** The ids of the messages that it holds. */
  readonly held = new Set<number>()

  constructor(kind: 'drop' | 'hold', predicate: MessagePredicate) {
    this.kind = kind
    this.predicate = predicate
  }

  get text(): string {
    return `${this.kind}(${predicateText(this.predicate)})`
  }
}

export class Rules {
  readonly #simulation: Simulation
  readonly #view: ClusterView
  #active: Rule[] = []
  readonly #all: Rule[] = []
  /** All active rules have seen the messages with smaller ids. */
  #seen = 0

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    this.#view = simulation.view
  }

  /** The active rules, oldest first. */
  get active(): readonly Rule[] {
    return this.#active
  }

  /** The rules that never matched. */
  get unused(): readonly Rule[] {
    return this.#all.filter(({ matched }) => matched === 0)
  }

  has(rule: Rule): boolean {
    return this.#all.includes(rule)
  }

  add(rule: Rule): void {
    this.apply()
    this.#active.push(rule)
    this.#all.push(rule)
    for (const message of this.#view.messages) this.#show(message, rule)
  }

  /** Ends rules, and releases messages that no other rule holds. */
  end(ended: readonly Rule[]): void {
    this.#active = this.#active.filter((each) => !ended.includes(each))
    for (const { held } of ended) {
      for (const id of held) if (!this.#active.some((other) => other.held.has(id))) this.#simulation.network.release(id)
      held.clear()
    }
  }

  /** Shows new messages to the rules; called after every event. */
  apply(): void {
    const sent = this.#view.messages.filter(({ id }) => id >= this.#seen)
    for (const message of sent) for (const rule of this.#active) this.#show(message, rule)
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

/** The source of a predicate, on one line. */
export function predicateText(predicate: Function): string {
  const text = String(predicate).replace(/\s+/g, ' ')
  return text.length > MAX_PREDICATE ? `${text.slice(0, MAX_PREDICATE)}…` : text
}
