/**
 * What each interceptor exports: all that the world needs to know of it. A new one is a file, and a
 * line in ../interceptors.ts.
 */
import type { Builtins } from '../realm/builtin.ts'
import type { Isolate } from './isolate.ts'

/** State of which each isolate has its own. */
export interface Apart {
  /** Takes what the running isolate has; then there is none. */
  take(): unknown
  /** Puts back what `take` returned. */
  put(kept: unknown): void
}

/** What a program leaves open. */
export interface LeftOpen {
  /** The path, or the address of a socket: for a connection that of the other side. */
  readonly path: string
  /** The open file, directory, watcher or socket. */
  readonly opened: object
  readonly isWatched?: boolean
  readonly socket?: 'server' | 'connection' | 'datagrams'
  readonly isProcess?: boolean
}

/** What happens to an interceptor; each hook runs in the order of the list. */
export interface Hooks<Provided extends object = object> {
  /** What later interceptors, and the world, get of it; calls at run time see all that is provided. */
  readonly provides?: Provided
  /** An execution begins. */
  readonly enter?: () => void
  /** An execution ends: what it left is closed and forgotten. The program may be broken. */
  readonly leave?: () => void
  /** Adds what the program leaves open, in order of creation. Usually there is nothing. */
  readonly leftOpen?: (left: LeftOpen[]) => void
  /** An isolate beside the body's has ended: what it held is closed. */
  readonly closeOf?: (isolate: Isolate) => void
  readonly apart?: Apart
}

export interface Interceptor<in Host = never, out Provided extends object = object> {
  readonly name: string
  /** What it says of builtins: the table of builtins is made of these. */
  readonly builtins?: Builtins
  /** Replaces what it intercepts, once in a process, before any code under test loads. */
  readonly install: (host: Host) => Hooks<Provided> | void
}

/** The hooks of all interceptors, as straight lists: they run in every execution. */
export interface AllHooks {
  readonly enter: readonly (() => void)[]
  readonly leave: readonly (() => void)[]
  readonly leftOpen: readonly ((left: LeftOpen[]) => void)[]
  readonly closeOf: readonly ((isolate: Isolate) => void)[]
  readonly apart: readonly Apart[]
}

/**
 * Installs interceptors in order; `parts` gets what each provides.
 *
 * @param parts what the interceptors ask for
 */
export function installAll<Parts extends object>(interceptors: readonly Interceptor<Parts>[], parts: Parts): AllHooks {
  const hooks = interceptors.map(({ install }) => {
    const installed = install(parts) ?? {}
    Object.assign(parts, installed.provides)
    return installed
  })
  const listOf = <Name extends keyof AllHooks>(name: Name) =>
    hooks.flatMap((each) => each[name] ?? []) as unknown as AllHooks[Name]
  return {
    enter: listOf('enter'),
    leave: listOf('leave'),
    leftOpen: listOf('leftOpen'),
    closeOf: listOf('closeOf'),
    apart: listOf('apart'),
  }
}

/** Runs hooks without the iteration of arrays, which a program may have broken. */
export function runAll(hooks: readonly (() => void)[]): void {
  for (let at = 0; at < hooks.length; at++) hooks[at]!()
}
