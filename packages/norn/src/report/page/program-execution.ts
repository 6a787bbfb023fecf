/** The execution of a program as rows of a report page: one for each step of its trace. */

import type { ExecutionResult, Frame } from '../../contract/execution.ts'
import { isOwn, placesOf } from '../../contract/execution.ts'
import type { FileChange } from '../../contract/file-change.ts'
import { plural } from '../../contract/text.ts'
import { isNote, stepsOf, type TraceStep } from '../../world/trace/trace-difference.ts'
import { type InterleavingInput, interleaving } from '../diagram/interleaving.ts'
import { isOfOperation, nameOf, type Placed, StepTexts } from '../diagram/step-text.ts'
import { milliseconds } from '../diagram/units.ts'
import { BoundedRows } from './bounded-rows.ts'
import type { Change, Execution, Step } from './data.ts'
import type { SourceTexts } from './source-texts.ts'

const GROUPS = [
  { title: 'Under way', isNamed: false },
  { title: 'Timers', isNamed: false },
  { title: 'Files changed', isNamed: true },
  { title: 'Notes and targets', isNamed: true },
] as const
const [UNDER_WAY, TIMERS, FILES, MARKS] = [0, 1, 2, 3] as const

/** System calls that change a file or a folder, where what it holds then is not known. */
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
  input: InterleavingInput,
  ended: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Drawn {
  const steps = stepsOf(input)
  const { columns, parties, lanes, rows } = interleaving({ ...input, all: true })
  const told = new Set(interleaving({ ...input, all: false }).rows.map(({ index }) => index))
  const changes = new Changes(input)
  const drawn = rows.map(({ source: _, ...row }): Step => {
    const step = row.index === undefined ? undefined : steps[row.index]
    const changed = step === undefined ? [] : changes.of(step)
    const places = step === undefined ? [] : placesOfStep(step, input).map((frame) => sources.placeOf(frame))
    return {
      ...row,
      ...(told.has(row.index) ? {} : { routine: true }),
      ...(places.length === 0 ? {} : { places }),
      ...(changed.length === 0 ? {} : { changes: changed }),
    }
  })
  const bounded = new BoundedRows(withFailure(drawn, ended, headline, sources))
  const { leftOut } = bounded
  return {
    execution: { columns, parties, lanes, rows: bounded.rows, leftOut, groups: GROUPS },
    rowOf: (from) => bounded.rowOf(rows.findIndex(({ index = -1 }) => index >= from)),
  }
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
  rows: readonly Step[],
  { failure }: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Step[] {
  if (failure === undefined) return [...rows]
  const places = placesOf(failure).map((frame) => sources.placeOf(frame))
  const found = { text: headline, places, isFailure: true } as const
  const end = rows.at(-1)
  if (end?.mark !== 'settled') return [...rows, { mark: 'failure', ...found }]
  return [...rows.slice(0, -1), { ...end, ...found, more: [{ text: end.text, isEvent: false }] }]
}

/** What each step changes in the state that a trace tells of. */
class Changes {
  readonly #texts: StepTexts
  readonly #transfers: ReadonlySet<string>
  readonly #routine: ReadonlySet<string>
  readonly #files = new Map<string, number>()
  readonly #notes = new Map<string, number>()
  /** Files whose contents are known. */
  readonly #known: ReadonlySet<string>
  readonly #contents: ReadonlyMap<TraceStep, readonly FileChange[]>

  constructor(placed: Placed) {
    this.#texts = new StepTexts(placed)
    this.#transfers = new Set(placed.traffic?.transfers.map(({ label }) => label))
    this.#contents = Map.groupBy(placed.fileChanges ?? [], ({ at }) => placed.trace[at]!)
    this.#known = new Set(placed.fileChanges?.map(({ path }) => path))
    this.#routine = placed.messaging?.routine ?? new Set()
  }

  of(step: TraceStep): Change[] {
    const contents = this.#contents.get(step) ?? []
    const told = contents.map(({ path, text }): Change => (text === undefined ? [FILES, path] : [FILES, path, text]))
    return [...this.#of(step), ...told]
  }

  #of(step: TraceStep): Change[] {
    if (isNote(step)) {
      // Timers of Node itself have no place in the program.
      if (step.isNodes) return []
      if (step.event === 'target') return [[MARKS, step.subject, step.value!]]
      if (step.event === 'note') return [[MARKS, step.subject, plural(this.#count(step.subject), 'time')]]
      if (step.event === 'receive') return [[UNDER_WAY, step.subject]]
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
    const passage = isOfOperation(event) ? this.#texts.passageOf(label) : undefined
    if (passage !== undefined)
      return event === 'effect' ? [] : [event === 'submit' ? [UNDER_WAY, label, passage] : [UNDER_WAY, label]]
    if (this.#routine.has(label)) return []
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

  #count(note: string): number {
    const times = (this.#notes.get(note) ?? 0) + 1
    this.#notes.set(note, times)
    return times
  }

  #file(kind: string, resource: string, outcome: string): Change[] {
    // An outcome that begins with a capital is an error code.
    if (this.#known.has(resource) || !CHANGES_FILES.has(kind) || resource === '' || /^[A-Z]/.test(outcome)) return []
    const times = (this.#files.get(resource) ?? 0) + 1
    this.#files.set(resource, times)
    return [[FILES, resource, times === 1 ? kind : `${kind}, after ${plural(times - 1, 'change')}`]]
  }
}
