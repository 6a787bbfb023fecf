/**
 * The execution of a program as a diagram: which steps get a row, in which order. Their lanes are threads
 * and child processes, strands of clients and servers, or causal chains (placing.ts).
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
import type { Diagram, Mark, Row } from './diagram.ts'
import { foldsOf } from './interleaving-folds.ts'
import { PassedRows } from './passed-rows.ts'
import { Placing } from './placing.ts'
import { CLOSING, isOfOperation, nameOf, type Placed, StepTexts, transferText } from './step-text.ts'

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
  const { difference, failure, all = false } = input
  const placing = new Placing(input)
  const rows = rowsOf(input, placing)
  const diagram: Diagram = {
    columns: placing.columns,
    parties: placing.parties,
    ...(placing.hasIsolates ? { shortParties: placing.shortParties } : {}),
    lanes: placing.lanes,
    rows,
    folds: [],
    inFlight: [],
    notes: placing.notes(),
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
  clock: 'delayed',
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
  receive: 'arrival',
  terminate: 'abort',
  note: 'note',
  target: 'note',
}

/**
 * The effect of an operation stands for its submission, unless it is delayed; and for its callback,
 * unless that is delayed or other events came in between. A timer that fires stands for its being
 * set. The step at which a passing execution parts always has a row.
 */
function rowsOf(input: InterleavingInput, placing: Placing): Row[] {
  const { trace, notes, origins, traffic, messaging, schedule = [], difference, all = false } = input
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
  const passed = new PassedRows(input, placing)
  for (const at of passed.orderOf(steps)) {
    const step = steps[at]!
    const isShown = all || at === difference?.parting
    const add = (mark = MARKS[step.event], delayUs = 0, text = texts.of(step), from?: number) => {
      const differs = differenceAt(at, step, hasParted, difference)
      hasParted ||= differs === 'parting'
      const { event, label, atUs } = step
      // What happens to it on its way is the sender's.
      const isComing = (isOfOperation(event) && event !== 'callback') || event === 'half' || underWay.has(label)
      const lane = isComing ? placing.ofMaker(step, transfers.get(label)) : placing.ofRun(step)
      const sentAt = sent.get(label)
      const arrow = from === undefined ? undefined : { from, ...(sentAt === undefined ? {} : { sent: sentAt }) }
      if (event === 'submit') sent.set(label, rows.length)
      passed.addRow(step, rows.length)
      rows.push({
        index: at,
        atUs,
        ...(arrow === undefined ? {} : { arrow }),
        lane,
        mark: delayUs > 0 ? 'delayed' : mark,
        text,
        source: texts.sourceOf(step),
        ...(delayUs > 0 ? { delayUs } : {}),
        ...(delayUs > 0 || event === 'clock' ? { departs: true } : {}),
        ...(differs === undefined ? {} : { difference: differs }),
      })
    }
    if (step.event === 'submit') underWay.add(step.label)
    if (step.event === 'callback') underWay.delete(step.label)
    if (isNote(step)) {
      const { event, subject } = step
      if (event === 'note' || event === 'target') {
        add()
        continue
      }
      if (event === 'receive' || event === 'terminate') {
        if (isShown || event === 'terminate' || passed.has(step)) add(undefined, 0, undefined, passed.senderOf(step))
        continue
      }
      const isTold =
        event === 'set'
          ? step.ms !== undefined && (difference?.added.has(at) || touched.has(subject) || !fires.has(subject))
          : event === 'clear' || event === 'refresh' || event === 'abort' || told.has(step)
      // What Node does to timers of its own has no place in the program.
      if (isShown || (isTold && origins.has(step.place) && !nodes.has(subject))) add()
      continue
    }
    const { event, label, kind } = step
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
          add(what === 'reset' || isInjected ? 'fault' : 'arrival', delayUs, text, placing.ofSender(transfer))
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
    if (passed.has(step)) {
      missing.delete(`${label} callback`)
      if (event === 'callback') add('arrival', delayUs, undefined, passed.senderOf(step))
      else if (event === 'submit' ? delays.has(`${label} callback`) : isShown) add()
      else if (event === 'effect' && !passed.isSettled(label)) add('unreceived')
      continue
    }
    const isRoutine = traffic?.routine.has(label) || messaging?.routine.has(label)
    if (isRoutine && !isShown && delayUs === 0) continue
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
        if (placing.hasIsolates && kind === CLOSING && !isShown && delayUs === 0) break
        if (isShown || delayUs > 0 || before?.event !== 'effect' || before.label !== label) add(undefined, delayUs)
        break
      case 'clock':
        missing.delete(`${label} pause`)
        add()
        break
      case 'sync':
        if (!isFaultOf(after, step) || all) add()
        break
      case 'fault':
        if (after?.event !== 'effect' || all) add()
        break
      case 'effect': {
        if (kind === CLOSING && placing.hasIsolates && !isShown && delayUs === 0) {
          if (passed.closesWith(step, rows)) break
        }
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
  passed.link(rows)
  if (!trace.some(({ event }) => event === 'settled')) return rows
  const endsLast = trace.at(-1)?.event === 'settled'
  const laneOf = (label: string, chain: string) => placing.ofRun({ label, chain })
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
