/**
 * Resolves a specifier to a shared module, a builtin or a file, by Node's own resolver.
 *
 * Invariants: answers are cached by importing directory, specifier and kind, for the life of the
 * process. Failures are cached by importer; each throws a new error, so that executions cannot
 * share an error object. Where Node's resolver fails, modules of the project are looked for as
 * TypeScript and bundlers do it (`project-resolver.ts`).
 */
import { isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RunningProject } from './configured-aliases.ts'
import { type Confinement, isOfProject, type LeadingOut } from './confinement.ts'
import { isTypeScript } from './javascript.ts'
import {
  builtin,
  codes,
  findPackage,
  initPaths,
  isBuiltin,
  isInternal,
  nodeModulePaths,
  resetPaths,
  resolveImport,
  resolveRequire,
} from './node-internals.ts'
import { helperPath } from './oxc.ts'
import { folderOf, urlOf } from './paths.ts'
import { mappedInProject, resolveInProject } from './project-resolver.ts'
import { realFiles } from './real-files.ts'
import { nodeError } from './require-errors.ts'
import { isUnresolved } from './unresolved.ts'

export type Target =
  | { readonly kind: 'shared'; readonly specifier: string; readonly exports: object }
  /** `id` has the `node:` scheme only if no other form exists. The module is loaded `outside`. */
  | { readonly kind: 'builtin'; readonly id: string; readonly exports: object }
  /** The path is the URL of a `data:` module. `search` is the `?query#hash` of an import, else empty. */
  | { readonly kind: 'file'; readonly path: string; readonly search: string }

/** Globals that are not Node's, such as those of a DOM: each execution has objects of its own. */
export interface Environment {
  /** The names of its globals that take the place of those of Node that make requests. */
  readonly ofRequests: readonly string[]
  /** Makes those of the execution that begins: what makes them must not depend on who asks first. */
  begin(): void
  /** Those that the globals give now. */
  objects(): readonly unknown[]
}

/** Modules that all instances share, by specifier. */
export interface SharedModules extends ReadonlyMap<string, object> {
  /**
   * The module that a specifier leads to where that depends on the importer, and a name that is
   * unique for it. Asked first, and outside the world.
   */
  importedBy?(specifier: string, importer: string): { readonly name: string; readonly exports: object } | undefined
  readonly environment?: Environment | undefined
}

/** Checks builtin modules before a program gets them; names have no `node:`. */
export interface BuiltinGate {
  /** Before a module is loaded; must not throw. */
  prepare(id: string): void
  /** At each import by the program; throws if the program must not have it. */
  admit(id: string): void
  /** Replaces a module that is not one for all executions; names have no `node:`. */
  provide(id: string, get: () => object): void
  /** What programs get in place of a module, for the life of the process. */
  replacement(id: string): object | undefined
  /** Gives the modules of the execution, and how a thread gets modules of its own. */
  graphs(main: ModuleGraph, another: () => ModuleGraph): void
}

/** The modules of one isolate: the body's, or a thread's. */
export interface Preload {
  readonly kind: 'require' | 'import'
  /** Relative to the working directory. */
  readonly specifier: string
}

export interface ModuleGraph {
  /** Makes them those that evaluated code and `node:module` refer to. */
  enter(): void
  /** Loads what options of Node name, before the entry point: what is required first. */
  loadFirst(modules: readonly Preload[]): void | Promise<unknown>
  /** Runs a file as the entry point. Returns a promise if it has top-level await. */
  run(path: string): void | Promise<unknown>
  /** Runs CommonJS text by the name of a file, or the ES module of a `data:` URL. */
  runText(text: string, name?: string): void | Promise<unknown>
}

export interface ResolverOptions {
  readonly shared: SharedModules
  readonly aliases: ReadonlyMap<string, string>
  /** Whose tests run, where a configuration declares several projects. */
  readonly project?: RunningProject | undefined
  readonly outside: <T>(action: () => T) => T
  readonly builtins?: BuiltinGate
  /** Which aliases come from a failure file. */
  readonly confined?: Confinement | undefined
  /** Called for what norn cannot load; throws. */
  readonly refuse: (what: string) => never
  /** Set where files change; then failures are not kept. */
  readonly changing?: {
    /** Runs an action in which Node's resolver sees the files. */
    within<T>(action: () => T): T
    realPath(path: string): string
    exists(path: string): boolean
    /** What the disk has, if the changes do not matter. */
    onDisk(kind: 'import' | 'require', specifier: string, importer: string): Target | undefined
  }
}

