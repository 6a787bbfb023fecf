/** Saves a failure that a search found. */

import { relative } from 'node:path'
import { versions } from 'node:process'
import type { InputPlan } from '../contract/plan.ts'
import { ownSurroundings } from '../contract/surroundings.ts'
import { executionOptionsOf } from '../options/values.ts'
import type { FoundFailure } from '../search/events.ts'
import { aliasesText, FAILURES_FOLDER, failurePath, type SavedFailure, saveFailure } from '../storage/failure-file.ts'
import { systemReason } from '../storage/files.ts'
import { savedFailures } from '../storage/saved-failures.ts'
import { portableAliases } from './aliases.ts'
import type { Target } from './targets.ts'
import { version } from './version.ts'

/** What all failures of one call share. */
export interface Origin {
  readonly root: string
  /** The commit of the project. */
  readonly commit: () => string | undefined
  /** Receives the reason for which a failure could not be saved. */
  unsaved?(why: string): void
}

/** The key of a failure that a search found. */
function keyOf({ file, property, process }: Target, identity: string, planned: InputPlan, root: string) {
  const example = planned.from === 'example' ? planned.index : undefined
  const aliases = portableAliases(process.start.aliases, root)
  const { open = [] } = process.start
  const named = open.length === 0 ? {} : { open: open.map(({ name }) => name) }
  return { property: property.name, file, identity, aliases, found: { example }, ...named }
}

/** The path of the file of a failure, relative to the root. */
export function pathOf(root: string, saved: SavedFailure): string {
  return relative(root, failurePath(root, saved))
}

/** Whether a failure was saved under the aliases of this call. */
export function hasAliasesOf({ process: { start } }: Target, { aliases }: SavedFailure): boolean {
  return aliasesText(aliases) === aliasesText(portableAliases(start.aliases, start.root))
}

/** The failures of a property that were saved under the aliases of this call. */
export function savedAlike(target: Target): readonly SavedFailure[] {
  const { failures } = savedFailures(target.process.start.root, target.file, target.property.name)
  return failures.map(({ saved }) => saved).filter((saved) => hasAliasesOf(target, saved))
}

/**
 * The form in which a failure is saved.
 *
 * @param input reproduces its input
 * @param planned where its input came from when it was found
 */
export function savedForm(
  { root, commit }: Origin,
  target: Target,
  failure: FoundFailure,
  input: InputPlan,
  planned: InputPlan,
  shrunk: boolean,
): SavedFailure {
  const { foundAt: execution, seed, strategy, name, result } = failure
  const key = keyOf(target, failure.identity, planned, root)
  const { example } = key.found
  return {
    ...key,
    ...executionOptionsOf(target.property),
    failure: result.failure!,
    input: input.from === 'saved' ? input.input : undefined,
    inputText: result.inputText ?? '',
    choices: result.choices!,
    traceHash: result.traceHash!,
    found: { seed, execution, strategy, name, example },
    shrunk,
    environment: { node: versions.node, norn: version(), commit: commit(), variables: ownSurroundings() },
  }
}

/** Saves a failure and returns its path, relative to the root; undefined if it cannot be written. */
export function saveFound({ root, unsaved }: Origin, saved: SavedFailure): string | undefined {
  try {
    return relative(root, saveFailure(root, saved))
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    unsaved?.(`cannot save the failure in ${FAILURES_FOLDER}: ${reason}`)
    return undefined
  }
}
