/**
 * Conflicting accesses to one file whose order differs between a failing execution and a passing one:
 * both reach the same path, at least one changes it, and neither follows from the other.
 */
import type { TraceEvent } from '../../contract/trace.ts'
import { follows } from './causal-order.ts'
import type { Order } from './swapped-steps.ts'

type Part = 'name' | 'data'

interface Effect {
  readonly reads?: readonly Part[]
  readonly writes?: readonly Part[]
}

const BOTH: readonly Part[] = ['name', 'data']
const [READS_NAME, READS_DATA, READS_BOTH]: Effect[] = [{ reads: ['name'] }, { reads: ['data'] }, { reads: BOTH }]
const [WRITES_DATA, WRITES_BOTH]: Effect[] = [{ writes: ['data'] }, { writes: BOTH }]

/** Of the kinds of traces; whether `open` creates or truncates is not in a trace. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map(
  (
    [
      ['access open opendir readdir readlink realpath', READS_NAME],
      ['stat lstat', READS_BOTH],
      ['read readv readFile fstat copyFile', READS_DATA],
      ['write writev writeFile appendFile truncate ftruncate', WRITES_DATA],
      ['mkdir unlink rename rmdir rm link symlink', WRITES_BOTH],
    ] as const
  ).flatMap(([kinds, effect]) => kinds.split(' ').map((kind) => [kind, effect!] as const)),
)

/** Accesses that are compared with each other at most, of each path. */
const MAX_ACCESSES = 200

/** In the failing execution `first` comes before `second`, in the passing one after it. */
export interface Conflict {
  readonly first: TraceEvent
  readonly second: TraceEvent
  /** Both tasks read before either wrote: the reads, then the writes, of one task first. */
  readonly violation?: {
    readonly reads: readonly [TraceEvent, TraceEvent]
    readonly writes: readonly [TraceEvent, TraceEvent]
  }
}

function isWrite({ kind }: TraceEvent): boolean {
  return EFFECTS.get(kind)?.writes !== undefined
}

export function conflicts(one: TraceEvent, other: TraceEvent): boolean {
  if (one.resource !== other.resource || one.resource === '') return false
  const [a, b] = [EFFECTS.get(one.kind), EFFECTS.get(other.kind)]
  if (a === undefined || b === undefined) return false
  const meets = (writes: readonly Part[] = [], { reads = [], writes: others = [] }: Effect) =>
    writes.some((part) => reads.includes(part) || others.includes(part))
  return meets(a.writes, b) || meets(b.writes, a)
}

/** The conflicts in other order, in the order of the failing execution. */
export function swappedConflicts(failing: Order, passing: Order): Conflict[] {
  const accesses = failing.steps.flatMap((step, at) => {
    const isAccess = (step.event === 'effect' || step.event === 'sync') && EFFECTS.has(step.kind)
    const place = isAccess ? passing.placeOf(failing.keys[at]!) : undefined
    return isAccess ? [{ step, place }] : []
  })
  const found: { readonly at: number; readonly conflict: Conflict }[] = []
  for (const all of Map.groupBy(accesses, ({ step }) => step.resource).values()) {
    const some = all.slice(0, MAX_ACCESSES)
    for (const [at, second] of some.entries()) {
      for (const first of some.slice(0, at)) {
        if (first.place === undefined || second.place === undefined || first.place < second.place) continue
        if (!conflicts(first.step, second.step) || follows(second.step, first.step)) continue
        const conflict = { first: first.step, second: second.step }
        const violation = violationOf(
          conflict,
          some.map(({ step }) => step),
        )
        found.push({
          at: accesses.indexOf(first),
          conflict: violation === undefined ? conflict : { ...conflict, violation },
        })
      }
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ conflict }) => conflict)
}

/**
 * Two reads before two writes, each write following from one of the reads: no order of the tasks one after
 * the other has this. The conflict is between two of these steps, or it has one of the writes, of data.
 */
function violationOf({ first, second }: Conflict, accesses: readonly TraceEvent[]): Conflict['violation'] {
  for (const written of [first, second].filter(isWrite)) {
    const others = accesses.filter((each) => isWrite(each) && each.kind === written.kind && each !== written)
    for (const other of others) {
      const violation = readBefore(written, other, accesses)
      const { reads = [], writes = [] } = violation ?? {}
      const isWithin = [first, second].every((each) => [...reads, ...writes].includes(each))
      if (violation !== undefined && (isWithin || isRead(reads[0]!))) return violation
    }
  }
  return undefined
}

function readBefore(one: TraceEvent, other: TraceEvent, accesses: readonly TraceEvent[]): Conflict['violation'] {
  const writes = [one, other].sort((a, b) => accesses.indexOf(a) - accesses.indexOf(b)) as [TraceEvent, TraceEvent]
  const until = accesses.indexOf(writes[0])
  const before = accesses.slice(accesses.slice(0, until).findLastIndex(isWrite) + 1, until)
  const readOf = (write: TraceEvent, than: TraceEvent) =>
    before.findLast((each) => each.kind !== 'open' && follows(write, each) && !follows(than, each))
  const [read, alsoRead] = [readOf(writes[0], writes[1]), readOf(writes[1], writes[0])]
  if (read === undefined || read.kind !== alsoRead?.kind) return undefined
  return { reads: [read, alsoRead], writes }
}

/** Whether content is read, rather than whether there is a file. */
const isRead = ({ kind }: TraceEvent) => EFFECTS.get(kind) === READS_DATA