type Answer = Target | LeadingOut

/** Bounds the cache against specifiers that are computed at run time. When full, it is cleared. */
const ANSWERS_KEPT = 20_000

export class Resolver {
  readonly #options: ResolverOptions
  readonly #answers = {
    import: new Map<string, Map<string, Answer>>(),
    require: new Map<string, Map<string, Answer>>(),
  }
  readonly #failures = new Map<string, Error>()
  #kept = 0
  /** Whether an execution has had shared modules looked for elsewhere. */
  #hasOtherPaths = false

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  import(specifier: string, importer: string): Target {
    return this.#allowed(this.#imported(specifier, importer))
  }

  /** @param directory of the importer; a parameter, because every `require` calls this */
  require(specifier: string, importer: string, directory = folderOf(importer)): Target {
    return this.#allowed(this.#required(specifier, importer, directory))
  }

  /** An execution begins: its shared modules are where they were. */
  begin(): void {
    resetPaths()
    if (this.#hasOtherPaths) this.forget()
    this.#hasOtherPaths = false
  }

  /** Looks for shared modules where `NODE_PATH` says now. */
  initPaths(): void {
    this.#hasOtherPaths = true
    initPaths()
    this.forget()
  }

  /** The aliases of a failure file that lead a module out of the project. */
  leadingOut(importer: string): readonly LeadingOut[] {
    const { aliases, confined } = this.#options
    return [...(confined?.names ?? [])].flatMap((from) => {
      const to = aliases.get(from)!
      if (isAbsolute(to) && realFiles.exists(to) && !isOfProject(to, confined!.root)) {
        return [{ kind: 'leading out', from, to, found: realFiles.realPath(to) } as const]
      }
      const answers = [this.#imported, this.#required].flatMap((find) => {
        try {
          return [find.call(this, from, importer)]
        } catch {
          // Perhaps another module can import it; it is checked again then.
          return []
        }
      })
      return answers.filter((answer) => answer.kind === 'leading out').slice(0, 1)
    })
  }

  #imported(specifier: string, importer: string): Answer {
    const before = this.#answers.import.get(folderOf(importer))?.get(specifier)
    return before ?? this.#find('import', specifier, importer, () => this.#resolveImport(specifier, importer))
  }

  #required(specifier: string, importer: string, directory = folderOf(importer)): Answer {
    const before = this.#answers.require.get(directory)?.get(specifier)
    return before ?? this.#find('require', specifier, importer, () => this.#resolveRequire(specifier, importer))
  }

  #allowed(answer: Answer): Target {
    if (answer.kind !== 'leading out') return answer
    const { from, to, found } = answer
    return this.#options.refuse(`alias ${from}=${to} of the failure, which leads outside the project, to ${found}`)
  }

  /** Called before a module of the program gets a target. */
  admit(target: Target): void {
    if (target.kind === 'builtin') this.#options.builtins?.admit(bareId(target))
  }

  #find(kind: 'import' | 'require', specifier: string, importer: string, find: () => Target): Answer {
    const failure = `${kind}\0${importer}\0${specifier}`
    const failed = this.#failures.get(failure)
    if (failed !== undefined) throw anew(failed)
    if (++this.#kept > ANSWERS_KEPT) this.forget()
    try {
      const target = this.#options.outside(() =>
        this.#confined(specifier, this.#found(kind, specifier, importer, find)),
      )
      const directory = folderOf(importer)
      const known = this.#answers[kind].get(directory) ?? new Map<string, Answer>()
      this.#answers[kind].set(directory, known.set(specifier, target))
      return target
    } catch (error) {
      if (!(error instanceof Error) || this.#options.changing !== undefined) throw error
      this.#failures.set(failure, error)
      throw anew(error)
    }
  }

  #found(kind: 'import' | 'require', specifier: string, importer: string, find: () => Target): Target {
    const { changing } = this.#options
    return changing === undefined ? find() : (changing.onDisk(kind, specifier, importer) ?? changing.within(find))
  }

  /** Forgets all answers. */
  forget(): void {
    this.#kept = 0
    this.#answers.import.clear()
    this.#answers.require.clear()
    this.#failures.clear()
  }

  /** What a specifier leads to, unless the alias of a failure file leads it out of the project. */
  #confined(specifier: string, target: Target): Answer {
    const { aliases, confined } = this.#options
    const from = confined && this.#aliasOf(specifier)
    if (from === undefined || !confined!.names.has(from)) return target
    if (target.kind === 'file' && isOfProject(target.path, confined!.root)) return target
    const found =
      target.kind === 'file' ? target.path : target.kind === 'builtin' ? `node:${bareId(target)}` : target.specifier
    return { kind: 'leading out', from, to: aliases.get(from)!, found }
  }

  /** The specifier after aliases. */
  #aliased(specifier: string): string {
    const from = this.#aliasOf(specifier)
    return from === undefined ? specifier : this.#options.aliases.get(from)! + specifier.slice(from.length)
  }

  /** The alias that replaces a specifier: its own, or its package's. */
  #aliasOf(specifier: string): string | undefined {
    const { aliases } = this.#options
    if (aliases.has(specifier)) return specifier
    const name = specifier.split('/', /^@[^/]/.test(specifier) ? 2 : 1).join('/')
    const to = aliases.get(name)
    // A file has no subpaths, so a wrapper of a package can still import the package's files.
    return to === undefined || (isAbsolute(to) && !realFiles.isDirectory(to)) ? undefined : name
  }

  #known(specifier: string, importer: string): Target | undefined {
    const { shared } = this.#options
    const own = shared.importedBy?.(specifier, importer)
    if (own !== undefined) return { kind: 'shared', specifier: own.name, exports: own.exports }
    const exports = shared.get(specifier)
    if (exports !== undefined) return { kind: 'shared', specifier, exports }
    const helper = helperPath(specifier)
    if (helper !== undefined) return { kind: 'file', path: helper, search: '' }
    if (!isBuiltin(specifier)) return undefined
    const bare = specifier.startsWith('node:') ? specifier.slice(5) : specifier
    const replaced = shared.get(bare) ?? shared.get(`node:${bare}`)
    if (replaced !== undefined) return { kind: 'shared', specifier: bare, exports: replaced }
    const id = isBuiltin(bare) ? bare : specifier
    this.#options.builtins?.prepare(bare)
    return { kind: 'builtin', id, exports: this.#options.builtins?.replacement(bare) ?? builtin(id) }
  }

  #resolveImport(asked: string, importer: string): Target {
    const mapped = mappedInProject('import', asked, importer, this.#options.project)
    if (mapped !== undefined) return { kind: 'file', ...mapped }
    let specifier = this.#aliased(asked)
    const known = this.#known(specifier, importer)
    if (known !== undefined) return known
    if (specifier !== asked && isAbsolute(specifier)) {
      // An alias to a folder resolves as in `require`: the main of its package.json, or its index.
      if (realFiles.isDirectory(specifier)) return this.#resolveRequire(specifier, importer)
      specifier = pathToFileURL(specifier).href
    }
    if (isInternal(specifier) && !specifier.startsWith('node:'))
      throw new codes.ERR_MODULE_NOT_FOUND!('internal', importer, null)
    const beside = this.#options.changing === undefined ? fileBeside(specifier, importer) : undefined
    if (beside !== undefined) return { kind: 'file', path: beside, search: '' }
    const byNode = (each: string) => new URL(importedUrl(each, importer))
    // A URL names its file exactly.
    const url = asked.startsWith('file:')
      ? byNode(specifier)
      : this.#nodeOrProject('import', specifier, importer, byNode)
    if ('path' in url) return { kind: 'file', ...url }
    // The builtins that exist are known.
    if (url.protocol === 'node:') throw new codes.ERR_UNKNOWN_BUILTIN_MODULE!(url.href)
    if (url.protocol === 'data:') return { kind: 'file', path: url.href, search: '' }
    if (url.protocol !== 'file:') throw unsupported(url)
    const { realPath } = this.#options.changing ?? realFiles
    return { kind: 'file', path: realPath(fileURLToPath(url)), search: url.search + url.hash }
  }

  #resolveRequire(asked: string, importer: string): Target {
    const mapped = mappedInProject('require', asked, importer, this.#options.project)
    if (mapped !== undefined) return { kind: 'file', path: mapped.path, search: '' }
    const specifier = this.#aliased(asked)
    const known = this.#known(specifier, importer)
    if (known !== undefined) return known
    if (specifier.startsWith('node:')) throw new codes.ERR_UNKNOWN_BUILTIN_MODULE!(specifier)
    if (isInternal(specifier)) return internalPackage(specifier, importer)
    const asking = { id: importer, filename: importer, paths: nodeModulePaths(folderOf(importer)) }
    const found = this.#nodeOrProject('require', specifier, importer, (each) => resolveRequire(each, asking, false))
    return { kind: 'file', path: typeof found === 'string' ? found : found.path, search: '' }
  }

  /** What Node's resolver finds, or where it fails, the project's. */
  #nodeOrProject<Found>(
    kind: 'import' | 'require',
    specifier: string,
    importer: string,
    node: (specifier: string) => Found,
  ): Found | NonNullable<ReturnType<typeof resolveInProject>> {
    try {
      return node(specifier)
    } catch (error) {
      if (!isUnresolved(error)) throw error
      const { changing, project } = this.#options
      const found = resolveInProject(kind, specifier, importer, project)
      if (found !== undefined && (changing ?? realFiles).exists(found.path)) return found
      if (changing === undefined || !isTypeScript(importer) || !RELATIVE_JAVASCRIPT.test(specifier)) throw error
      try {
        // The project's resolver does not see what the program has written.
        return node(`${specifier.slice(0, -2)}ts`)
      } catch {
        throw error
      }
    }
  }
}

