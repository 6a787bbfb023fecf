/** norn/tla: TLA+ specifications in process. `norn-tla` with the adapters to norn's models. */
export * from 'norn-tla/node'
export { BrokenInvariant } from '../model/definition.ts'
export type { AbstractState, Action, Applied, Model, Parameters } from '../model/model.ts'
export { type TlaModelOptions, tlaModel } from './tla-model.ts'
