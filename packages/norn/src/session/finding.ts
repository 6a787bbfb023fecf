/** A failure as a call of norn keeps it and tells of it: what is saved, and the sentence on where it was found. */
import { relative } from 'node:path'
import type { InputPlan } from '../contract/plan.ts'
import type { FoundFailure } from '../search/campaign.ts'
import { FAILURES_FOLDER, saveFailure } from '../storage/failure-file.ts'
import { portableAliases } from './aliases.ts'
import type { Finding } from './search.ts'
import type { Target } from './targets.ts'
import { version } from './version.ts'

/** What the failures of one call have in common. */
export interface Origin {
  readonly root: string
  readonly commit: string | undefined
  /** Told of what keeps a failure from being saved. */
  unsaved?(why: string): void
}

/**
 * Saves a failure; gives its path, relative to the root; undefined, and told of, where it cannot be written: it is then
 * worth as much to whoever reads of it.
 *
 * @param input the plan that gives its input again
 * @param planned where its input came from when it was found
 */
export function saveFound(
  { root, commit, unsaved }: Origin,
  { file, property, start }: Pick<Target, 'file' | 'property' | 'start'>,
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
    environment: { node: process.versions.node, norn: version(), commit },
  }
  try {
    return relative(root, saveFailure(root, saved))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    unsaved?.(`the failure cannot be saved in ${FAILURES_FOLDER}: ${code}`)
    return undefined
  }
}

/** Where a failure was found, and how it shrank. */
export function foundText({ found, planned, confirmed }: Finding): string {
  const { foundAt, seed, strategy, shrinking } = found
  const example = exampleNumber(planned)
  const tries = shrinking?.executions ?? 0
  return [
    `found in execution ${foundAt}`,
    ...(example === undefined ? [] : [` (example ${example})`]),
    ` by ${strategy}, seed ${seed}`,
    ...(tries === 0 ? [] : [`; made ${shrinking?.complete ? 'as small as it gets' : 'smaller'} in ${tries} more`]),
    ...(confirmed ? [] : ['; NOT CONFIRMED: a fresh process did not show it again']),
  ].join('')
}

/** What the input of a finding is called. */
export function inputTitle({ found, planned }: Finding): string {
  const example = exampleNumber(planned)
  if (example !== undefined) return `example ${example}`
  return found.shrinking === undefined ? 'input' : 'smallest input'
}

/** Which example an input is, counted from 1. */
export function exampleNumber(planned: InputPlan): number | undefined {
  return planned.from === 'example' ? planned.index + 1 : undefined
}
