/** A counter on one node, and a client on another that retries when it hears nothing. */
import type { Actor, ActorContext } from 'norn/cluster'

export class Counter implements Actor {
  value = 0
  readonly #node: ActorContext

  constructor(node: ActorContext) {
    this.#node = node
  }

  onMessage({ id, amount }: { id: number; amount: number }, from: string) {
    this.value += amount
    this.#node.send(from, { type: 'added', id })
  }
}

export class Client implements Actor {
  readonly #node: ActorContext
  readonly #asked = new Map<number, number>()

  constructor(node: ActorContext) {
    this.#node = node
  }

  onRequest(amount: number, id: number) {
    this.#asked.set(id, amount)
    this.#ask(id)
  }

  onTimer(id: string) {
    this.#ask(Number(id))
  }

  onMessage({ id }: { id: number }) {
    this.#node.clearTimer(String(id))
    if (this.#asked.delete(id)) this.#node.reply(id, 'done')
  }

  #ask(id: number) {
    this.#node.send('counter', { type: 'add', id, amount: this.#asked.get(id) })
    this.#node.setTimer(String(id), 100)
  }
}
