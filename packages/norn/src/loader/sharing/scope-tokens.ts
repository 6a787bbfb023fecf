/**
 * The scopes of the program that are alive: their tokens, which `scope-writer.ts` has put there, found by V8.
 *
 * Only a scope refers to its token, so after a garbage collection a set that holds them weakly has those of scopes
 * that code can still reach.
 */
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { internalBinding } from '../internals.ts'

const { previewEntries } = internalBinding('util') as {
  previewEntries<Key extends object>(of: WeakSet<Key>): Key[]
}

/** Reads a variable by its index; writes it first if asked to. Throws for one that is not initialised. */
export type Accessor = (index: number, write?: boolean, value?: unknown) => unknown

export class ScopeToken {
  /** The number of the module whose code the scope is of. */
  readonly module: number
  readonly accessor: Accessor
  /** The number of variables. */
  readonly count: number
  /** Its place among the tokens of a loading. */
  readonly ordinal: number

  constructor(module: number, accessor: Accessor, count: number, ordinal: number) {
    this.module = module
    this.accessor = accessor
    this.count = count
    this.ordinal = ordinal
  }
}

interface Holder {
  keep: ((module: number, accessor: Accessor, count: number) => ScopeToken) | undefined
  /** A module has variables that no token shows. */
  cannot(module: number): void
}

/** The name by which inserted code finds `keep`. */
export const HOLDER = '_norn_scopes'

const shared = vm.runInThisContext(`const ${HOLDER} = { keep: undefined, cannot: undefined }; ${HOLDER}`) as Holder

/** What loading has left. */
export interface KeptScopes {
  /** All tokens, also of scopes that nothing can reach; undefined if there are too many. */
  tokens: readonly ScopeToken[] | undefined
  /** The tokens whose scopes are alive, once nothing else refers to them, after a garbage collection. */
  live(): readonly ScopeToken[]
  /** The numbers of the modules that have other variables, too. */
  readonly opaque: ReadonlySet<number>
}

/** Beyond this it takes less to find those that are alive. */
const MOST_TOKENS = 20_000

/** Runs an action that loads modules, so that the scopes which it leaves alive can be found. */
export function keepingScopes(action: () => void): KeptScopes {
  const end = keepScopes()
  try {
    action()
  } finally {
    end()
  }
  return end()
}

/** Keeps the scopes of modules that load until the result is called. */
export function keepScopes(): () => KeptScopes {
  const opaque = new Set<number>()
  const tokens: ScopeToken[] = []
  // Unlike a WeakRef, it keeps nothing until the end of the macrotask.
  const made = new WeakSet<ScopeToken>()
  let count = 0
  shared.keep = (module, accessor, variables) => {
    const token = new ScopeToken(module, accessor, variables, count++)
    made.add(token)
    if (count <= MOST_TOKENS) tokens.push(token)
    else tokens.length = 0
    return token
  }
  shared.cannot = (module) => void opaque.add(module)
  const live = () => {
    collectGarbage()
    return previewEntries(made).sort((a, b) => a.ordinal - b.ordinal)
  }
  return () => {
    shared.keep = undefined
    return { tokens: count > MOST_TOKENS ? undefined : tokens, live, opaque }
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}
