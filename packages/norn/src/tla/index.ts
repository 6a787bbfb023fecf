/** norn/tla: TLA+ specifications in process. `norn-tla/node` with the adapters to norn's models. */
export {
  type CheckedSpecification,
  type CheckOptions,
  type CheckResult,
  type CheckSpecificationOptions,
  checkSpecification,
  type ErrorResult,
  type LogAction,
  type LogEvent,
  type LogMapper,
  type LogSettings,
  type MappedLine,
  type NamedOptions,
  type Order,
  type Place,
  type StepResult,
  TlaError,
  type TlaExpression,
  tla,
  type ValidatedLog,
  type ValidateOptions,
  type VectorTime,
  validateLog,
} from 'norn-tla/node'
export type { AbstractState, Action, Applied, Model, Parameters, Transitions } from '../model/model.ts'
export { type TlaModelOptions, tlaModel } from './tla-model.ts'
