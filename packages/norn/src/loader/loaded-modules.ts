/**
 * What one execution has loaded and resolved: once its files change, Node keeps these answers.
 *
 * Departs from Node in one point: a path that `require` resolved counts as kept while its module is
 * in `require.cache`, whoever required it.
 */
import type { FileUnit } from './units.ts'

export class LoadedModules {
  readonly #commonJs: { readonly cache: Readonly<Record<string, unknown>> }
  readonly #byUrl = new Map<string, FileUnit>()
  /** Undefined before the first call of `import()`. */
  #imported: Set<string> | undefined

  /** @param commonJs which has `require.cache` */
  constructor(commonJs: { readonly cache: Readonly<Record<string, unknown>> }) {
    this.#commonJs = commonJs
  }

  /** Adds a module as an `import` sees it. */
  add(unit: FileUnit): void {
    this.#byUrl.set(unit.path + unit.search, unit)
  }

  /** Forgets all but the first modules. */
  rewind(count: number): void {
    keepFirst(this.#byUrl, count)
    this.#imported = undefined
  }

  /** The number of modules. */
  get size(): number {
    return this.#byUrl.size
  }

  /** Adds a call of `import()`. */
  importing(specifier: string, importer: string): void {
    this.#imported ??= new Set()
    this.#imported.add(`${importer}\0${specifier}`)
  }

  /** Those that are loaded now. */
  get units(): Iterable<FileUnit> {
    return this.#byUrl.values()
  }

  get(path: string, search: string): FileUnit | undefined {
    return this.#byUrl.get(path + search)
  }

  isRequired(path: string): boolean {
    return path in this.#commonJs.cache
  }

  /** Whether a module has imported a specifier. */
  hasImported(specifier: string, importer: string): boolean {
    if (this.#imported?.has(`${importer}\0${specifier}`)) return true
    const unit = this.#byUrl.get(importer)
    return unit?.kind === 'esm' && unit.shape.requests.some((each) => each.specifier === specifier)
  }

  /** Whether a module in a folder, or below it, is loaded. */
  hasBelow(folder: string): boolean {
    for (const { path } of this.#byUrl.values()) if (path.startsWith(folder)) return true
    return Object.keys(this.#commonJs.cache).some((path) => path.startsWith(folder))
  }
}

/** Drops what was added to a map after its first entries. */
export function keepFirst(map: Map<unknown, unknown>, count: number): void {
  let at = 0
  for (const key of map.keys()) if (at++ >= count) map.delete(key)
}
