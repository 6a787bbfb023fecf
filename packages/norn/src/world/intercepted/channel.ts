/**
 * Hides the channel between this process and norn: a process that nobody forked has none, so under the world there is
 * nothing to send by, nothing to disconnect, and no listener of norn's that a program could call or take away.
 *
 * Follows lib/internal/child_process.js (`setupChannel`): the channel hangs on `process` under several names, and Node
 * and norn listen on `process` for its messages. Invariant: an execution is one macrotask, so that no message comes in
 * while the listeners are put aside.
 */
import type { Activity } from '../replace.ts'

/** Under which the channel can be reached; there is a symbol besides. */
const NAMES = [
  ...['send', 'channel', 'connected', 'disconnect'],
  ...['_send', '_channel', '_disconnect', '_handleQueue', '_pendingMessage'],
]
const SYMBOL = 'kChannelHandle'

/** Events that only a channel has. */
const EVENTS = new Set(['message', 'internalMessage', 'disconnect'])

/** Listeners of other events that are there for the channel's sake: `onNewListener` and the like. */
const FOR_CHANNEL = /\bchannel\b|\bcontrol\./

type Listeners = Record<string, unknown>

export interface InterceptedChannel {
  /** Before an execution, and before the listeners that one begins with are noted. */
  hide(): void
  show(): void
}

export function interceptChannel(host: Activity): InterceptedChannel {
  /** What a program has put in the place of what is hidden. */
  const replaced = new Map<string | symbol, unknown>()
  const symbols = Object.getOwnPropertySymbols(process).filter(({ description }) => description === SYMBOL)
  for (const name of [...NAMES, ...symbols]) hideProperty(host, name, replaced)
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
    // Node itself notes here that the channel has closed.
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
    const left = [events[event]].flat().filter((listener) => !FOR_CHANNEL.test(String(listener)))
    if (left.length > 0) visible[event] = left.length === 1 ? left[0] : left
  }
  return visible
}
