/** `norn-tla/node`: specifications in files, with a watchdog and limits of memory. */
export type { CheckedSpecification } from '../check/check.ts'
export type { CheckResult, ErrorResult, Place, StepResult } from '../check/result.ts'
export type { CheckOptions } from '../check/run.ts'
export { TlaError } from '../error.ts'
export { DataError } from '../follow/from-data.ts'
export { type CheckSpecificationOptions, checkSpecification } from './check-specification.ts'
export { loadNamed, type NamedOptions, pathOf } from './named.ts'
export { type ValidatedLog, type ValidateOptions, validateLog } from './validate-log.ts'
