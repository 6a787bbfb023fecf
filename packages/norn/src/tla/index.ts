/** norn/tla: TLA+ specifications, run in process. */

export { BrokenInvariant } from '../model/definition.ts'
export type { AbstractState, Action, Applied, Model, Parameters } from '../model/model.ts'
export { type CheckedSpecification, type CheckOptions, checkSpecification } from '../../../tla/src/check/check-specification.ts'
export type { CheckResult, ErrorResult, Place, StepResult } from '../../../tla/src/check/result.ts'
export { TlaError } from '../../../tla/src/error.ts'
export { DataError } from '../../../tla/src/follow/from-data.ts'
export { type TlaModelOptions, tlaModel } from './tla-model.ts'
export { type ValidatedLog, type ValidateOptions, validateLog } from '../../../tla/src/validate/validate-log.ts'
