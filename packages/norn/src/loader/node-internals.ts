/**
 * The functions of Node's module loader that norn's loader calls, so that resolution, package scopes
 * and type stripping are Node's own. Needs `--expose-internals`.
 *
 * Invariant: all functions are synchronous, and captured before a program can replace them. Written
 * against lib/internal/modules of Node 24.21.0.
 */
import Module from 'node:module'
import { hostRequire, internalBinding, requireInternal } from './internals.ts'

/** The result of amaro, Node's TypeScript compiler. */
export interface TypeScriptOutput {
  code: string
  map?: string
}
export interface TypeScriptProblem {
  code: 'UnsupportedSyntax' | 'InvalidSyntax'
  message: string
  /** First line, from 1; column from 0. */
  startLine: number
  startColumn: number
}

/** The fields of the importing module that `Module._resolveFilename` reads. */
interface Asking {
  id: string
  filename: string
  paths: string[]
}

interface ModuleStatics {
  _resolveFilename(request: string, parent: Asking, isMain: boolean, options?: { paths?: string[] }): string
  _resolveLookupPaths(request: string, parent: Asking): string[] | null
  _nodeModulePaths(directory: string): string[]
  _findPath(request: string, paths: readonly string[], isMain: boolean): string | false
  _extensions: Record<string, unknown>
  _pathCache: Record<string, string>
  globalPaths: string[]
  _initPaths(): void
}

const statics = Module as unknown as ModuleStatics

/** Resolution as an `import` does it; throws Node's errors. */
export const resolveImport = requireInternal<{
  defaultResolve(specifier: string, context: { parentURL: string }): { url: string }
}>('internal/modules/esm/resolve').defaultResolve

export type PackageType = 'none' | 'module' | 'commonjs'

const packages = requireInternal<{ getPackageScopeConfig(url: URL): { type: PackageType } }>(
  'internal/modules/package_json_reader',
)
/** The "type" of the nearest package.json, or 'none'. */
export const packageType = (url: URL): PackageType => packages.getPackageScopeConfig(url).type

/** Whether source parses only as a module, by Node's rule (detect-module). */
export const containsModuleSyntax = internalBinding<{
  containsModuleSyntax(source: string, path: string): boolean
}>('contextify').containsModuleSyntax

/** The constructors of Node's errors. */
export const { codes } = requireInternal<{
  codes: Readonly<Record<string, new (...values: unknown[]) => Error>>
}>('internal/errors')

/** The content of a `data:` URL, or 'failure'. */
export const { dataURLProcessor } = requireInternal<{ dataURLProcessor(url: URL): { body: Uint8Array } | 'failure' }>(
  'internal/data_url',
)

/** Throws Node's error for a wrong or missing `with { type }`. */
export const validateAttributes = requireInternal<{
  validateAttributes(url: string, format: string, attributes: Record<string, string>): true
}>('internal/modules/esm/assert').validateAttributes

let amaro: { transformSync(code: string, options: object): TypeScriptOutput } | undefined
/** Node's TypeScript compiler, which is large: loaded at first use. Throws a TypeScriptProblem. */
export function transformTypeScript(code: string, options: object): TypeScriptOutput {
  amaro ??= requireInternal<{ transformSync(code: string, options: object): TypeScriptOutput }>(
    'internal/deps/amaro/dist/index',
  )
  return amaro.transformSync(code, options)
}

export const resolveRequire = statics._resolveFilename.bind(Module)
export const resolveLookupPaths = statics._resolveLookupPaths.bind(Module)
export const nodeModulePaths = statics._nodeModulePaths.bind(Module)
/** The extensions that `require` knows. */
export const extensionNames: readonly string[] = Object.keys(statics._extensions)
export const HostModule = Module

/** Whether a name is that of an internal module, which norn's process has for `require`, and a program's has not. */
export const isInternal = (name: unknown): boolean => typeof name === 'string' && /^(?:node:)?internal\//.test(name)

export function isBuiltin(moduleName: unknown): boolean {
  return Module.isBuiltin(moduleName as string) && !isInternal(moduleName)
}

/** The names of the builtins that programs have. */
export const builtinModules: readonly string[] = Object.freeze(Module.builtinModules.filter((id) => !isInternal(id)))

/** Reads again where modules are that all programs share: `NODE_PATH`. */
export const initPaths = statics._initPaths.bind(Module)

const { globalPaths: FIRST } = statics

/** Puts them back where they were before any program had them read again. */
export function resetPaths(): void {
  if (statics.globalPaths === FIRST) return
  initPaths()
  statics.globalPaths = FIRST
}

/** Folders of modules that all programs share. */
export const globalPaths = (): readonly string[] => statics.globalPaths

/** What a package has by the name of an internal module. */
export function findPackage(request: string, folder: string): string | undefined {
  return statics._findPath(request, [...nodeModulePaths(folder), ...globalPaths()], false) || undefined
}

/** Looks for files with the given extensions, too. */
export function withExtensions<Found>(names: readonly string[], find: () => Found): Found {
  const { _extensions, _pathCache } = statics
  statics._extensions = Object.fromEntries(names.map((name) => [name, undefined]))
  // What is found holds only as long as the program has the extensions.
  statics._pathCache = Object.create(null)
  try {
    return find()
  } finally {
    Object.assign(statics, { _extensions, _pathCache })
  }
}

/** Node's `require`, called for its errors: for an unknown builtin or a malformed request. */
export const requireFromHost: NodeJS.Require = hostRequire

const getBuiltin = process.getBuiltinModule.bind(process) as (id: string) => object | undefined

/** A builtin; throws Node's error if it does not exist. */
export function builtin(id: string): object {
  return getBuiltin(id) ?? (requireFromHost(id) as object)
}
