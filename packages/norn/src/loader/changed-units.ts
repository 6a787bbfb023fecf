/**
 * The modules of one execution that changed files: found and read as the execution sees them.
 *
 * Invariants: as in Node, a module that the execution has loaded stays, whatever becomes of its
 * file. A module of the disk is shared with other executions if its file, and all that it imports,
 * is as on the disk. Files that the program wrote are not instrumented: their texts may differ in
 * each execution, and counters are never dropped.
 */
import { sep } from 'node:path'
import { ChangedFiles } from './changed-files.ts'
import { exportNames } from './commonjs-code.ts'
import { formatByName } from './format.ts'
import type { LoadedModules } from './loaded-modules.ts'
import { isData } from './paths.ts'
import { Positions } from './positions.ts'
import type { ProgramFiles } from './program-files.ts'
import { DiskAnswers, RelevantChanges } from './relevant-changes.ts'
import type { EsmUnit, HostUnit, SyntheticUnit, Unit } from './unit.ts'
import { type FileUnit, Units } from './units.ts'

export class ChangedUnits extends Units {
  readonly #disk: Units
  readonly #files: ProgramFiles
  readonly #seen: ChangedFiles
  readonly #changes: RelevantChanges
  readonly #loaded: LoadedModules
  readonly #own = new Map<string, FileUnit>()
  /** The modules that are not of the disk's. */
  readonly #local = new Set<Unit>()

  constructor(disk: Units, files: ProgramFiles, loaded: LoadedModules) {
    const answers = new DiskAnswers(disk.resolver, new RelevantChanges(files), loaded)
    const seen = new ChangedFiles(files, (folder) => loaded.hasBelow(folder + sep))
    super(
      {
        ...disk.options,
        // Each execution may write another text.
        transformCache: undefined,
        changing: {
          within: (action) => seen.within(action),
          realPath: (path) => files.realPath(path),
          exists: (path) => files.kind(path) === 'file',
          onDisk: (...asked) => answers.find(...asked),
        },
      },
      new Positions(disk.positions),
      disk,
    )
    this.positions.traced = disk.positions.traced
    this.#disk = disk
    this.#files = files
    this.#seen = seen
    this.#changes = answers.changes
    this.#loaded = loaded
  }

  override file(path: string, asked: 'import' | 'require', search = ''): FileUnit {
    const loaded = this.#loaded.get(path, search)
    if (loaded !== undefined && (asked === 'import' || loaded.kind === 'esm')) return loaded
    const own = this.#own.get(path + search)
    if (own !== undefined && (own.kind === 'esm' || !this.#isStale(own))) return own
    const unit = this.#fromDisk(path, asked, search) ?? this.load(path, asked, search)
    this.#own.set(path + search, unit)
    return unit
  }

  override has(path: string): boolean {
    return this.#own.has(path) || this.#disk.has(path)
  }

  /** Whether a file that `require` reads again has another text now. */
  #isStale(unit: SyntheticUnit): boolean {
    return !isData(unit.path) && this.read(unit.path).toString('utf8') !== unit.source
  }

  protected override load(path: string, asked: 'import' | 'require', search: string): FileUnit {
    const unit = super.load(path, asked, search)
    this.#local.add(unit)
    return unit
  }

  protected override positionsOf(unit: FileUnit): Positions {
    return this.#local.has(unit) ? this.positions : this.#disk.positions
  }

  /** The module that all executions share, if it is the same here. */
  #fromDisk(path: string, asked: 'import' | 'require', search: string): FileUnit | undefined {
    if (isData(path)) return this.#disk.file(path, asked, search)
    if (!this.#isAsOnDisk(path, asked)) return undefined
    const unit = this.#disk.file(path, asked, search)
    return this.#importsAsOnDisk(unit, asked) ? unit : undefined
  }

  #isAsOnDisk(path: string, asked: 'import' | 'require'): boolean {
    if (!this.#files.isOriginal(path)) return false
    if (!this.#changes.ofPackages) return true
    const { outside } = this.#disk.options
    return outside(() => formatByName(path, asked) === this.#seen.within(() => formatByName(path, asked)))
  }

  /** Whether all that a module of the disk imports is the same here. */
  #importsAsOnDisk(unit: FileUnit, asked: 'import' | 'require'): boolean {
    // The names of a CommonJS module depend on the modules that it re-exports.
    if (unit.kind === 'commonjs')
      return asked === 'require' || exportNames(unit.source, unit.path).reexports.length === 0
    if (unit.kind !== 'esm') return true
    try {
      return this.#disk.prepare(unit).units.every((each) => {
        if (each.kind === 'host') return true
        if (each !== unit && !this.#isHere(each)) return false
        return each.kind !== 'esm' || this.#resolvesAsOnDisk(each)
      })
    } catch {
      return false // It may load with what the program wrote; otherwise the error comes again.
    }
  }

  #isHere(unit: FileUnit): boolean {
    if (unit.kind === 'module-builtin' || isData(unit.path) || (unit.kind === 'esm' && unit.mock)) return true
    const loaded = this.#loaded.get(unit.path, unit.search)
    return loaded === undefined ? this.#isAsOnDisk(unit.path, 'import') : loaded === unit
  }

  #resolvesAsOnDisk(unit: EsmUnit): boolean {
    return unit.shape.requests.every(({ specifier }, index) => {
      const edge = unit.edges![index]!
      const target = this.resolver.import(specifier, unit.path)
      if (target.kind !== 'file') return true
      return target.path === edge.path && (edge.kind === 'commonjs' || (edge as FileUnit).search === target.search)
    })
  }

  protected override read(path: string): Buffer {
    return this.#files.read(path)
  }

  protected override instruments(path: string): boolean {
    return super.instruments(path) && this.#files.isOriginal(path)
  }

  override sourceOf(unit: Unit): FileUnit {
    return this.#local.has(unit) ? super.sourceOf(unit) : this.#disk.sourceOf(unit)
  }

  override host(target: Parameters<Units['host']>[0]): HostUnit | SyntheticUnit {
    return this.#disk.host(target)
  }
}
