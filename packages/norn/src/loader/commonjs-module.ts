/**
 * The `module` object and the `require` function of CommonJS code.
 *
 * Invariant: each instance has its own class, which `require('module')` returns, so executions
 * share no assignments to the class, its prototype, `require.cache` or `require.extensions`. Other
 * statics are inherited from Node's Module. Replacing the hooks of loading (`_load`,
 * `_resolveFilename`, extensions, `module.require`, `_compile`) has the same effect as in Node.
 * Follows lib/internal/modules/cjs/loader.js of Node 24.
 */

import { tracingChannel } from 'node:diagnostics_channel'
import { basename, dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { CommonJsCode } from './commonjs-code.ts'
import type { ModuleWrapper, Wrap } from './module-wrapper.ts'
import {
  builtinModules,
  extensionNames,
  globalPaths,
  HostModule,
  isBuiltin,
  isInternal,
  nodeModulePaths,
  requireFromHost,
  resolveLookupPaths,
} from './node-internals.ts'

/** A handler in `require.extensions`: loads the file at a path into a module. */
export type ExtensionHandler = (module: CommonJsModule, path: string) => void

export interface CommonJsHost {
  readonly cache: Record<string, CommonJsModule>
  readonly extensions: Record<string, ExtensionHandler>
  /** `require.main` */
  readonly main: CommonJsModule | undefined
  /** The program's replacement of a static of Module, if any. */
  replaced(name: '_load' | '_resolveFilename'): Function | undefined
  require(request: unknown, from: CommonJsModule): unknown
  resolve(request: string, from: CommonJsModule, options?: { paths?: string[] }): string
  load(module: CommonJsModule, path: string): void
  compile(content: string, path: string): CommonJsCode
  dynamicImport(path: string): unknown
  readonly wrapper: ModuleWrapper
  /** Reads again where modules are that all programs share. */
  initPaths(): void
  /** The program replaces a function of Node's own resolver. Throws. */
  refuse(what: string): never
  /** Calls a function of Node that looks for files. */
  lookUp<T>(action: () => T): T
}

export interface Require {
  (id: string): unknown
  resolve: unknown
  main: CommonJsModule | undefined
  extensions: Record<string, ExtensionHandler>
  cache: Record<string, CommonJsModule>
}

const statics = HostModule as unknown as Readonly<Record<'findPackageJSON' | '_stat' | '_readPackage', Function>>
const { findPackageJSON } = statics

const HOST = Symbol('norn.host')

const OWN = { __proto__: null, writable: true, enumerable: true, configurable: true }

/** Hears of each call of `require`. */
const calls = tracingChannel('module.require')

export class CommonJsModule {
  declare readonly [HOST]: CommonJsHost
  id: string
  path: string
  exports: unknown = {}
  filename: string | null = null
  loaded = false
  children: CommonJsModule[] = []
  paths: string[] = []
  /** The first importer. Not enumerable: Node does not print it with a module. */
  declare parent: CommonJsModule | undefined

  constructor(id = '', parent?: CommonJsModule) {
    this.id = id
    this.path = dirname(id)
    Object.defineProperty(this, 'parent', { value: parent, writable: true, configurable: true, enumerable: false })
    parent?.children?.push(this)
  }

  static get _stat(): unknown {
    return statics._stat
  }

  static set _stat(_) {
    this.prototype[HOST].refuse('setting module._stat')
  }

  static get _readPackage(): unknown {
    return statics._readPackage
  }

  static set _readPackage(_) {
    this.prototype[HOST].refuse('setting module._readPackage')
  }

  static get wrap(): Wrap {
    return wrapperOf(this).wrap
  }

  static set wrap(wrap: Wrap) {
    wrapperOf(this).wrap = wrap
  }

  static get wrapper(): string[] {
    return wrapperOf(this).wrapper
  }

  static set wrapper(wrapper: string[]) {
    wrapperOf(this).wrapper = wrapper
  }

  require(id: string): unknown {
    const host = this[HOST]
    const load = () => {
      const replaced = host.replaced('_load')
      return replaced === undefined ? host.require(id, this) : replaced.call(this.constructor, id, this, false)
    }
    if (!isNonEmpty(id) || !calls.hasSubscribers) return load()
    return calls.traceSync(load, { __proto__: null, parentFilename: this.filename, id })
  }

  load(path: string): void {
    const { extensions } = this[HOST]
    this.filename = path
    this.paths = nodeModulePaths(this.path)
    extensions[longestExtension(path, extensions)]!(this, path)
    this.loaded = true
  }

  _compile(content: string, path: string): unknown {
    const { run, usesDynamicImport } = this[HOST].compile(content, path)
    const dynamicImport = usesDynamicImport ? this[HOST].dynamicImport(path) : undefined
    return run.call(this.exports, this.exports, requireOf(this), this, path, dirname(path), dynamicImport)
  }
}

const wrapperOf = (Module: ModuleClass): ModuleWrapper => Module.prototype[HOST].wrapper

Object.setPrototypeOf(CommonJsModule, HostModule)
Object.setPrototypeOf(CommonJsModule.prototype, HostModule.prototype)

export type ModuleClass = typeof CommonJsModule

export function moduleClassFor(host: CommonJsHost): ModuleClass {
  class Module extends CommonJsModule {}
  Object.defineProperty(Module.prototype, HOST, { value: host })
  return Module
}

/** The initial `require.extensions` of an instance. */
export function extensionsOf(load: ExtensionHandler): Record<string, ExtensionHandler> {
  const extensions: Record<string, ExtensionHandler> = Object.create(null)
  for (const name of extensionNames) extensions[name] = load
  return extensions
}

/** The longest extension of a file's name that has a handler; '.js' by default. */
function longestExtension(path: string, extensions: Record<string, ExtensionHandler>): string {
  const name = basename(path)
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    const ending = name.slice(at)
    if (at > 0 && extensions[ending]) return ending
  }
  return '.js'
}

