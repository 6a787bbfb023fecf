/** The steps of an execution that get a line in its diagram, and in which order. */
import { type Choice, isSimplest } from '../contract/choice.ts'
import type { Subject } from '../contract/subject.ts'
import type { TraceEvent } from '../world/trace/trace.ts'
import { isNote, isSettlement, stepsOf, type TraceDifference, type TraceStep } from '../world/trace/trace-difference.ts'
import { isOfOperation, nameOf, type Placed, StepTexts, transferText } from './step-text.ts'
import { type Strand, Strands } from './strands.ts'

/** One line of the diagram before it is laid out. */
export interface Moment {
  /** The causal chain of its step. */
  readonly chain: string
  /** Index of its step in the execution; undefined where something has not happened. */
  readonly step?: number
  /** Over connections, the strand of its step, and the one from which a message arrives. */
  readonly strand?: Strand | undefined
  readonly from?: Strand | undefined
  /** Undefined where something has not happened. */
  readonly atUs: number | undefined
  readonly mark: string
  readonly text: string
  readonly source: string
  readonly delayUs: number
  /** How it compares with the nearest passing execution. */
  readonly difference: 'parting' | 'added' | 'moved' | undefined
}

export interface MomentsInput extends Placed {
  /** The choices of the schedule lane: the intended delays, whether or not they took place. */
  readonly schedule?: readonly Choice[]
  /** Where it differs from the nearest passing execution. */
  readonly difference?: TraceDifference | undefined
  /** Every step gets a line. */
  readonly all?: boolean
}

/** The delays that choices ask for, by step and schedule point. */
type Delays = ReadonlyMap<string, { readonly subject: Subject; readonly us: number }>

/** Promises of a step whose settlement has a line. */
const MAX_SETTLED = 3

const MARKS: Readonly<Record<TraceStep['event'], string>> = {
  start: '•',
  submit: '◇',
  half: '◐',
  effect: '●',
  callback: '○',
  timer: '◷',
  immediate: '▷',
  sync: '•',
  stall: '◆',
  fault: '✗',
  settled: '■',
  set: '◔',
  clear: '⊘',
  refresh: '↻',
  ref: '·',
  unref: '·',
  abort: '⊗',
  resolve: '⊕',
  reject: '⊖',
}

/**
 * The effect of an operation stands for its submission, unless it is delayed; and for its callback,
 * unless that is delayed or other events came in between. A timer that fires stands for its being
 * set. The step at which a passing execution parts always has a line.
 */
export function momentsOf(input: MomentsInput): Moment[] {
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
  const moments: Moment[] = []
  let hasParted = false
  const underWay = new Set<string>()
  for (const [at, step] of steps.entries()) {
    const isShown = all || at === difference?.parting
    const add = (mark = MARKS[step.event], delayUs = 0, text = texts.of(step), from?: Strand) => {
      const differs = differenceAt(at, step, hasParted, difference)
      hasParted ||= differs === 'parting'
      const { chain, atUs } = step
      const source = texts.sourceOf(step)
      // What happens to it on its way is the sender's.
      const transfer = underWay.has(step.label) ? transfers.get(step.label) : undefined
      const strand =
        transfer === undefined ? strands?.of(step.label) : (strands!.from(transfer) ?? strands!.of(step.label))
      const shown = { mark: delayUs > 0 ? '◆' : mark, text, source, delayUs, difference: differs }
      moments.push({ chain, step: at, strand, from, atUs, ...shown })
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
          add(what === 'reset' || isInjected ? '✗' : '', delayUs, text, strands!.from(transfer))
      } else if (event === 'submit' ? delays.has(`${label} callback`) : isShown) add()
      else if (
        event === 'effect' &&
        what === 'bytes' &&
        !arrived.has(transfer.with ?? label) &&
        !isFaultOf(after, step)
      )
        add('◌')
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
  if (!trace.some(({ event }) => event === 'settled')) return moments
  const endsLast = trace.at(-1)?.event === 'settled'
  moments.splice(endsLast ? moments.length - 1 : moments.length, 0, ...pending(trace, missing, texts, strands))
  return moments
}

/**
 * The settlements of promises that have lines: those that differ from the passing execution, of each
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

/** @param hasParted whether a line before has the mark of the parting */
function differenceAt(
  at: number,
  { event }: TraceStep,
  hasParted: boolean,
  difference: TraceDifference | undefined,
): Moment['difference'] {
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
function pending(trace: readonly TraceEvent[], missing: Delays, texts: StepTexts, strands?: Strands): Moment[] {
  const moments: Moment[] = []
  for (const { subject, us } of missing.values()) {
    const { step: label, chain, operation, point = '' } = subject
    // The missing effect explains the missing callback.
    if (point === 'callback' && missing.has(`${label} effect`)) continue
    const submitted = trace.find((event) => event.event === 'submit' && event.label === label)
    const name = submitted === undefined ? operation : nameOf(submitted)
    const what = point === 'timer' ? 'timer has not fired' : `${name} has not ${VERBS[point] ?? 'happened'}`
    const source = texts.placeOf(label)
    const shown = { text: `${what} yet`, source, delayUs: us, difference: undefined }
    moments.push({ chain, strand: strands?.of(label), atUs: undefined, mark: '◆', ...shown })
  }
  return moments
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
