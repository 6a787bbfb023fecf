/**
 * Scopes: from the bound names of an expression out to the module and the modules around it.
 *
 * Invariant: a chain of scopes binds a name once. TLA+ has no shadowing and rejects a second
 * binding of a visible name ("Specifying Systems" 17.3), so a look-up stops at the first scope that
 * knows the name.
 */
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import { isBuiltin } from './builtin.ts'
import type { Symbol as AnySymbol, DefinitionSymbol, InstanceSymbol, Module, Through } from './term.ts'

/** The meaning of a name in a scope. */
export interface Entry {
  readonly symbol: AnySymbol | InstanceSymbol
  /** The instances on the way to it, outermost first. */
  readonly through: readonly Through[]
  /** Not seen from outside of its module. */
  readonly isLocal: boolean
  /** The name of an assumption or a theorem. */
  readonly isStatement: boolean
  /** The name of an ASSUME/PROVE, which is not an expression. */
  readonly isSequent: boolean
  /** Only inherited from a community module that extends its helpers: may be redefined. */
  readonly isPassedOn?: boolean
}

export class Scope {
  readonly names = new Map<string, Entry>()
  /** Submodules, which have names of a kind of their own. */
  readonly modules = new Map<string, Module>()
  /** Declared RECURSIVE in this scope, and not defined yet. */
  readonly declared = new Map<string, DefinitionSymbol>()
  readonly parent: Scope | undefined

  constructor(parent?: Scope) {
    this.parent = parent
  }

  find(name: string): Entry | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const entry = scope.names.get(name)
      if (entry !== undefined) return entry
    }
    return undefined
  }

  findModule(name: string): Module | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const module = scope.modules.get(name)
      if (module !== undefined) return module
    }
    return undefined
  }

  /** Binds a name. @throws TlaError if it is visible already, with both places */
  bind(name: string, at: Span, symbol: AnySymbol | InstanceSymbol, isLocal = false): void {
    this.mustBeNew(name, at)
    this.names.set(name, { symbol, through: [], isLocal, isStatement: false, isSequent: false })
  }

  mustBeNew(name: string, at: Span): void {
    if (isBuiltin(name)) {
      throw new TlaError('semantics', `\`${name}\` is built into TLA+ and cannot be defined: choose another name`, at)
    }
    const known = this.find(name)
    if (known === undefined || known.isPassedOn === true) return
    throw new TlaError(
      'semantics',
      `\`${name}\` is already ${describeSymbol(known.symbol)} (${place(known.symbol.at)}), and a visible ` +
        `name cannot be bound again: choose another name`,
      at,
    )
  }

  /** All names that are visible, innermost first. */
  *visible(): Iterable<readonly [string, Entry]> {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) yield* scope.names
  }
}

/** For messages: `a constant`. */
export function describeSymbol(symbol: AnySymbol | InstanceSymbol): string {
  switch (symbol.kind) {
    case 'constant':
      return 'a constant'
    case 'variable':
      return 'a variable'
    case 'bound':
      return 'a bound name'
    case 'definition':
      return 'defined'
    case 'instance':
      return 'an instance'
  }
}
