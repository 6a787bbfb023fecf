/** The properties that a call runs: those that its files declare, but not skipped or unselected ones. */
import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import type { WorkerOptions } from '../process/worker.ts'
import { UsageError } from './errors.ts'
import { FileProcess } from './file-process.ts'

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
  /** Why there are no targets, if there are none. */
  readonly why: string
}

/** Processes of so many files stay open between listing and searching; the others start again. */
const MAX_OPEN = 4

/** @param wanted a property's name, or a part of it */
export async function collectTargets(
  files: readonly string[],
  startOf: (file: string) => WorkerOptions,
  wanted: string | undefined,
): Promise<Targets> {
  const paths = new Map(files.map((file) => [resolve(file), file]))
  for (const [path, file] of paths) {
    const found = statusOf(path, file)
    if (found === undefined) throw new UsageError(`no such file: ${file}`)
    if (!found.isFile())
      throw new UsageError(`not a file: ${file}. Name files of properties, such as ${file}/*.fuzz.ts`)
  }
  const all: Target[] = []
  const processes = [...paths.keys()].map((path) => new FileProcess(startOf(path)))
  try {
    for (const [index, process] of processes.entries()) {
      for (const property of await process.properties()) all.push({ process, file: process.file, property })
      if (index >= MAX_OPEN) process.close()
    }
  } catch (error) {
    for (const process of processes) process.close()
    throw error
  }
  return select(all, wanted)
}

function statusOf(path: string, file: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`cannot open ${file}: ${(error as Error).message}`)
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
      ? "no property is declared. Declare one with fuzz(name, inputs, body) from 'norn', or assert a fast-check property"
      : matching.length === 0
        ? `no property name contains '${wanted}'; declared: ${names}`
        : `${matching.length === 1 ? 'the property is' : `all ${matching.length} properties are`} skipped (fuzz.skip)`
  return { targets, notRun, why }
}
