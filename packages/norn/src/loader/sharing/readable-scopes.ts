/** The modules whose scopes can be read and put back, numbered, each build compiled once. */
import type { FileUnit, Units } from '../units.ts'

export class ReadableScopes {
  readonly #units: Units
  readonly #numbers = new Map<FileUnit, number>()
  readonly #readable = { plain: new Map<FileUnit, boolean>(), traced: new Map<FileUnit, boolean>() }

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
    const known = this.#readable[isTraced ? 'traced' : 'plain']
    let isReadable = known.get(unit)
    if (isReadable === undefined) {
      known.set(unit, (isReadable = this.#units.makeScopesReadable(unit, this.numberOf(unit), isTraced)))
    }
    return isReadable
  }
}
