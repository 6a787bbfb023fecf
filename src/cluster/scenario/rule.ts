/** What a scenario does to messages: those that a rule's predicate picks are lost, or kept from arriving. */
import type { MessageView } from '../definition.ts'

export type MessagePredicate = (message: MessageView) => boolean

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

const MAX_PREDICATE = 160

/** A predicate as it stands in the source, in one line. */
export function predicateText(predicate: Function): string {
  const text = String(predicate).replace(/\s+/g, ' ')
  return text.length > MAX_PREDICATE ? `${text.slice(0, MAX_PREDICATE)}…` : text
}
