/**
 * What one execution has loaded and resolved: once its files change, Node keeps these answers.
 *
 * Departs from Node in one point: a path that `require` resolved counts as kept while its module is
 * in `require.cache`, whoever required it.
 */
import type { FileUnit } from './units.ts'

export class LoadedModules {
  readonly #required: Readonly<Record<string, unknown>>
  readonly #byUrl = new Map<string, FileUnit>()
  readonly #imported = new Set<string>()

  /** @param required `require.cache` */
  constructor(required: Readonly<Record<string, unknown>>) {
    this.#required = required
  }

  /** Adds a module as an `import` sees it. */
  add(unit: FileUnit): void {
    this.#byUrl.set(unit.path + unit.search, unit)
  }

  /** Adds a call of `import()`. */
  importing(specifier: string, importer: string): void {
    this.#imported.add(`${importer}\0${specifier}`)
  }

  get(path: string, search: string): FileUnit | undefined {
    return this.#byUrl.get(path + search)
  }

  isRequired(path: string): boolean {
    return path in this.#required
  }

  /** Whether a module has imported a specifier. */
  hasImported(specifier: string, importer: string): boolean {
    if (this.#imported.has(`${importer}\0${specifier}`)) return true
    const unit = this.#byUrl.get(importer)
    return unit?.kind === 'esm' && unit.shape.requests.some((each) => each.specifier === specifier)
  }

  /** Whether a module in a folder, or below it, is loaded. */
  hasBelow(folder: string): boolean {
    for (const { path } of this.#byUrl.values()) if (path.startsWith(folder)) return true
    return Object.keys(this.#required).some((path) => path.startsWith(folder))
  }
}
