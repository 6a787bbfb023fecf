/**
 * The modules of one execution that replaces some while it runs (`vi.doMock`), or loads them anew
 * (`vi.resetModules`, `jest.isolateModules`). What it has loaded stays until it is forgotten; packages stay, as
 * in vitest.
 *
 * Invariant: units of the disk, which all executions share, are not changed. Those of here are not
 * instrumented: counters are never dropped.
 */
import { isUserCode } from './coverage.ts'
import type { LoadedModules } from './loaded-modules.ts'
import { mockUnit } from './module-mocks.ts'
import { Positions } from './positions.ts'
import type { EsmUnit } from './unit.ts'
import { type FileUnit, keyOf, Units } from './units.ts'

export class RenewedUnits extends Units {
  readonly #disk: Units
  readonly #loaded: LoadedModules
  #own = new Map<string, FileUnit>()
  #forgotten: ReadonlySet<FileUnit> = new Set()

  constructor(disk: Units, loaded: LoadedModules) {
    super(disk.options, new Positions(disk.positions))
    for (const [key, unit] of disk.mocked) this.mocks.set(key, unit)
    this.#disk = disk
    this.#loaded = loaded
  }

  /** The unit in place of a module from now on, a new one for each call. */
  mock(specifier: string, importer: string, isForAll: boolean): EsmUnit {
    const target = this.resolver.import(specifier, importer)
    const path = target.kind === 'file' ? target.path : undefined
    const unit = mockUnit({ specifier, importer, path, isForAll })
    this.mocks.set(keyOf(target), unit)
    return unit
  }

  unmock(specifier: string, importer: string): void {
    this.mocks.delete(keyOf(this.resolver.import(specifier, importer)))
  }

  forget(): void {
    this.#forgotten = new Set(this.#loaded.units)
    this.#own = new Map()
  }

  /** Forgets, and returns what takes that back. */
  isolate(): () => void {
    const [own, forgotten] = [this.#own, this.#forgotten]
    this.forget()
    return () => {
      this.#own = own
      this.#forgotten = forgotten
    }
  }

  override file(path: string, asked: 'import' | 'require', search = ''): FileUnit {
    if (!isUserCode(path)) return this.#disk.file(path, asked, search)
    const loaded = this.#loaded.get(path, search)
    if (loaded !== undefined && !this.#forgotten.has(loaded)) return loaded
    const known = this.#own.get(path + search)
    if (known !== undefined) return known
    const unit = this.load(path, asked, search)
    this.#own.set(path + search, unit)
    return unit
  }

  override has(path: string): boolean {
    return this.#own.has(path) || this.#disk.has(path)
  }

  override host(target: Parameters<Units['host']>[0]): ReturnType<Units['host']> {
    return this.#disk.host(target)
  }

  protected override positionsOf(unit: FileUnit): Positions {
    return this.#own.get(unit.path + unit.search) === unit ? this.positions : this.#disk.positions
  }

  protected override instruments(): boolean {
    return false
  }
}
