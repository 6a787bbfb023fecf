/**
 * The execution of a program as a diagram: which steps get a row, in which order. Without connections a
 * lane is a causal chain (a task, as a rule), with them a strand of a client or a server (strands.ts).
 */
import { type Choice, isSimplest } from '../../contract/choice.ts'
import type { Subject } from '../../contract/subject.ts'
import type { TraceEvent } from '../../contract/trace.ts'
import {
  isNote,
  isSettlement,
  stepsOf,
  type TraceDifference,
  type TraceStep,
} from '../../world/trace/trace-difference.ts'
import type { Diagram, Lane, Mark, Row } from './diagram.ts'
import { foldsOf } from './interleaving-folds.ts'
import { partyNames } from './party-names.ts'
import { isOfOperation, nameOf, type Placed, StepTexts, transferText } from './step-text.ts'
import { partiesText, type Strand, Strands, serversOf } from './strands.ts'

export interface InterleavingInput extends Placed {
  /** The choices of the schedule lane: the intended delays, whether or not they took place. */
  readonly schedule?: readonly Choice[]
  /** Where it differs from the nearest passing execution. */
  readonly difference?: TraceDifference | undefined
  /** Every step gets a row, and none is folded. */
  readonly all?: boolean
  /** What went wrong, in a line. */
  readonly failure?: string | undefined
}

export function interleaving(input: InterleavingInput): Diagram {
  const { traffic, difference, failure, all = false } = input
  const servers = traffic === undefined ? [] : serversOf(traffic)
  const lanes = new Lanes(partyNames(servers))
  const rows = rowsOf(input, lanes)
  const diagram: Diagram = {
    columns: traffic === undefined ? 'chains' : 'parties',
    parties: lanes.parties,
    lanes: lanes.all,
    rows,
    folds: [],
    inFlight: [],
    notes: partiesText(input),
    ...(difference === undefined ? {} : { isCompared: true }),
    ...(failure === undefined ? {} : { failure }),
  }
  return all ? diagram : { ...diagram, folds: foldsOf(diagram) }
}

/** The delays that choices ask for, by step and schedule point. */
type Delays = ReadonlyMap<string, { readonly subject: Subject; readonly us: number }>

/** Promises of a step whose settlement has a row. */
const MAX_SETTLED = 3

const MARKS: Readonly<Record<TraceStep['event'], Mark>> = {
  start: 'sync',
  submit: 'submit',
  half: 'half',
  effect: 'effect',
  callback: 'callback',
  timer: 'timer',
  immediate: 'immediate',
  sync: 'sync',
  stall: 'delayed',
  fault: 'fault',
  settled: 'settled',
  set: 'set',
  clear: 'clear',
  refresh: 'refresh',
  ref: 'ref',
  unref: 'ref',
  abort: 'abort',
  resolve: 'resolve',
  reject: 'reject',
}

/**
 * The effect of an operation stands for its submission, unless it is delayed; and for its callback,
 * unless that is delayed or other events came in between. A timer that fires stands for its being
 * set. The step at which a passing execution parts always has a row.
 */
