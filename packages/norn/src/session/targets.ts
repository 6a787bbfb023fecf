/** Which properties a call runs: those that its files declare, less what is skipped or not asked for. */
import { type Stats, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import { RequestRefused, Worker, WorkerLost, type WorkerOptions } from '../process/worker.ts'
import { UndecidedError, UsageError } from './errors.ts'

export interface Target {
  readonly start: WorkerOptions
  /** Relative to the root. */
  readonly file: string
  readonly property: ListedProperty
}

export interface Targets {
  readonly targets: readonly Target[]
  /** Tests of frameworks that are no properties. */
  readonly notRun: readonly Target[]
  /** Why there are none, if so. */
  readonly why: string
}

/** @param wanted a property's name, or a part of it */
export async function collectTargets(
  files: readonly string[],
  startOf: (file: string) => WorkerOptions,
  wanted: string | undefined,
): Promise<Targets> {
  const paths = new Map(files.map((file) => [resolve(file), file]))
  for (const [path, file] of paths) {
    const found = statusOf(path, file)
    if (found === undefined) throw new UsageError(`there is no file ${file}`)
    if (!found.isFile()) throw new UsageError(`${file} is no file: name files of properties, such as ${file}/*.fuzz.ts`)
  }
  const all: Target[] = []
  for (const path of paths.keys()) {
    const start = startOf(path)
    for (const property of await list(start)) all.push({ start, file: relative(start.root, path), property })
  }
  return select(all, wanted)
}

function statusOf(path: string, file: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`${file} cannot be opened: ${(error as Error).message}`)
  }
}

function select(declared: readonly Target[], wanted: string | undefined): Targets {
  const all = declared.filter(({ property }) => property.notRun === undefined)
  const notRun = declared.filter(({ property }) => property.notRun !== undefined)
  const asked = wanted === undefined ? all : all.filter(({ property }) => property.name.includes(wanted))
  const exact = asked.filter(({ property }) => property.name === wanted)
  const matching = exact.length > 0 ? exact : asked
  const exclusive = new Set(matching.filter(({ property }) => property.mode === 'only').map(({ file }) => file))
  const targets = matching.filter(({ file, property }) => property.mode === (exclusive.has(file) ? 'only' : 'run'))
  const names = all.map(({ property }) => `'${property.name}'`).join(', ')
  const why =
    all.length === 0
      ? `no property is declared: a file declares them by fuzz(name, inputs, body) of 'norn', or asserts those of fast-check`
      : matching.length === 0
        ? `no property has a name that contains '${wanted}'; there ${all.length === 1 ? 'is' : 'are'} ${names}`
        : `${matching.length === 1 ? 'the property is' : `all ${matching.length} properties are`} skipped (fuzz.skip)`
  return { targets, notRun, why }
}

async function list(start: WorkerOptions): Promise<readonly ListedProperty[]> {
  const worker = new Worker(start)
  try {
    return await listWith(worker, start)
  } finally {
    worker.close()
  }
}

/** The properties of a worker's file; throws errors that say what is wrong with the file. */
export async function listWith(worker: Worker, start: WorkerOptions): Promise<readonly ListedProperty[]> {
  const file = relative(start.root, start.file)
  try {
    return await worker.list()
  } catch (error) {
    if (error instanceof RequestRefused && error.why === 'loading') {
      throw new UsageError(`${file} cannot be loaded\n${indented(error.message)}`)
    }
    if (error instanceof RequestRefused && error.why === 'void') {
      throw new UndecidedError(
        `control was lost while ${file} was loaded, so nothing was run\n${indented(error.message)}`,
      )
    }
    if (error instanceof WorkerLost && error.how === 'hang') {
      throw new UsageError(`${file} did not finish loading: an endless loop at its top level, or in what it imports?`)
    }
    if (error instanceof WorkerLost && error.how === 'out of memory') {
      throw new UsageError(`${file} did not finish loading: ${error.message}`)
    }
    if (error instanceof WorkerLost) throw new UsageError(`${file} ended its process while it was loaded`)
    throw error
  }
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}
