/**
 * Hides the IPC channel between this process and norn, with its listeners: a process that nobody
 * forked has none. Child processes of the program have their own.
 *
 * Follows lib/internal/child_process.js (`setupChannel`): the channel is on `process` under several
 * names, and Node and norn listen on `process` for messages. Invariant: an execution is one
 * macrotask, so no message arrives while the listeners are hidden.
 */
import process from 'node:process'
import { requireInternal } from '../../loader/internals.ts'
import type { Activity } from '../realm/replace.ts'

/** The names of the channel on `process`; a symbol comes on top. */
const NAMES = [
  ...['send', 'channel', 'connected', 'disconnect'],
  ...['_send', '_channel', '_disconnect', '_handleQueue', '_pendingMessage'],
]

/** Events that only a channel emits. */
const EVENTS = new Set(['message', 'internalMessage', 'disconnect'])

type Listeners = Record<string, unknown>

/** The properties of `process` that a channel consists of, for child processes of the program. */
export interface ChannelProperties {
  /** Takes those of a child process, which goes on later; then they are the body's. */
  take(): PropertyDescriptorMap
  put(properties: PropertyDescriptorMap): void
}

export interface InterceptedChannel extends ChannelProperties {
  /** Called before an execution, and before the listeners of a clean process are recorded. */
  hide(): void
  show(): void
}

export function interceptChannel(host: Activity): InterceptedChannel {
  /** Values that a program assigned to hidden properties. */
  const replaced = new Map<string | symbol, unknown>()
  const keys = [...NAMES, requireInternal<{ kChannelHandle: symbol }>('internal/child_process').kChannelHandle]
  for (const key of keys) hideProperty(host, key, replaced)
  const hiding = keys.map((key) => [key, Object.getOwnPropertyDescriptor(process, key)] as const)
  const emitter = process as unknown as { _events: Listeners; _eventsCount: number }
  let aside = withoutChannel(emitter._events)
  let asideCount = Object.keys(aside).length
  let hidden = false
  const swap = () => {
    const [events, count] = [emitter._events, emitter._eventsCount]
    emitter._events = aside
    emitter._eventsCount = asideCount
    aside = events
    asideCount = count
    hidden = !hidden
  }
  return {
    hide() {
      if (hidden) return
      if (replaced.size > 0) replaced.clear()
      swap()
    },
    show() {
      if (hidden) swap()
    },
    take() {
      const taken: PropertyDescriptorMap = {}
      for (const [key, hidden] of hiding) {
        const now = Object.getOwnPropertyDescriptor(process, key)
        if (now !== undefined) taken[key as string] = now
        Reflect.deleteProperty(process, key)
        if (hidden !== undefined) Object.defineProperty(process, key, hidden)
      }
      return taken
    },
    put(properties) {
      for (const [key] of hiding) Reflect.deleteProperty(process, key)
      for (const key of Reflect.ownKeys(properties)) Object.defineProperty(process, key, properties[key as string]!)
    },
  }
}

function hideProperty(host: Activity, name: string | symbol, replaced: Map<string | symbol, unknown>): void {
  const descriptor = Object.getOwnPropertyDescriptor(process, name)
  if (descriptor === undefined) return
  let value: unknown = Reflect.get(process, name)
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: descriptor.enumerable ?? true,
    get: () => (host.active() ? replaced.get(name) : value),
    // Node assigns here when the channel closes.
    set: (next: unknown) => {
      if (host.active()) replaced.set(name, next)
      else value = next
    },
  })
}

function withoutChannel(events: Listeners): Listeners {
  const visible: Listeners = Object.create(null)
  for (const event of Object.keys(events)) {
    if (EVENTS.has(event)) continue
    const left = [events[event]].flat().filter((listener) => !servesChannel(listener))
    if (left.length > 0) visible[event] = left.length === 1 ? left[0] : left
  }
  return visible
}

/**
 * Whether a listener of Node's own serves the channel, such as `onNewListener`. Node does not
 * export these functions: only their source text distinguishes them.
 */
function servesChannel(listener: unknown): boolean {
  return /\bchannel\b|\bcontrol\./.test(String(listener))
}
