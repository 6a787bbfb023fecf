/**
 * The actions of `norn fleet`, which norn loads when one runs; `norn/internal/session` declares them.
 *
 * @internal no promise to anybody but norn
 */
export { fleetFuzzCommand } from './cli/fuzz.ts'
export { fleetDrainCommand, fleetPauseCommand, fleetStatusCommand } from './cli/status.ts'
export { fleetWorkCommand } from './cli/work.ts'
