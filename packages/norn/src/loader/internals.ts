/**
 * Node's own internals, reached through `--expose-internals`. Only this file knows how; whoever
 * needs one names it and says what shape it expects.
 *
 * Invariant: the `require` used here was made when norn was loaded, so nothing that a program does
 * to `node:module` changes what is found.
 */
import { createRequire } from 'node:module'

/** Finds builtins and internals alike, and throws Node's own errors. */
export const hostRequire: NodeJS.Require = createRequire(import.meta.url)

/**
 * A binding is a plain object of native functions and classes; what lies in it differs between
 * versions.
 */
// biome-ignore lint/suspicious/noExplicitAny: native bindings are untyped by nature
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

/** What Node's JavaScript gets from C++ under a name, such as `fs`; throws `InternalsHidden`. */
export function internalBinding<Exports = Binding>(name: string): Exports {
  return requireInternal('internal/test/binding').internalBinding(name) as Exports
}
