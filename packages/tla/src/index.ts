/**
 * `norn-tla`: parses, checks and simulates TLA+ specifications given as strings. Runs in Node and
 * in browsers: nothing it imports uses a Node builtin. `norn-tla/node` reads files.
 */
export type { CheckedSpecification } from './check/check.ts'
export type { CheckResult, ErrorResult, Place, StepResult } from './check/result.ts'
export type { CheckOptions } from './check/run.ts'
export { TlaError, type TlaErrorKind } from './error/error.ts'
export type { Warning } from './semantics/load.ts'
export {
  type CheckTextsOptions,
  checkSpecification,
  type ParsedModule,
  parseSpecification,
  type SpecificationTexts,
} from './texts.ts'
export type { LogAction, LogEvent, LogMapper, LogSettings, MappedLine } from './validate/log-map.ts'
export type { Order, VectorTime } from './validate/order.ts'
export { type TlaExpression, tla } from './validate/tla-expression.ts'
