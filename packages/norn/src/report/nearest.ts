/** The nearest passing execution in words: what it changes, and what it does where the two part. */
import type { PassingExecution } from '../contract/explanation.ts'
import { cut } from '../contract/text.ts'
import { instantText } from '../contract/wall-clock.ts'
import type { TraceStep } from '../world/trace/trace-difference.ts'
import { isNote, partingOf, type TraceDifference } from '../world/trace/trace-difference.ts'
import { clockTexts } from './clock.ts'
import { nameOf, type Placed, StepTexts, transferText } from './diagram/step-text.ts'
import { PARTING } from './diagram/text.ts'
import { delayText } from './diagram/units.ts'
import type { Style } from './style.ts'

const MAX_INPUT_LINES = 6
const MAX_SENT = 60

export interface Nearest {
  readonly difference: TraceDifference
  /** What the passing execution changes. */
  readonly change: readonly string[]
  readonly lines: readonly string[]
}

/** @param failing the failing execution, and the text of its input */
export function nearestText(
  failing: Placed & { readonly inputText: string },
  passing: PassingExecution,
  style: Style,
): Nearest | undefined {
  const difference = partingOf(failing, passing)
  if (difference === undefined) return undefined
  const { instead } = difference
  const change = changeLines(failing, passing)
  const [first, ...rest] = change
  return {
    difference,
    change,
    lines: [
      `${style.warning(PARTING)} nearest passing execution: ${first}`,
      ...rest.map((line) => `    ${line}`),
      ...(instead === undefined ? [] : [`  it has here: ${insteadText(instead, passing)}`]),
    ],
  }
}

function insteadText(step: TraceStep, passing: Placed): string {
  const texts = new StepTexts(passing)
  const source = texts.sourceOf(step)
  const passage = isNote(step) || step.event !== 'callback' ? undefined : texts.passageOf(step.label)
  const takes = step.event === 'effect' && step.outcome === 'ok' ? ' takes effect' : ''
  return `${passage ?? texts.of(step)}${takes}${source === '' ? '' : ` (${source})`}`
}

/** What the passing execution changes. */
function changeLines(failing: Placed & { readonly inputText: string }, passing: PassingExecution): string[] {
  const { lane, choice, value } = passing.change
  if (lane === 'input') {
    const before = new Set(failing.inputText.split('\n'))
    const changed = passing.inputText.split('\n').filter((line) => !before.has(line))
    const lines = changed.slice(0, MAX_INPUT_LINES).map((line) => line.trim())
    return lines.length === 1 ? lines : [lines.length === 0 ? 'another input' : 'the input has', ...lines]
  }
  const { kind, subject } = choice
  if (kind === 'pick') return ['resumes the tasks in another order']
  if (kind === 'clock') return [clockTexts([{ ...choice, value }])[0] ?? `the clock starts at ${instantText(0)}`]
  if (kind === 'phase')
    return [clockTexts([{ ...choice, value }])[0] ?? 'the milliseconds of Date begin with those of timers']
  if (kind === 'correction') return ['the clock is not set back']
  if (subject === undefined) return ['other random numbers']
  const submitted = failing.trace.find(({ event, label }) => event === 'submit' && label === subject.step)
  const transfer = failing.traffic?.transfers.find(({ label }) => label === subject.step)
  const bytes = transfer?.what === 'bytes' ? cut(transferText(transfer, false), MAX_SENT) : undefined
  const sent = bytes ?? new StepTexts(failing).passageOf(subject.step)
  const name = sent ?? (submitted === undefined ? subject.operation : nameOf(submitted))
  if (lane === 'fault') {
    const fault = failing.trace.find(({ event, label }) => event === 'fault' && label === subject.step)
    const call = sent ?? (fault === undefined ? name : nameOf(fault))
    return [Number(value) === 0 ? `without the fault of ${call}` : `with another fault of ${call}`]
  }
  const what =
    subject.point === 'timer'
      ? 'the timer'
      : subject.point === 'callback' && sent === undefined
        ? `the callback of ${name}`
        : name
  if (subject.point === 'pause')
    return [Number(value) === 0 ? 'code takes no time' : `code takes ${Number(value) / 1000} ms`]
  const [was, is] = [Number(choice.value), Number(value)]
  if (was === 0) return [`${what} is delayed by ${delayText(is)}`]
  if (is === 0) return [`without the delay of ${what}`]
  const texts = [is, was].map(delayText)
  const [less, more] = texts[0] === texts[1] ? [is, was].map((us) => `${us / 1000} ms`) : texts
  return [`${what} is delayed by ${less}, not ${more}`]
}
