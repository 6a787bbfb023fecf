/** Saves the failures that a search finds. */

import { relative } from 'node:path'
import { versions } from 'node:process'
import type { FoundFailure } from '../contract/events.ts'
import { type InputPlan, inputOf } from '../contract/plan.ts'
import type { SavedFailure } from '../contract/saved-failure.ts'
import { ownSurroundings } from '../contract/surroundings.ts'
import { executionOptionsOf } from '../options/values.ts'
import { aliasesText, FAILURES_FOLDER, failurePath, saveFailure } from '../storage/failure-file.ts'
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

/** The form in which a failure is saved. */
export function savedForm({ root, commit }: Origin, target: Target, failure: FoundFailure): SavedFailure {
  const { foundAt: execution, seed, strategy, name, result, planned, shrinking, confirmation } = failure
  const key = keyOf(target, failure.identity, planned, root)
  const { example } = key.found
  const input = confirmation?.plan.input ?? inputOf(result, planned)
  return {
    ...key,
    ...executionOptionsOf(target.property),
    failure: result.failure!,
    input: input.from === 'saved' ? input.input : undefined,
    inputText: result.inputText ?? '',
    choices: result.choices!,
    traceHash: result.traceHash!,
    found: { seed, execution, strategy, name, example },
    shrunk: shrinking !== undefined && (shrinking.complete || shrinking.executions > 0),
    environment: { node: versions.node, norn: version(), commit: commit(), variables: ownSurroundings() },
  }
}

/** The files of what a search finds: each failure is saved as found, and again in its final form. */
export class FailureFiles {
  readonly #origin: Origin
  readonly #target: Target
  readonly #unsaved: (why: string) => void
  /** Paths by fingerprint. */
  readonly #asFound = new Map<string, string>()

  /** @param unsaved receives the reason for which a failure could not be saved */
  constructor(origin: Origin, target: Target, unsaved: (why: string) => void) {
    this.#origin = origin
    this.#target = target
    this.#unsaved = unsaved
  }

  /** The failure with its file, which is written unless it holds something simpler. */
  save(type: 'found' | 'shrunk' | 'confirmed', failure: FoundFailure, isSaved: boolean): FoundFailure {
    const saved = savedForm(this.#origin, this.#target, failure)
    const asFound = this.#asFound.get(failure.identity)
    const keeps = type === 'found' ? isSaved : type === 'shrunk' || failure.isSaved
    const known = type === 'found' && isSaved ? pathOf(this.#origin.root, saved) : asFound
    const path = keeps ? known : (this.#write(saved, asFound) ?? asFound)
    if (path !== undefined) this.#asFound.set(failure.identity, path)
    return { ...failure, file: { saved, path } }
  }

  /** The path, relative to the root; undefined if the file cannot be written. */
  #write(saved: SavedFailure, asFound: string | undefined): string | undefined {
    const { root } = this.#origin
    try {
      return relative(root, saveFailure(root, saved))
    } catch (error) {
      const reason = systemReason(error)
      if (reason === undefined) throw error
      const why = `cannot save the failure in ${FAILURES_FOLDER}: ${reason}`
      this.#unsaved(asFound === undefined ? why : `${why}. ${asFound} has it as found`)
      return undefined
    }
  }
}
