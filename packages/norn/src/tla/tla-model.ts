/**
 * `tlaModel(specification)`: a TLA+ specification as a model, to follow executions with.
 *
 * ```ts
 * cluster('two-phase commit', {
 *   system,
 *   model: {
 *     model: tlaModel(new URL('./TwoPhase.tla', import.meta.url)),
 *     actions: ({ kind, node, data }) => (kind === 'event' ? { action: data.action, parameters: [node] } : undefined),
 *     disabled: 'fail',
 *   },
 * })
 * ```
 */
import type { NamedOptions } from 'norn-tla/node'
import { processIdentities } from '../model/identities.ts'
import { MemoizedModel, type ModelOptions } from '../model/memoized-model.ts'
import type { Model } from '../model/model.ts'
import { sharedMachine } from './machines.ts'
import { TlaKind } from './tla-kind.ts'

/**
 * The options of `tlaModel`.
 *
 * @public
 */
export interface TlaModelOptions extends ModelOptions, NamedOptions {
  /**
   * An expression over the variables: coverage counts states with different values of it. By
   * default the VIEW of the configuration, or the whole state without one.
   */
  readonly project?: string
}

/**
 * Makes a model of a specification. Its actions are the definitions of the root module that are
 * actions (`I!Send` for those of an instance I); their parameters are plain data. The invariants of
 * the configuration hold in every state that is reached, or `apply` (or `reset`) throws
 * BrokenInvariant; its constraints are ignored.
 *
 * @public
 * @param specification the `.tla` file: a URL, or a path relative to the working directory
 * @throws Error that says what is wrong with the specification or the configuration, with the place
 */
export function tlaModel(specification: string | URL, options: TlaModelOptions = {}): Model {
  const { identities = processIdentities, project } = options
  const kind = new TlaKind(sharedMachine(specification, options), { identities, project })
  return new MemoizedModel(kind, { ...options, identities })
}
