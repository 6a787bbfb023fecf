/** Finds a saved failure, and starts a worker for its property. */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { InputPlan } from '../contract/plan.ts'
import type { SavedFailure } from '../contract/saved-failure.ts'
import type { RunFlags } from '../options/table.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { RequestRefused, Worker, type WorkerOptions } from '../process/worker.ts'
import { printableLine } from '../report/printable.ts'
import { type Alias, portableAliases } from '../session/aliases.ts'
import { listWith } from '../session/file-process.ts'
import { declaredIn, startOf } from '../session/flaky/saved-tests.ts'
import { asFound, savedInputPlan } from '../session/follow.ts'
import { mergeAliases, propertyFile } from '../session/named-modules.ts'
import { openAddresses, openAnywhere } from '../session/open-addresses.ts'
import { processOptions } from '../session/project.ts'
import { FAILURES_FOLDER, FailureFileError, readFailure, rootOf } from '../storage/failure-file.ts'
import { UsageError } from './exit-status.ts'

/** Characters of a name from a file that are quoted. */
const MAX_NAME = 200

export interface OpenFailure {
  readonly path: string
  readonly root: string
  readonly saved: SavedFailure
  /** The aliases that hold, in saved form: the failure's and those of the call. */
  readonly aliases: readonly Alias[]
  /** Has loaded the file of properties; the caller closes it. */
  readonly worker: Worker
  /** What it was started with. */
  readonly start: WorkerOptions
  readonly property: ListedProperty
  readonly input: InputPlan
}

export interface OpenFlags extends RunFlags {
  readonly inspect?: boolean
  /** Whether a failure of open mode may connect to other machines. */
  readonly openAnywhere?: boolean
}

/**
 * Reads a failure and finds its property in its file.
 *
 * @param wanted its path, or a part of its name in `.norn/failures`, such as the number at its end
 * @throws UsageError or FailureFileError that says what does not match
 */
export async function openFailure(
  wanted: string,
  { inspect, openAnywhere: anywhere = false, ...flags }: OpenFlags,
): Promise<OpenFailure> {
  const path = findFailure(wanted)
  const saved = readFailure(path)
  const root = realpathSync(rootOf(path))
  const file = propertyFile(path, saved, root)
  const { variables: surroundings } = saved.environment
  const named = mergeAliases(path, saved.aliases, Object.entries(flags.alias ?? {}), root)
  const open = await savedOpen(saved, anywhere)
  const start = { file, root, surroundings, ...named, ...open, ...processOptions(flags, root), ...startOf(saved) }
  const worker = new Worker({ ...start, inspect })
  try {
    const property = propertyOf(saved, await listWith(worker, start))
    const aliases = portableAliases(start.aliases, root)
    const input = savedInputPlan(path, saved, property)
    return { path, root, saved, aliases, worker, start, property, input }
  } catch (error) {
    worker.close()
    throw error instanceof RequestRefused && error.why === 'leading out'
      ? new FailureFileError(path, error.message)
      : error
  }
}

/** A failure file alone never makes norn connect to another machine. */
async function savedOpen({ open }: SavedFailure, anywhere: boolean): Promise<Pick<WorkerOptions, 'open'>> {
  if (open === undefined) return {}
  return { open: anywhere ? await openAnywhere(open) : openAddresses(open, 'found with --open') }
}

function propertyOf(saved: SavedFailure, properties: readonly ListedProperty[]): ListedProperty {
  const property = declaredIn(properties, saved)
  if (property !== undefined) return asFound(property, saved)
  const names = properties.map(({ name }) => `'${name}'`).join(', ')
  throw new UsageError(
    `${saved.file} no longer declares the property '${printableLine(saved.property, MAX_NAME)}'; declared: ${names || 'none'}`,
  )
}

function findFailure(named: string): string {
  if (existsSync(named) || !/^[\w-]+$/.test(named)) return named
  const all = existsSync(FAILURES_FOLDER)
    ? readdirSync(FAILURES_FOLDER).filter((name) => /^[^.].*\.json$/.test(name))
    : []
  const matching = all.filter((name) => name.includes(named))
  if (matching.length === 1) return join(FAILURES_FOLDER, matching[0]!)
  const list = (names: readonly string[]) => names.map((name) => `\n  ${join(FAILURES_FOLDER, name)}`).join('')
  throw new UsageError(
    matching.length > 0
      ? `'${named}' matches ${matching.length} saved failures; name one of them:${list(matching)}`
      : `no such file or saved failure: ${named}${all.length === 0 ? ` (${FAILURES_FOLDER} is empty)` : `; saved failures:${list(all)}`}`,
  )
}
