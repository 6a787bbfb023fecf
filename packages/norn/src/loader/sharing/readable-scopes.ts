/** The modules whose scopes can be read and put back, numbered, each build compiled once. */
import type { FileUnit, ScopesBuild, Units } from '../units.ts'

export class ReadableScopes {
  readonly #units: Units
  readonly #numbers = new Map<FileUnit, number>()
  readonly #builds = { plain: new Map<FileUnit, ScopesBuild>(), traced: new Map<FileUnit, ScopesBuild>() }

  constructor(units: Units) {
    this.#units = units
  }

  /** By this number a token tells whose code its scope is of. */
  numberOf(unit: FileUnit): number {
    let number = this.#numbers.get(unit)
    if (number === undefined) this.#numbers.set(unit, (number = this.#numbers.size))
    return number
  }

  /** Compiles a build of a module so that its scopes are readable; whether all of them are. */
  makeReadable(unit: FileUnit, trace: boolean): boolean {
    const isTraced = trace && this.#units.isTraceable(unit)
    const known = this.#builds[isTraced ? 'traced' : 'plain']
    let build = known.get(unit)
    if (build === undefined)
      known.set(unit, (build = this.#units.makeScopesReadable(unit, this.numberOf(unit), isTraced)))
    return build.isReadable
  }

  /** Gives a module back its build of before, which runs faster. */
  release(unit: FileUnit, trace: boolean): void {
    const known = this.#builds[trace && this.#units.isTraceable(unit) ? 'traced' : 'plain']
    known.get(unit)?.undo()
    known.delete(unit)
  }
}
