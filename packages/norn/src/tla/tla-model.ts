/**
 * `tlaModel(specification)`: a TLA+ specification as a model, to follow executions with.
 *
 * ```ts
 * cluster('two-phase commit', {
 *   system,
 *   model: {
 *     model: tlaModel('./TwoPhase.tla'),
 *     actions: ({ kind, node, data }) => (kind === 'event' ? { action: data.action, parameters: [node] } : undefined),
 *     disabled: 'fail',
 *   },
 * })
 * ```
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processIdentities } from '../model/identities.ts'
import type { Model } from '../model/model.ts'
import { type ModelOptions, RememberingModel } from '../model/remembering.ts'
import { callerFolder } from './caller.ts'
import { type MachineOptions, sharedMachine } from '../../../tla/src/follow/machines.ts'
import { TlaKind } from './tla-kind.ts'

export interface TlaModelOptions extends ModelOptions, MachineOptions {
  /**
   * What coverage tells states apart by: an expression over the variables. The VIEW of the configuration unless set, or the
   * whole state where there is none.
   */
  readonly project?: string
}

/**
 * Makes a model of a specification. Its actions are the definitions of the root module that are actions (`I!Send` for those
 * of an instance I); their parameters are plain data, as of from-data.ts. The invariants of the configuration hold in every
 * state that is reached, or `apply` (or `reset`) throws BrokenInvariant; its constraints bind nobody.
 *
 * @param specification the path of the `.tla` file; a relative one begins at the folder of the file that makes the call
 * @throws Error that tells what is wrong with the specification or the configuration, with the place
 */
export function tlaModel(specification: string | URL, options: TlaModelOptions = {}): Model {
  const folder = callerFolder(tlaModel)
  const path = specification instanceof URL ? fileURLToPath(specification) : resolve(folder, specification)
  const { configuration, library } = options
  const shared = sharedMachine(path, {
    ...options,
    ...(typeof configuration === 'string' ? { configuration: resolve(folder, configuration) } : {}),
    ...(library === undefined ? {} : { library: library.map((at) => resolve(folder, at)) }),
  })
  const identities = options.identities ?? processIdentities
  const { project } = options
  return new RememberingModel(new TlaKind(shared, project === undefined ? { identities } : { identities, project }), {
    ...options,
    identities,
  })
}
