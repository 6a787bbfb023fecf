/**
 * A kind of fault: everything that norn knows of it. Options, numbers of steps, random steps,
 * mutators, classes of steps, the simulation and the report all read the table in faults.ts. So a
 * kind of fault is one file in this folder and one entry there.
 *
 * Invariant: a fault that is not possible changes nothing.
 */
import type { EntryKind } from '../../contract/cluster-record.ts'
import type { Message, Network } from '../network.ts'
import type { Data, NodeId, System } from '../system.ts'

/** A channel, whose oldest message it concerns; a node; or the network as a whole. */
export type FaultPlace = 'channel' | 'node' | 'network'

/** A step that injects a fault or ends one. Nodes are indices; what its place does not need is -1 or empty. */
export interface FaultStep {
  readonly kind: 'fault'
  readonly act: FaultAct
  readonly from: number
  readonly to: number
  readonly node: number
  /** The group of each node, 0 or 1. */
  readonly side: readonly number[]
}

/** The step that does something at a place. */
export function stepOf(
  act: FaultAct,
  place: Partial<Pick<FaultStep, 'from' | 'to' | 'node' | 'side'>> = {},
): FaultStep {
  const { from = -1, to = -1, node = -1, side = [] } = place
  return { kind: 'fault', act, from, to, node, side }
}

/** Something that a step does to the cluster: a fault, or the recovery from one. */
export interface FaultAct {
  /** As steps, classes of steps and mutators call it. */
  readonly name: string
  readonly place: FaultPlace
  /** Among random steps, of which a delivery has weight 4. Faults are rare: one often masks the next. */
  readonly weight: number
  /** The step in words; by default its name and place. */
  describe?(step: FaultStep, nodes: readonly NodeId[]): string
  readonly isPossible: (host: FaultHost, step: FaultStep) => boolean
  /** Called only where it is possible. */
  perform(host: FaultHost, step: FaultStep): void
}

export interface Fault<Option extends string = string> extends FaultAct {
  /** Its quota among the `faults` of a cluster. */
  readonly option: Option
  /** Orders the numbers of steps: a simpler fault has smaller ones. */
  readonly complexity: number
  /** What ends it; its steps have smaller numbers, as it simplifies. */
  readonly recovery?: FaultAct
  /** The log entries that say that it happened: by kind, and by its name where kinds share an entry. */
  readonly logged: EntryKind
  /** For the report, where it is allowed and never happened. */
  readonly never: string
  /** Whether its recovery makes a node act, so that an execution at rest is not over. */
  readonly wakes?: true
  /** Whether a mutant has it instead of a delivery, as often as before one. */
  readonly replacesDelivery?: true
  /** The ways to inject it into the network as a whole. @param nodes their number */
  sides?(nodes: number): readonly (readonly number[])[]
  /** @throws Error if the system does not support it */
  assertSupported?(system: System): void
  /** Ends all of it when the fault-free phase starts. */
  calm?(host: FaultHost): void
}

/** What faults need of the simulation. */
export interface FaultHost {
  readonly cluster: { readonly permanentCrashes?: boolean }
  readonly nodes: readonly NodeId[]
  readonly network: Network
  readonly system: System
  readonly nowUs: number
  isUp(node: number): boolean
  /** The node starts, or starts again. @param what the number of that in its history */
  boot(node: number, type: 'start' | 'restart', what: number): void
  /** The node is down, and its timers are gone. */
  stop(node: number): void
  /** The message arrives once more. */
  resend(message: Message): void
  lose(message: Message, why: string): void
  /** Adds an event to a node's history; see trace-class.ts. */
  note(node: number, what: number, detail: number): void
  /** Adds a log entry. @param node -1 for none */
  record(kind: EntryKind, node: number, peer: NodeId, name: string, id: number, data: Data): void
  /** Ends an event: the model follows it, and the invariant is checked. */
  settle(): void
}
