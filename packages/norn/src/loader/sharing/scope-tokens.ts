/**
 * The scopes of the program that are alive: their tokens, which `scope-writer.ts` has put there, found by V8.
 *
 * Only a scope refers to its token, so V8's list of the objects of a class, made after a full garbage
 * collection, has those of scopes that code can still reach, and no others.
 */
import vm from 'node:vm'
import type { Inspection } from './inspection.ts'

/** Reads a variable by its index; writes it first if asked to. Throws for one that is not initialised. */
export type Accessor = (index: number, write?: boolean, value?: unknown) => unknown

export class ScopeToken {
  /** Counts the loadings that make tokens. */
  static generation = 0
  readonly generation = ScopeToken.generation
  /** The number of the module whose code the scope is of. */
  readonly module: number
  readonly accessor: Accessor
  /** The number of variables. */
  readonly count: number

  constructor(module: number, accessor: Accessor, count: number) {
    this.module = module
    this.accessor = accessor
    this.count = count
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
  /** The numbers of the modules that have other variables, too. */
  readonly opaque: ReadonlySet<number>
}

/** Beyond this it takes less to find those that are alive. */
const MOST_TOKENS = 20_000

/** Runs an action that loads modules, so that the scopes which it leaves alive can be found. */
export function keepingScopes(action: () => void): KeptScopes {
  const opaque = new Set<number>()
  const tokens: ScopeToken[] = []
  let made = 0
  ScopeToken.generation++
  shared.keep = (module, accessor, count) => {
    const token = new ScopeToken(module, accessor, count)
    if (made++ < MOST_TOKENS) tokens.push(token)
    else tokens.length = 0
    return token
  }
  shared.cannot = (module) => void opaque.add(module)
  try {
    action()
    return { tokens: made > MOST_TOKENS ? undefined : tokens, opaque }
  } finally {
    shared.keep = undefined
  }
}

/** The tokens of the last loading whose scopes are alive. */
export function liveTokens(inspection: Inspection): readonly ScopeToken[] {
  return (inspection.objectsOf(ScopeToken.prototype) as ScopeToken[]).filter(
    (each) => each !== ScopeToken.prototype && each.generation === ScopeToken.generation,
  )
}
