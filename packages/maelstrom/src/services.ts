/**
 * The services that Maelstrom offers to nodes (doc/services.md there): key-value stores of three
 * consistencies and a timestamp oracle. Each is a node of the cluster whose data survives crashes.
 */
import { isDeepStrictEqual } from 'node:util'

export const SERVICES = ['lin-kv', 'seq-kv', 'lww-kv', 'lin-tso'] as const

/** @public */
export type ServiceName = (typeof SERVICES)[number]

/** The body of a message. */
export interface Body {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Service {
  /** What checks see. */
  readonly state: unknown
  /**
   * Answers a request.
   *
   * @param client who asks
   * @param random a float in [0, 1)
   */
  answer(request: Body, client: string, random: () => number): Body
}

export function serviceOf(name: ServiceName): Service {
  switch (name) {
    case 'lin-kv':
      return new LinearizableStore()
    case 'seq-kv':
      return new SequentialStore()
    case 'lww-kv':
      return new LastWriteStore()
    case 'lin-tso':
      return new TimestampOracle()
  }
}

type Store = Readonly<Record<string, unknown>>

const keyOf = (request: Body): string => JSON.stringify(request.key) ?? 'null'

/** The reply to a request, and the store after it. */
function apply(store: Store, request: Body): { readonly reply: Body; readonly store: Store } {
  const key = keyOf(request)
  const isKnown = Object.hasOwn(store, key)
  const refuse = (code: number, text: string) => ({ reply: { type: 'error', code, text }, store })
  switch (request.type) {
    case 'read':
      return isKnown ? { reply: { type: 'read_ok', value: store[key] }, store } : refuse(20, 'key does not exist')
    case 'write':
      return { reply: { type: 'write_ok' }, store: { ...store, [key]: request.value } }
    case 'cas': {
      const { from, to, create_if_not_exists: create } = request
      if (!isKnown && create !== true) return refuse(20, 'key does not exist')
      if (isKnown && !isDeepStrictEqual(store[key], from)) {
        return refuse(22, `current value ${JSON.stringify(store[key])} is not ${JSON.stringify(from)}`)
      }
      return { reply: { type: 'cas_ok' }, store: { ...store, [key]: to } }
    }
    default:
      return refuse(10, `unsupported request type ${request.type}`)
  }
}

class LinearizableStore implements Service {
  state: Store = {}

  answer(request: Body): Body {
    const { reply, store } = apply(this.state, request)
    this.state = store
    return reply
  }
}

/** Reads may see the past, but no client sees time go backwards; updates happen in the present. */
class SequentialStore implements Service {
  readonly #past: Store[] = [{}]
  /** The index of the latest store that each client has seen. */
  readonly #seen = new Map<string, number>()

  get state(): Store {
    return this.#past.at(-1)!
  }

  answer(request: Body, client: string, random: () => number): Body {
    const latest = this.#past.length - 1
    if (request.type === 'read') {
      const seen = this.#seen.get(client) ?? 0
      const at = latest - Math.floor(random() * (latest - seen + 1))
      this.#seen.set(client, at)
      return apply(this.#past[at]!, request).reply
    }
    const { reply, store } = apply(this.state, request)
    if (store !== this.state) this.#past.push(store)
    this.#seen.set(client, this.#past.length - 1)
    return reply
  }
}

/** Replicas that each answer by themselves, and now and then merge what they have: the last write wins. */
class LastWriteStore implements Service {
  readonly #replicas: Record<string, { readonly value: unknown; readonly time: number }>[] = [{}, {}, {}, {}, {}]
  #time = 0

  get state(): readonly Store[] {
    return this.#replicas.map(valuesOf)
  }

  answer(request: Body, _: string, random: () => number): Body {
    const count = this.#replicas.length
    const at = Math.floor(random() * count)
    if (random() < 0.5) this.#merge(at, Math.floor(random() * count))
    const replica = this.#replicas[at]!
    const before = valuesOf(replica)
    const { reply, store } = apply(before, request)
    const key = keyOf(request)
    if (store !== before) replica[key] = { value: store[key], time: ++this.#time }
    return reply
  }

  #merge(to: number, from: number): void {
    const target = this.#replicas[to]!
    for (const [key, written] of Object.entries(this.#replicas[from]!)) {
      if (written.time > (target[key]?.time ?? 0)) target[key] = written
    }
  }
}

function valuesOf(replica: Readonly<Record<string, { readonly value: unknown }>>): Store {
  return Object.fromEntries(Object.entries(replica).map(([key, { value }]) => [key, value]))
}

class TimestampOracle implements Service {
  state = 0

  answer(request: Body): Body {
    if (request.type !== 'ts') return { type: 'error', code: 10, text: `unsupported request type ${request.type}` }
    return { type: 'ts_ok', ts: this.state++ }
  }
}
