/** Loads a module with everything it extends and instantiates: parsed and resolved. */
import { TlaError } from '../error/error.ts'
import type { Source, Span } from '../error/span.ts'
import type { Identifier, ModuleSyntax } from '../syntax/ast.ts'
import { parseExpression, parseModule } from '../syntax/parse.ts'
import { checkTerm } from './check-levels.ts'
import { type Context, noOrigins, resolve, withinStack } from './context.ts'
import { resolveForm } from './expression.ts'
import { Library, type ModuleSource, modulesInMemory } from './library.ts'
import { resolveModule, scopeOf } from './module.ts'
import { resolveApply } from './reference.ts'
import { Scope } from './scope.ts'
import type { BoundSymbol, Module, Term } from './term.ts'
import { explainUnknown } from './unknown.ts'

/** How each root module was loaded: for expressions that are resolved in it later. */
const loaders = new WeakMap<Module, Loader>()

/**
 * Parses and resolves a root module and all modules it needs.
 *
 * @param source of the root module; the file's name is the module's
 * @param modules the others, besides norn's own
 * @throws TlaError of the kinds `syntax` and `semantics`
 */
export function loadModule(source: Source, modules: ModuleSource): Module {
  const syntax = parseModule(source)
  const file = source.path.replace(/^.*[\\/]/, '')
  if (syntax.name.name !== file.replace(/\.tla$/, '')) {
    throw new TlaError(
      'semantics',
      `module \`${syntax.name.name}\` is in the file \`${file}\`: rename one of them`,
      syntax.name.at,
    )
  }
  const loader = new Loader(new Library(source, modules))
  const module = withinStack(() => loader.load(syntax))
  loaders.set(module, loader)
  return module
}

/**
 * Resolves an expression at the end of a loaded module; LOCAL names are visible.
 *
 * @param bound additional names
 * @throws TlaError
 */
export function resolveExpression(module: Module, source: Source, bound: readonly BoundSymbol[] = []): Term {
  const expression = parseExpression(source)
  const scope = new Scope(scopeOf(module))
  for (const symbol of bound) {
    scope.names.set(symbol.name, { symbol, through: [], isLocal: false, isStatement: false, isSequent: false })
  }
  const loader = loaders.get(module) ?? new Loader(new Library({ path: '', text: '' }, modulesInMemory({})))
  return withinStack(() => {
    const term = resolve(loader.contextOf(module.name), expression, scope)
    checkTerm(term)
    return term
  })
}

/** All modules that were loaded for a root module, by name; submodules left out. */
export function modulesOf(root: Module): ReadonlyMap<string, Module> {
  return loaders.get(root)?.modules ?? new Map()
}

/** What is legal in the modules that were loaded for a root module, and hardly meant. */
export function warningsOf(root: Module): readonly Warning[] {
  return loaders.get(root)?.warnings ?? []
}

/**
 * A legal construct that is probably a mistake.
 *
 * @public
 */
export interface Warning {
  readonly message: string
  readonly at: Span
}

class Loader {
  readonly warnings: Warning[] = []
  readonly modules = new Map<string, Module>()
  readonly #library: Library
  readonly #origins = noOrigins()
  /** The modules that are being loaded, each needed by the one before it. */
  readonly #underway: string[] = []

  constructor(library: Library) {
    this.#library = library
  }

  load(syntax: ModuleSyntax): Module {
    this.#underway.push(syntax.name.name)
    const module = resolveModule(syntax, (name) => this.contextOf(name, syntax))
    this.#underway.pop()
    this.modules.set(syntax.name.name, module)
    return module
  }

  contextOf(module: string, syntax?: ModuleSyntax): Context {
    return {
      rules: { apply: resolveApply, form: resolveForm },
      module,
      origins: this.#origins,
      findModule: (name, scope) => scope.findModule(name.name) ?? this.#find(name),
      loaded: (name) => this.modules.get(name),
      warn: (message, at) => void this.warnings.push({ message, at }),
      explainUnknown: (name, at, scope) => explainUnknown(name, at, scope, syntax),
      self: undefined,
      labels: undefined,
      selves: new Map(),
      depth: 0,
    }
  }

  #find({ name, at }: Identifier): Module {
    const known = this.modules.get(name)
    if (known !== undefined) return known
    const begin = this.#underway.indexOf(name)
    if (begin !== -1) {
      const circle = [...this.#underway.slice(begin), name].map((each) => `\`${each}\``)
      throw new TlaError('semantics', `these modules depend on each other: ${circle.join(' needs ')}`, at)
    }
    const syntax = this.#library.find(name)
    if (syntax === undefined) throw new TlaError('semantics', this.#library.explain(name), at)
    if (syntax.name.name !== name) {
      throw new TlaError(
        'semantics',
        `module \`${syntax.name.name}\` is in the file \`${name}.tla\`: rename one of them`,
        syntax.name.at,
      )
    }
    return this.load(syntax)
  }
}