/** A relative path of which an URL would change nothing. */
const PLAIN = /^\.{1,2}\/[\w./-]*\.\w+$/

/** The file that a plain relative path names, which is what Node finds; a fifth of its time. */
function fileBeside(specifier: string, importer: string): string | undefined {
  if (!PLAIN.test(specifier) || !isAbsolute(importer)) return undefined
  const path = join(folderOf(importer), specifier)
  return realFiles.isFile(path) ? realFiles.realPath(path) : undefined
}

const RELATIVE_JAVASCRIPT = /^\.{1,2}\/.*\.[mc]?js$/

const bareId = ({ id }: Extract<Target, { kind: 'builtin' }>) => id.replace(/^node:/, '')

/** Node lets pages of the web pass until it reads them. */
function unsupported(url: URL): Error {
  const schemes = /^https?:$/.test(url.protocol) ? ['file', 'data'] : ['file', 'data', 'node']
  return new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME!(url, schemes)
}

function internalPackage(specifier: string, importer: string): Target {
  const path = findPackage(specifier, folderOf(importer))
  if (path !== undefined) return { kind: 'file', path, search: '' }
  throw Object.assign(nodeError('MODULE_NOT_FOUND', `Cannot find module '${specifier}'`), { requireStack: [importer] })
}

function importedUrl(specifier: string, importer: string): string {
  return resolveImport(specifier, { parentURL: urlOf(importer) }).url
}

/** A copy of an error. */
function anew(error: Error): Error {
  const fresh = error instanceof TypeError ? new TypeError(error.message) : new Error(error.message)
  // Those of Node's errors have a `toString` of their own.
  Object.setPrototypeOf(fresh, Object.getPrototypeOf(error))
  const { stack, message: _, ...rest } = Object.getOwnPropertyDescriptors(error)
  Object.defineProperties(fresh, rest)
  const first = /^.*?(?=\n {4}at )/s.exec(String(stack?.value ?? error.stack))?.[0]
  if (first !== undefined) fresh.stack = first + String(fresh.stack).slice(`${fresh.name}: ${fresh.message}`.length)
  return fresh
}