function rowsOf(input: InterleavingInput, lanes: Lanes): Row[] {
  const { trace, notes, origins, traffic, schedule = [], difference, all = false } = input
  const strands = traffic && new Strands(trace, traffic)
  const transfers = new Map(traffic?.transfers.map((transfer) => [transfer.label, transfer]))
  const arrived = new Set(trace.filter(({ event }) => event === 'callback').map(({ label }) => label))
  const together = Map.groupBy(traffic?.transfers.filter((each) => each.with !== undefined) ?? [], (each) => each.with!)
  const spoken = new Set(traffic?.transfers.filter((each) => each.what === 'bytes').map((each) => each.connection))
  // What Node does for sockets follows from what the program does.
  const nodes = new Set(traffic && notes.filter(({ isNodes }) => isNodes).map(({ subject }) => subject))
  const delays = delaysOf(schedule)
  const texts = new StepTexts(input)
  const steps = stepsOf(input)
  const fires = new Set(trace.filter(({ event }) => event === 'timer').map(({ label }) => label))
  const touched = new Set(notes.filter(({ event }) => event === 'clear' || event === 'refresh').map((n) => n.subject))
  const told = settlementsTold(steps, texts, difference)
  const missing = new Map(delays)
  const rows: Row[] = []
  let hasParted = false
  const underWay = new Set<string>()
  const sent = new Map<string, number>()
  for (const [at, step] of steps.entries()) {
    const isShown = all || at === difference?.parting
    const add = (mark = MARKS[step.event], delayUs = 0, text = texts.of(step), from?: Strand) => {
      const differs = differenceAt(at, step, hasParted, difference)
      hasParted ||= differs === 'parting'
      const { event, chain, label, atUs } = step
      // What happens to it on its way is the sender's.
      const transfer = underWay.has(label) ? transfers.get(label) : undefined
      const strand = transfer === undefined ? strands?.of(label) : (strands!.from(transfer) ?? strands!.of(label))
      const sentAt = sent.get(label)
      const arrow = from && { from: lanes.of(from), ...(sentAt === undefined ? {} : { sent: sentAt }) }
      if (event === 'submit') sent.set(label, rows.length)
      rows.push({
        index: at,
        atUs,
        ...(arrow === undefined ? {} : { arrow }),
        lane: strand === undefined ? lanes.ofChain(chain) : lanes.of(strand),
        mark: delayUs > 0 ? 'delayed' : mark,
        text,
        source: texts.sourceOf(step),
        ...(delayUs > 0 ? { delayUs, departs: true } : {}),
        ...(differs === undefined ? {} : { difference: differs }),
      })
    }
    if (step.event === 'submit') underWay.add(step.label)
    if (step.event === 'callback') underWay.delete(step.label)
    if (isNote(step)) {
      const { event, subject } = step
      const isTold =
        event === 'set'
          ? step.ms !== undefined && (difference?.added.has(at) || touched.has(subject) || !fires.has(subject))
          : event === 'clear' || event === 'refresh' || event === 'abort' || told.has(step)
      // What Node does to timers of its own has no place in the program.
      if (isShown || (isTold && origins.has(step.place) && !nodes.has(subject))) add()
      continue
    }
    const { event, label } = step
    const [before, after] = [steps[at - 1], steps[at + 1]]
    // The trace does not record that the loop woke late for a timer; the choice does.
    const delayUs = event === 'timer' ? (delays.get(`${label} timer`)?.us ?? 0) : step.delayUs
    const transfer = isOfOperation(event) ? transfers.get(label) : undefined
    if (transfer !== undefined) {
      missing.delete(`${label} callback`)
      const { what, to, connection, isInjected } = transfer
      if (event === 'callback') {
        // That a connection is there goes without saying once it is used.
        const isSaid = what !== 'connection' || (to === 'server' && !spoken.has(connection))
        const text = [transfer, ...(together.get(label) ?? [])].map((each) => transferText(each, false)).join(', ')
        if (isSaid || isShown || delayUs > 0)
          add(what === 'reset' || isInjected ? 'fault' : 'arrival', delayUs, text, strands!.from(transfer))
      } else if (event === 'submit' ? delays.has(`${label} callback`) : isShown) add()
      else if (
        event === 'effect' &&
        what === 'bytes' &&
        !arrived.has(transfer.with ?? label) &&
        !isFaultOf(after, step)
      )
        add('unreceived')
      continue
    }
    if (traffic?.routine.has(label) && !isShown && delayUs === 0) continue
    switch (event) {
      case 'start': {
        const startUs = delays.get(`${label} start`)?.us ?? 0
        if (startUs > 0 || isShown) add(undefined, startUs)
        break
      }
      case 'submit':
        if (delays.has(`${label} effect`) || isShown) add()
        break
      case 'callback':
        if (isShown || delayUs > 0 || before?.event !== 'effect' || before.label !== label) add(undefined, delayUs)
        break
      case 'sync':
        if (!isFaultOf(after, step) || all) add()
        break
      case 'fault':
        if (after?.event !== 'effect' || all) add()
        break
      case 'effect': {
        const isFaulty = before?.event === 'fault' && before.label === label && !all
        add(isFaulty ? MARKS.fault : undefined, delayUs, isFaulty ? texts.of(before) : undefined)
        break
      }
      default:
        if (isShown || delayUs > 0 || event !== 'immediate' || !nodes.has(label)) add(undefined, delayUs)
    }
    missing.delete(`${label} ${event}`)
    if (event === 'effect') missing.delete(`${label} tear`)
  }
  if (!trace.some(({ event }) => event === 'settled')) return rows
  const endsLast = trace.at(-1)?.event === 'settled'
  const laneOf = (label: string, chain: string) =>
    strands === undefined ? lanes.ofChain(chain) : lanes.of(strands.of(label))
  rows.splice(endsLast ? rows.length - 1 : rows.length, 0, ...pending(trace, missing, texts, laneOf))
  return rows
}

