/**
 * Node's internal modules and bindings, through `--expose-internals`. Callers declare the shape
 * they expect.
 *
 * Invariant: `require` is captured when norn loads, so a program cannot change what is found.
 */
import { type Channel, channel } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'

const nodeRequire = createRequire(import.meta.url)

/** The channels on which Node tells of calls of `require`. */
const CALLS = ['start', 'end', 'error'].map((event) => channel(`tracing:module.require:${event}`))
/** What a channel inherits from that nobody has subscribed to. */
const UNHEARD = Object.getPrototypeOf(channel('norn')) as object
const { getPrototypeOf, setPrototypeOf } = Object

/** Finds builtins, internal modules and packages of norn; throws Node's errors. No subscriber of a program hears. */
export const hostRequire: NodeJS.Require = Object.assign((id: string) => {
  if (!CALLS.some(isHeard)) return nodeRequire(id)
  const prototypes = CALLS.map((each) => getPrototypeOf(each) as object)
  for (const each of CALLS) setPrototypeOf(each, UNHEARD)
  try {
    return nodeRequire(id)
  } finally {
    for (const [at, each] of CALLS.entries()) setPrototypeOf(each, prototypes[at]!)
  }
}, nodeRequire)

function isHeard({ hasSubscribers }: Channel): boolean {
  return hasSubscribers
}

/** An object of native functions and classes, which differ between versions of Node. */
// biome-ignore lint/suspicious/noExplicitAny: native bindings are untyped
export type Binding = Record<string, any>

class InternalsHidden extends Error {
  constructor(id: string, cause: unknown) {
    super(`norn needs Node's '${id}': start this process with --expose-internals`, { cause })
    this.name = 'InternalsHidden'
  }
}

/** An internal module, such as `internal/timers`, or a builtin; throws `InternalsHidden`. */
export function requireInternal<Exports = Binding>(id: string): Exports {
  try {
    return hostRequire(id) as Exports
  } catch (error) {
    throw new InternalsHidden(id, error)
  }
}

/** A native binding by name, such as `fs`; throws `InternalsHidden`. */
export function internalBinding<Exports = Binding>(name: string): Exports {
  return requireInternal('internal/test/binding').internalBinding(name) as Exports
}

/** The text of an internal module, if this Node has it. Keep what is made of it: it takes 200 us to ask. */
export function sourceOfInternal(id: string): string | undefined {
  return internalBinding<{ natives: Record<string, string> }>('builtins').natives[id]
}

/** Whether native addons may load: `--no-addons` forbids it, also in NODE_OPTIONS. */
export function allowsAddons(): boolean {
  return requireInternal('internal/options').getOptionValue('--addons') !== false
}
