/**
 * Lets Node's resolver see the files of an execution instead of the disk.
 *
 * While an action runs, the functions below Node's resolver ask the execution. Invariant: Node keeps
 * nothing of what it saw. Its cache of paths is put aside; its caches of real paths and of
 * package.json files stand behind the replaced functions. As in Node, a package.json is read once:
 * the first content stays. Written against lib/internal/modules of Node 22 to 26.
 */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { internalBinding, requireInternal } from './internals.ts'
import { codes, HostModule } from './node-internals.ts'
import type { ProgramFiles } from './program-files.ts'
import { realFiles } from './real-files.ts'

/** A package.json as Node's C++ passes it: name, main, type, imports, exports, path. */
type PackageFields = [string?, string?, string?, string?, string?, string?]

type Functions = Record<string, unknown>

const binding = internalBinding<Functions>('fs')
const packages = internalBinding<Functions>('modules')
const reader = requireInternal<Functions>('internal/modules/package_json_reader')

/** The file type of the result of lstat that 22.15 reads. */
const REGULAR = new Float64Array(36).fill(0o100000, 1, 2)

export class ChangedFiles {
  readonly #files: ProgramFiles
  readonly #wasRead: (folder: string) => boolean
  readonly #packages = new Map<string, PackageFields>()
  readonly #replacements: readonly (readonly [Functions, Functions])[]

  /**
   * @param wasRead whether the execution has read the package.json that the disk has in a folder
   */
  constructor(files: ProgramFiles, wasRead: (folder: string) => boolean) {
    this.#files = files
    this.#wasRead = wasRead
    this.#replacements = [
      [binding, { internalModuleStat: (...values: unknown[]) => this.#stat(values.at(-1) as string) }],
      // Node 22.15 captured realpathSync, which calls lstat; the caller finds the real path itself.
      [binding, { lstat: () => REGULAR }],
      [fs as unknown as Functions, { realpathSync: (path: string) => this.#files.realPath(path) }],
      [HostModule as unknown as Functions, { _pathCache: Object.create(null) }],
      [packages, { readPackageJSON: this.#readPackage, getPackageScopeConfig: this.#scopeOf }],
      [packages, { getNearestParentPackageJSON: this.#nearest, getPackageType: this.#typeOf }],
      [reader, { getNearestParentPackageJSON: this.#nearestParsed }],
    ]
  }

  /** Runs an action in which Node's resolver sees the files. */
  within<Result>(action: () => Result): Result {
    const before = this.#replacements.map(([object, mine]) => {
      const names = Object.keys(mine).filter((name) => name in object)
      const real = names.map((name) => [name, object[name]] as const)
      for (const name of names) object[name] = mine[name]
      return () => Object.assign(object, Object.fromEntries(real))
    })
    try {
      return action()
    } finally {
      for (const restore of before.reverse()) restore()
    }
  }

  #stat(path: string): number {
    const kind = this.#files.kind(path)
    return kind === 'nothing' ? -2 : kind === 'directory' ? 1 : 0
  }

  /** Fields of the package.json at a path; undefined if there is none. */
  #package(path: string, importing?: string): PackageFields | undefined {
    const known = this.#packages.get(path)
    if (known !== undefined) return known
    if (this.#files.kind(path) !== 'file') return undefined
    // A file that Node read before it changed.
    const old = !this.#files.isOriginal(path) && realFiles.exists(path) && this.#wasRead(dirname(path))
    const text = old ? realFiles.read(path).toString('utf8') : this.#files.read(path).toString('utf8')
    let parsed: Record<string, unknown>
    try {
      parsed = JSON.parse(text)
    } catch (error) {
      throw new codes.ERR_INVALID_PACKAGE_CONFIG!(path, importing, (error as Error).message)
    }
    const { name, main, type, imports, exports } = parsed
    const string = (value: unknown) => (typeof value === 'string' ? value : undefined)
    const json = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined)
    const kind = type === 'module' || type === 'commonjs' ? type : 'none'
    const fields: PackageFields = [
      string(name),
      string(main),
      kind,
      json(imports),
      string(exports) ?? json(exports),
      path,
    ]
    this.#packages.set(path, fields)
    return fields
  }

  readonly #readPackage = (path: string, isImport?: boolean, importer?: string, specifier?: string) => {
    const importing = isImport && importer ? `"${specifier}" from ${fileURLToPath(importer)}` : undefined
    const fields = this.#package(path, importing)
    if (!isImport || fields?.[4] !== undefined || specifier === undefined) return fields
    // The search for a main without "exports" is in C++, and captured in some versions.
    const isWhole = specifier.split('/').length === (specifier.startsWith('@') ? 2 : 1)
    const main = isWhole ? this.#legacyMain(dirname(path), fields?.[1]) : undefined
    if (main === undefined) return fields
    const [name, , type = 'none', imports] = fields ?? []
    return [name, undefined, type, imports, `./${main}`, path]
  }

  #legacyMain(folder: string, main: string | undefined): string | undefined {
    const found = legacyMains(main).find((each) => this.#files.kind(join(folder, each)) === 'file')
    return found === undefined ? undefined : join('.', found)
  }

  /** The nearest package.json, or the path at which the search ended. */
  #search(from: string): PackageFields | string {
    for (let folder = dirname(from); ; folder = dirname(folder)) {
      const path = join(folder, 'package.json')
      const found = folder.endsWith('/node_modules')
        ? path
        : (this.#package(path) ?? (folder === '/' ? path : undefined))
      if (found !== undefined) return found
    }
  }

  readonly #scopeOf = (url: string): PackageFields | string => this.#search(fileURLToPath(url))

  readonly #nearest = (path: string): PackageFields | undefined => {
    const found = this.#search(path)
    return typeof found === 'string' ? undefined : found
  }

  readonly #typeOf = (url: string): string | undefined => {
    const type = this.#nearest(fileURLToPath(url))?.[2]
    return type === 'none' ? undefined : type
  }

  readonly #nearestParsed = (from: string): object | undefined => {
    const found = this.#nearest(from)
    if (found === undefined) return undefined
    const [name, main, type, imports, exports, path] = found
    const parse = (text: string | undefined) => (text !== undefined && /^[[{]/.test(text) ? JSON.parse(text) : text)
    const data = { __proto__: null, name, main, type, imports: parse(imports), exports: parse(exports) }
    return { data, exists: true, path }
  }
}

/** The files that can be the main of a package without "exports", in order. */
function legacyMains(main: string | undefined): string[] {
  const index = ['index.js', 'index.json', 'index.node']
  if (main === undefined) return index
  return ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'].map((end) => main + end).concat(index)
}
