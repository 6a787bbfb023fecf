/** The execution of a program as rows of a report page: one for each step of its trace. */
import type { ExecutionResult, Frame } from '../../contract/execution.ts'
import { placesOf } from '../../contract/execution.ts'
import { plural } from '../../contract/text.ts'
import { isNote, stepsOf, type TraceStep } from '../../world/trace/trace-difference.ts'
import { isOwn } from '../excerpt.ts'
import { type Moment, type MomentsInput, momentsOf } from '../moments.ts'
import { delayText, milliseconds, nameOf, type Placed, StepTexts } from '../step-text.ts'
import type { Strand } from '../strands.ts'
import { BoundedRows } from './bounded-rows.ts'
import type { Change, Execution, Lane, Row } from './data.ts'
import type { SourceTexts } from './source-texts.ts'

const GROUPS = [
  { title: 'Under way', isNamed: false },
  { title: 'Timers', isNamed: false },
  { title: 'Files changed', isNamed: true },
] as const
const [UNDER_WAY, TIMERS, FILES] = [0, 1, 2] as const

/** System calls that change a file or a folder; what they write is not recorded. */
const CHANGES_FILES: ReadonlySet<string> = new Set(
  'write writev truncate ftruncate unlink rename mkdir rmdir rm link symlink copyFile mkdtemp'.split(' '),
)

/** Frames of one step that are shown. */
const MAX_PLACES = 6

/** An execution, and where a step of its trace, or an entry of its log, has gone. */
export interface Drawn {
  readonly execution: Execution
  /** The row of the first one from this index on. */
  rowOf(index: number): number
}

/**
 * @param input of the execution; with the difference from a passing one, if there is one
 * @param ended the result, whose failure is the last row
 */
