/** What norn asks of the table of faults. */
import type { LogEntry } from '../../contract/cluster-record.ts'
import type { Fault, FaultPlace } from './fault.ts'
import { FAULTS } from './table.ts'

const NO_QUOTAS: readonly number[] = FAULTS.map(() => 0)

/** How often each fault of the table may happen in one execution. */
export function quotasOf(faults: Readonly<Record<string, number | undefined>> | undefined): readonly number[] {
  return faults === undefined ? NO_QUOTAS : FAULTS.map(({ option }) => faults[option] ?? 0)
}

/** The fault that a log entry reports; undefined for any other entry. */
export function faultOf({ kind, name }: LogEntry): Fault | undefined {
  for (const fault of FAULTS) if (fault.logged === kind && (name === '' || name === fault.name)) return fault
  return undefined
}

/** The names of the acts of a place, each fault after its recovery. */
export function actNamesAt(place: FaultPlace): readonly string[] {
  return FAULTS.filter((fault) => fault.place === place).flatMap(({ name, recovery }) =>
    recovery === undefined ? [name] : [recovery.name, name],
  )
}