/**
 * The settlements of promises that have rows: those that differ from the passing execution, of each
 * step the first ones, which the others follow.
 */
function settlementsTold(
  steps: readonly TraceStep[],
  texts: StepTexts,
  difference: TraceDifference | undefined,
): ReadonlySet<TraceStep> {
  const differing = [...steps.entries()].flatMap(([at, step]) => {
    const isShared = difference !== undefined && !difference.added.has(at) && !difference.moved.has(at)
    return isShared || !isNote(step) || !isSettlement(step) ? [] : [step]
  })
  // A promise that a callback settles at the line that made it is told by the step of that callback.
  const apart = differing.filter(({ place, subject }) => texts.placeOf(place) !== texts.placeOf(subject))
  const byStep = Map.groupBy(apart, ({ label }) => label)
  return new Set([...byStep.values()].flatMap((each) => each.slice(0, MAX_SETTLED)))
}

/** @param hasParted whether a row before has the mark of the parting */
function differenceAt(
  at: number,
  { event }: TraceStep,
  hasParted: boolean,
  difference: TraceDifference | undefined,
): Row['difference'] {
  if (difference === undefined || at < difference.parting) return undefined
  if (!hasParted) return 'parting'
  // How the body ends differs in any case.
  if (event === 'settled') return undefined
  if (difference.added.has(at)) return 'added'
  return difference.moved.has(at) ? 'moved' : undefined
}

function delaysOf(schedule: readonly Choice[]): Delays {
  const delays = new Map<string, { subject: Subject; us: number }>()
  for (const choice of schedule) {
    const { subject } = choice
    if (isSimplest(choice) || subject?.point === undefined) continue
    delays.set(`${subject.step} ${subject.point}`, { subject, us: Number(choice.value) })
  }
  return delays
}

/** Delayed points that the execution did not reach. */
function pending(
  trace: readonly TraceEvent[],
  missing: Delays,
  texts: StepTexts,
  laneOf: (label: string, chain: string) => number,
): Row[] {
  const rows: Row[] = []
  for (const { subject, us: delayUs } of missing.values()) {
    const { step: label, chain, operation, point = '' } = subject
    // The missing effect explains the missing callback.
    if (point === 'callback' && missing.has(`${label} effect`)) continue
    const submitted = trace.find((event) => event.event === 'submit' && event.label === label)
    const name = submitted === undefined ? operation : nameOf(submitted)
    const what = point === 'timer' ? 'timer has not fired' : `${name} has not ${VERBS[point] ?? 'happened'}`
    const [lane, source] = [laneOf(label, chain), texts.placeOf(label)]
    rows.push({ lane, mark: 'delayed', text: `${what} yet`, source, delayUs, departs: true })
  }
  return rows
}

const VERBS: Readonly<Record<string, string>> = {
  effect: 'taken effect',
  tear: 'come to its end',
  callback: 'called back',
}

/** Whether the step is the fault of a synchronous operation, whose line then shows it. */
function isFaultOf(step: TraceStep | undefined, { label, kind }: TraceEvent): boolean {
  return step?.event === 'fault' && step.label === label && step.kind === kind
}

/** Numbers the lanes in the order in which they are met. */
class Lanes {
  readonly all: Lane[] = []
  readonly parties: string[] = []
  readonly #nameOf: (party: string) => string
  readonly #parties = new Map<string, number>()
  readonly #strands = new Map<Strand, number>()
  readonly #chains = new Map<string, number>()

  constructor(nameOf: (party: string) => string) {
    this.#nameOf = nameOf
  }

  of(strand: Strand): number {
    // Strands follow each other far: no recursion.
    const unknown: Strand[] = []
    for (let at: Strand | undefined = strand; at !== undefined && !this.#strands.has(at); at = at.after)
      unknown.push(at)
    for (const each of unknown.reverse()) {
      const after = each.after && this.#strands.get(each.after)
      const party = this.#partyOf(each.party)
      this.#strands.set(each, this.all.push({ party, ...(after === undefined ? {} : { after }) }) - 1)
    }
    return this.#strands.get(strand)!
  }

  ofChain(chain: string): number {
    const known = this.#chains.get(chain) ?? this.all.push({}) - 1
    this.#chains.set(chain, known)
    return known
  }

  #partyOf(party: string): number {
    const known = this.#parties.get(party) ?? this.parties.push(this.#nameOf(party)) - 1
    this.#parties.set(party, known)
    return known
  }
}
