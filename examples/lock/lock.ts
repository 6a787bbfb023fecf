/** A lock server and two clients as actors, and a bug that can be switched on. */
import { type ActorContext, actors } from 'norn/cluster'

type Message = { readonly type: 'ask' | 'granted' | 'release' }

const SERVER = 'server'
/** The names of the clients, as in the model. */
export const CLIENTS = ['a', 'b']

export interface Mistakes {
  /** The server accepts a release from any client: a duplicate message frees the lock of another client. */
  readonly trusting?: boolean
}

export function lock({ trusting = false }: Mistakes = {}) {
  return actors({
    [SERVER]: (node) => new Server(node, trusting),
    ...Object.fromEntries(CLIENTS.map((name) => [name, (node: ActorContext) => new Client(node)])),
  })
}

class Server {
  holder: string | undefined
  readonly waiting: string[] = []
  readonly #node: ActorContext
  readonly #trusting: boolean

  constructor(node: ActorContext, trusting: boolean) {
    this.#node = node
    this.#trusting = trusting
  }

  onMessage({ type }: Message, from: string): void {
    if (type === 'ask' && from !== this.holder && !this.waiting.includes(from)) {
      this.#node.event('ask', { client: from })
      this.waiting.push(from)
    }
    if (type === 'release' && (this.#trusting || from === this.holder)) {
      this.#node.event('release', { client: from })
      this.holder = undefined
    }
    if (this.holder !== undefined || this.waiting.length === 0) return
    const client = this.waiting.shift()!
    this.holder = client
    this.#node.event('grant', { client })
    this.#node.send(client, { type: 'granted' })
  }
}

class Client {
  readonly #node: ActorContext

  constructor(node: ActorContext) {
    this.#node = node
  }

  onStart(): void {
    this.#node.send(SERVER, { type: 'ask' })
  }

  onMessage(): void {
    this.#node.setTimer('work', 5)
  }

  onTimer(): void {
    this.#node.send(SERVER, { type: 'release' })
    this.#node.send(SERVER, { type: 'ask' })
  }
}
