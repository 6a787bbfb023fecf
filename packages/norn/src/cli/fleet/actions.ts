/**
 * What `norn fleet` does is in the package norn-fleet, which is loaded when one of its commands runs: it
 * uses `norn/internal/session`, so nothing here imports it.
 */
import type { Guide } from '../../options/guide.ts'
import type { Alias } from '../../session/aliases.ts'
import { type ExitStatus, UsageError } from '../exit-status.ts'

/** Of all commands. */
export interface FleetCommandOptions {
  readonly queue?: string
  readonly prefix: string
  readonly json: boolean
}

/** Of those that run code of the project. */
export interface LocalOptions {
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
  readonly allowAddon?: readonly string[]
}

export interface FleetFuzzOptions extends FleetCommandOptions, LocalOptions {
  readonly time?: number
  readonly shards?: number
  readonly continuous: boolean
  readonly slice?: number
  readonly sliceRuns?: number
  readonly seed?: number
  readonly strategy?: string
  readonly guide?: Guide
  readonly property?: string
  readonly keepGoing: boolean
  /** `--no-share`. */
  readonly share: boolean
  /** Declare it, and do not watch. */
  readonly detach: boolean
}

export interface FleetWorkOptions extends FleetCommandOptions, LocalOptions {
  readonly workers?: number
  readonly lease?: number
  readonly untilIdle?: number
}

/** The exports of norn-fleet. */
export interface FleetActions {
  fleetFuzzCommand(named: readonly string[], options: FleetFuzzOptions): Promise<ExitStatus>
  fleetWorkCommand(options: FleetWorkOptions): Promise<ExitStatus>
  fleetStatusCommand(options: FleetCommandOptions): Promise<ExitStatus>
  fleetPauseCommand(isPaused: boolean, options: FleetCommandOptions): Promise<ExitStatus>
  fleetDrainCommand(
    id: string | undefined,
    options: FleetCommandOptions & { readonly forget: boolean },
  ): Promise<ExitStatus>
}

/** By name, so that norn is built without it. */
const PACKAGE: string = 'norn-fleet'

/** @throws UsageError if norn-fleet is not installed */
export async function fleetActions(): Promise<FleetActions> {
  try {
    return (await import(PACKAGE)) as FleetActions
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(`norn fleet needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE}`)
  }
}
