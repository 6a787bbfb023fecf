/** norn/tla: TLA+ specifications, run in process. */

export { BrokenInvariant } from '../model/definition.ts'
export type { AbstractState, Action, Applied, Model, Parameters } from '../model/model.ts'
export { type CheckedSpecification, type CheckOptions, checkSpecification } from './check/check-specification.ts'
export type { CheckResult, ErrorResult, Place, StepResult } from './check/result.ts'
export { TlaError } from './error.ts'
export { DataError } from './follow/from-data.ts'
export { type TlaModelOptions, tlaModel } from './follow/tla-model.ts'
export { type ValidatedLog, type ValidateOptions, validateLog } from './validate/validate-log.ts'
