/**
 * What `norn fleet` does is in the package norn-fleet, which is loaded when one of its commands runs: it
 * uses `norn/internal/session`, so nothing here imports it.
 */
import { type ExitStatus, UsageError } from '../exit-status.ts'
import type { FleetDrainFlags, FleetFlags, FleetFuzzFlags, FleetStatusFlags, FleetWorkFlags } from './options.ts'

/** What norn-fleet exports as `actions`. */
export interface FleetActions {
  fuzz(named: readonly string[], flags: FleetFuzzFlags): Promise<ExitStatus>
  work(flags: FleetWorkFlags): Promise<ExitStatus>
  status(flags: FleetStatusFlags): Promise<ExitStatus>
  pause(isPaused: boolean, flags: FleetFlags): Promise<ExitStatus>
  drain(id: string | undefined, flags: FleetDrainFlags): Promise<ExitStatus>
}

/** By name, so that norn is built without it. */
const PACKAGE: string = 'norn-fleet'

/** @throws UsageError if norn-fleet is not installed */
export async function fleetActions(): Promise<FleetActions> {
  try {
    return ((await import(PACKAGE)) as { readonly actions: FleetActions }).actions
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(`norn fleet needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE}`)
  }
}