/** Adds the members that `require('module')` has. */
export function asBuiltin(Module: ModuleClass, host: CommonJsHost): ModuleClass {
  const root = (path: string) => {
    const module = new Module(path)
    module.filename = path
    module.paths = nodeModulePaths(module.path)
    return module
  }
  return Object.assign(Module, {
    Module,
    _cache: host.cache,
    _extensions: host.extensions,
    _load: (request: string, parent?: CommonJsModule) =>
      host.require(request, parent ?? root(join(process.cwd(), 'noop.js'))),
    _resolveFilename: (request: string, parent?: CommonJsModule, _isMain?: boolean, options?: { paths?: string[] }) =>
      host.resolve(request, parent ?? root(join(process.cwd(), 'noop.js')), options),
    findPackageJSON: (...asked: unknown[]) => host.lookUp(() => Reflect.apply(findPackageJSON, HostModule, asked)),
    createRequire: (from: string | URL) => requireOf(root(pathOf(from))),
    builtinModules,
    isBuiltin,
    globalPaths: [...globalPaths()],
    _initPaths: () => {
      host.initPaths()
      Object.assign(Module, { globalPaths: [...globalPaths()] })
    },
  })
}

/** Whether Node looks for what is asked for, and does not refuse the argument. */
export const isNonEmpty = (request: unknown): request is string => typeof request === 'string' && request !== ''

function pathOf(from: string | URL): string {
  const isPath = typeof from === 'string' && isAbsolute(from)
  if (!isPath) HostModule.createRequire(from) // Throws Node's error.
  const path = isPath ? from : fileURLToPath(new URL(from))
  return path.endsWith('/') ? join(path, 'noop.js') : path
}

export function requireOf(module: CommonJsModule): Require {
  function require(id: string): unknown {
    return module.require(id)
  }
  function resolve(request: string, options?: { paths?: string[] }): string {
    if (typeof request !== 'string') return requireFromHost.resolve(request)
    const host = module[HOST]
    const replaced = host.replaced('_resolveFilename')
    if (replaced !== undefined) return replaced.call(module.constructor, request, module, false, options) as string
    return host.resolve(request, module, options)
  }
  function paths(request: string): string[] | null {
    if (typeof request !== 'string') return requireFromHost.resolve.paths(request) // Throws Node's error.
    if (isInternal(request)) return [...module.paths, ...globalPaths()]
    return resolveLookupPaths(request, { id: module.id, filename: module.filename ?? module.id, paths: module.paths })
  }
  resolve.paths = paths
  require.resolve = resolve
  // Node defines it, whatever a program has set on prototypes.
  Object.defineProperty(require, 'main', { ...OWN, value: module[HOST].main })
  require.extensions = module[HOST].extensions
  require.cache = module[HOST].cache
  return require as unknown as Require
}
