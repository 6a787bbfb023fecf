/**
 * The actions of `norn fleet`, which norn loads when one runs.
 *
 * @internal no promise to anybody but norn
 */
import type { FleetActions } from 'norn/internal/session'
import { fleetFuzzCommand } from './cli/fuzz.ts'
import { fleetDrainCommand, fleetPauseCommand, fleetStatusCommand } from './cli/status.ts'
import { fleetWorkCommand } from './cli/work.ts'

export const actions: FleetActions = {
  fuzz: fleetFuzzCommand,
  work: fleetWorkCommand,
  status: fleetStatusCommand,
  pause: fleetPauseCommand,
  drain: fleetDrainCommand,
}
