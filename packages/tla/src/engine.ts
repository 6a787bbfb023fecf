/**
 * `norn-tla/engine`: parts of the engine, for packages that build on it.
 *
 * @internal for norn: may change in any release
 */
export type { Formula, Machine } from './evaluate/machine.ts'
export { Follower, Refused } from './follow/follower.ts'
export { stepActions } from './follow/step-actions.ts'
export type { Arena } from './values/arena.ts'
export { canonical } from './values/canonical.ts'
export { toPlain } from './values/plain.ts'
export type { Canonical, Interned, SetValue, Tuple, Value } from './values/value.ts'