export function programExecution(
  input: MomentsInput,
  ended: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Drawn {
  const steps = stepsOf(input)
  const moments = momentsOf({ ...input, all: true })
  const told = new Set(momentsOf({ ...input, all: false }).map(({ step }) => step))
  const lanes = new Lanes()
  const sent = new Map<string, number>()
  const changes = new Changes(input)
  const rows = moments.map((moment, index): Row => {
    const step = moment.step === undefined ? undefined : steps[moment.step]
    const label = step !== undefined && !isNote(step) ? step.label : undefined
    if (step?.event === 'submit') sent.set(step.label, index)
    const changed = step === undefined ? [] : changes.of(step)
    const places = step === undefined ? [] : placesOfStep(step, input).map((frame) => sources.placeOf(frame))
    const from = moment.from && lanes.of(moment.from)
    return {
      ...(moment.atUs === undefined ? {} : { at: milliseconds(moment.atUs) }),
      lane: moment.strand === undefined ? lanes.ofChain(moment.chain) : lanes.of(moment.strand),
      ...(from === undefined ? {} : { from, ...sentAt(label, sent) }),
      ...shown(moment),
      ...(told.has(moment.step) ? {} : { routine: true }),
      ...(places.length === 0 ? {} : { places }),
      ...(changed.length === 0 ? {} : { changes: changed }),
    }
  })
  const bounded = new BoundedRows(withFailure(rows, steps.at(-1), ended, headline, sources))
  const execution = {
    columns: input.traffic === undefined ? 'chains' : 'parties',
    lanes: lanes.all,
    rows: bounded.rows,
    leftOut: bounded.leftOut,
    groups: GROUPS,
  } as const
  return { execution, rowOf: (from) => bounded.rowOf(moments.findIndex(({ step = -1 }) => step >= from)) }
}

function shown({ mark, text, delayUs, difference }: Moment): Pick<Row, 'mark' | 'text' | 'delay' | 'departs'> {
  return {
    mark,
    text,
    ...(delayUs > 0 ? { delay: `delayed by ${delayText(delayUs)}`, departs: true } : {}),
    ...(difference === undefined ? {} : { difference }),
  }
}

function sentAt(label: string | undefined, sent: ReadonlyMap<string, number>): Pick<Row, 'sent'> {
  const at = label === undefined ? undefined : sent.get(label)
  return at === undefined ? {} : { sent: at }
}

/** The own frames that started the operation of a step first: libraries are rarely the point. */
function placesOfStep(step: TraceStep, { origins }: Placed): readonly Frame[] {
  if (step.event === 'settled') return []
  const origin = origins.get(isNote(step) ? step.place : step.label)
  if (origin === undefined) return []
  const frames = [origin, ...(origin.callers ?? [])]
  const own = frames.findIndex(isOwn)
  return (own > 0 ? [frames[own]!, ...frames.filter((_, at) => at !== own)] : frames).slice(0, MAX_PLACES)
}

/** The row of the failure: the end of the body, or one of its own. */
function withFailure(
  rows: readonly Row[],
  last: TraceStep | undefined,
  { failure }: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Row[] {
  if (failure === undefined) return [...rows]
  const places = placesOf(failure).map((frame) => sources.placeOf(frame))
  const found = { text: headline, places, isFailure: true } as const
  const end = rows.at(-1)
  const isEnd = end !== undefined && last !== undefined && last.event === 'settled' && end.mark === '■'
  return isEnd ? [...rows.slice(0, -1), { ...end, ...found, more: [end.text] }] : [...rows, { mark: '✗', ...found }]
}

/** The lanes of an execution, in the order in which they are met. */
class Lanes {
  readonly all: Lane[] = []
  readonly #strands = new Map<Strand, number>()
  readonly #chains = new Map<string, number>()

  of(strand: Strand): number {
    const known = this.#strands.get(strand)
    if (known !== undefined) return known
    // Strands follow each other far: no recursion.
    const unknown: Strand[] = []
    for (let at: Strand | undefined = strand; at !== undefined && !this.#strands.has(at); at = at.after)
      unknown.push(at)
    for (const each of unknown.reverse()) {
      const after = each.after && this.#strands.get(each.after)
      this.#strands.set(each, this.all.length)
      this.all.push({ party: each.party, ...(after === undefined ? {} : { after }) })
    }
    return this.#strands.get(strand)!
  }

  ofChain(chain: string): number {
    const known = this.#chains.get(chain)
    if (known !== undefined) return known
    this.#chains.set(chain, this.all.length)
    this.all.push({ party: '' })
    return this.all.length - 1
  }
}

/** What each step changes in the state that a trace tells of. */
class Changes {
  readonly #texts: StepTexts
  readonly #transfers: ReadonlySet<string>
  readonly #files = new Map<string, number>()

  constructor(placed: Placed) {
    this.#texts = new StepTexts(placed)
    this.#transfers = new Set(placed.traffic?.transfers.map(({ label }) => label))
  }

  of(step: TraceStep): Change[] {
    if (isNote(step)) {
      // Timers of Node itself have no place in the program.
      if (step.isNodes) return []
      if (step.event === 'set' && step.ms !== undefined) {
        const place = this.#texts.sourceOf(step)
        return [
          [
            TIMERS,
            step.subject,
            `${step.ms} ms, set ${place === '' ? '' : `at ${place} `}at ${milliseconds(step.atUs)} ms`,
          ],
        ]
      }
      return step.event === 'clear' ? [[TIMERS, step.subject]] : []
    }
    const { event, label, kind, resource, outcome } = step
    const name = this.#transfers.has(label) ? this.#texts.of(step) : nameOf(step)
    switch (event) {
      case 'submit':
        return [[UNDER_WAY, label, `${name}: submitted`]]
      case 'effect':
        return [[UNDER_WAY, label, `${name}: took effect, callback to come`], ...this.#file(kind, resource, outcome)]
      case 'callback':
        return [[UNDER_WAY, label]]
      case 'sync':
        return this.#file(kind, resource, outcome)
      case 'timer':
        return [[TIMERS, label]]
      default:
        return []
    }
  }

  #file(kind: string, resource: string, outcome: string): Change[] {
    // An outcome that begins with a capital is an error code.
    if (!CHANGES_FILES.has(kind) || resource === '' || /^[A-Z]/.test(outcome)) return []
    const times = (this.#files.get(resource) ?? 0) + 1
    this.#files.set(resource, times)
    return [[FILES, resource, times === 1 ? kind : `${kind}, after ${plural(times - 1, 'change')}`]]
  }
}
