/** The properties that a call runs: those that its files declare, but not skipped or unselected ones. */
import { resolve } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import type { WorkerOptions } from '../process/worker.ts'
import { UndecidedError, UsageError } from './errors.ts'
import { FileProcess } from './file-process.ts'
import { loadedBy } from './loading-time.ts'

export interface Target {
  /** The process that runs it. */
  readonly process: FileProcess
  /** Relative to the root. */
  readonly file: string
  readonly property: ListedProperty
}

export interface Targets {
  readonly targets: readonly Target[]
  /** Tests of frameworks that assert no property. */
  readonly notRun: readonly Target[]
  /** Selected properties that `skip`, or `only` of another, keeps from running. */
  readonly skipped: readonly Target[]
  readonly unloaded: readonly UnloadedFile[]
  /** Why there are no targets, if there are none. */
  readonly why: string
}

/** A file that does not load; the others run. */
export interface UnloadedFile {
  /** Relative to the root. */
  readonly file: string
  readonly error: UsageError | UndecidedError
}

/** Processes of so many files stay open between listing and searching; the others start again. */
const MAX_OPEN = 4

/**
 * @param wanted a property's name, or a part of it
 * @param onLoading called before each file is loaded, with its path relative to the root
 * @param timeMs real time in which all files have to load; those that have not by then do not
 */
export async function collectTargets(
  files: readonly string[],
  startOf: (file: string) => WorkerOptions,
  wanted: string | undefined,
  onLoading: (file: string) => void = () => {},
  timeMs = Number.POSITIVE_INFINITY,
): Promise<Targets> {
  const paths = new Set(files.map((file) => resolve(file)))
  const all: Target[] = []
  const unloaded: UnloadedFile[] = []
  const processes = [...paths].map((path) => new FileProcess(startOf(path)))
  const end = performance.now() + timeMs
  try {
    for (const [index, process] of processes.entries()) {
      const { file } = process
      onLoading(file)
      try {
        const properties = await loadedBy(end, process.properties(), file, timeMs)
        for (const property of properties) all.push({ process, file, property })
        if (index >= MAX_OPEN) process.close()
      } catch (error) {
        if (!(error instanceof UsageError || error instanceof UndecidedError)) throw error
        process.close()
        unloaded.push({ file, error })
      }
    }
  } catch (error) {
    for (const process of processes) process.close()
    throw error
  }
  if (all.length > 0 || unloaded.length === 0) return { ...select(all, wanted), unloaded }
  const why = unloaded.length === 1 ? `${unloaded[0]!.file} does not load` : 'none of the files loads'
  return { targets: [], notRun: [], skipped: [], unloaded, why }
}

function select(declared: readonly Target[], wanted: string | undefined): Omit<Targets, 'unloaded'> {
  const all = declared.filter(({ property }) => property.notRun === undefined)
  const notRun = declared.filter(({ property }) => property.notRun !== undefined)
  const asked = wanted === undefined ? all : all.filter(({ property }) => property.name.includes(wanted))
  const exact = asked.filter(({ property }) => property.name === wanted)
  const matching = exact.length > 0 ? exact : asked
  const exclusive = new Set(matching.filter(({ property }) => property.mode === 'only').map(({ file }) => file))
  const targets = matching.filter(({ file, property }) => property.mode === (exclusive.has(file) ? 'only' : 'run'))
  const skipped = matching.filter((target) => !targets.includes(target))
  const names = all.map(({ property }) => `'${property.name}'`).join(', ')
  const why =
    all.length === 0
      ? "no property is declared. Declare one with fuzz(name, inputs, body) from 'norn', or assert a fast-check property"
      : matching.length === 0
        ? `no property name contains '${wanted}'; declared: ${names}`
        : `${matching.length === 1 ? 'the property is' : `all ${matching.length} properties are`} skipped (fuzz.skip)`
  return { targets, notRun, skipped, why }
}
