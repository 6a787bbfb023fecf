import type { SharedModules } from '../loader/resolve.ts'

/** Modules by specifier. A module added by `add` is made at its first `get`. */
export class LazyModules extends Map<string, object> implements SharedModules {
  environment: SharedModules['environment']
  importedBy: NonNullable<SharedModules['importedBy']> = () => undefined
  readonly #makers = new Map<string, () => object>()

  add(specifier: string, make: () => object): void {
    this.#makers.set(specifier, make)
  }

  override get(specifier: string): object | undefined {
    const made = super.get(specifier)
    const make = this.#makers.get(specifier)
    if (made !== undefined || make === undefined) return made
    const exports = make()
    this.set(specifier, exports)
    return exports
  }
}
