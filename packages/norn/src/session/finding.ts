/** Saves a failure that a search found. */

import { relative } from 'node:path'
import { versions } from 'node:process'
import type { InputPlan } from '../contract/plan.ts'
import { ownSurroundings } from '../contract/surroundings.ts'
import type { FoundFailure } from '../search/events.ts'
import { FAILURES_FOLDER, saveFailure } from '../storage/failure-file.ts'
import { systemReason } from '../storage/files.ts'
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

/**
 * Saves a failure and returns its path, relative to the root; undefined if it cannot be written.
 *
 * @param input reproduces its input
 * @param planned where its input came from when it was found
 */
export function saveFound(
  { root, commit, unsaved }: Origin,
  { file, property, process: { start } }: Target,
  failure: FoundFailure,
  input: InputPlan,
  planned: InputPlan,
  shrunk: boolean,
): string | undefined {
  const { foundAt: execution, seed, strategy, name, result } = failure
  const example = planned.from === 'example' ? planned.index : undefined
  const saved = {
    property: property.name,
    file,
    identity: failure.identity,
    failure: result.failure!,
    input: input.from === 'saved' ? input.input : undefined,
    inputText: result.inputText ?? '',
    choices: result.choices!,
    traceHash: result.traceHash!,
    aliases: portableAliases(start.aliases, root),
    found: { seed, execution, strategy, name, example },
    shrunk,
    environment: { node: versions.node, norn: version(), commit: commit(), variables: ownSurroundings() },
  }
  try {
    return relative(root, saveFailure(root, saved))
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    unsaved?.(`cannot save the failure in ${FAILURES_FOLDER}: ${reason}`)
    return undefined
  }
}
