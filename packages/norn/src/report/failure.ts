/** A failure for a person: the error and its line, the input, the interleaving, commands to replay. */

import { isSimplest } from '../contract/choice.ts'
import type { ClusterRecord } from '../contract/cluster-record.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Explanation } from '../contract/explanation.ts'
import { indented, plural } from '../contract/text.ts'
import { frameLine } from '../execution/frames.ts'
import { inputSource } from '../property/input/input-source.ts'
import { withoutNorn } from '../world/realm/stack.ts'
import { clockTexts } from './clock.ts'
import { departuresText, departuresTitle } from './departures.ts'
import { interleaving } from './diagram/interleaving.ts'
import { spaceTime } from './diagram/space-time.ts'
import { diagramText } from './diagram/text.ts'
import { TEXT_ROOM } from './diagram/text-cluster.ts'
import { faultText } from './fault.ts'
import { filesAtEnd } from './files-at-end.ts'
import { nearestText } from './nearest.ts'
import { waitsText, waitsTitle } from './pending-waits.ts'
import { printableLine, printableLines } from './printable.ts'
import { sentenceOf } from './sentence.ts'
import { type Style, terminalWidth } from './style.ts'

export interface FailureText {
  readonly property: string
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** Every step gets a line. */
  readonly all?: boolean
  /** The source around the failure, from `excerptOf`. */
  readonly excerpt?: readonly string[]
  /** Where it was found, and how it shrank. */
  readonly found: string
  /** Title of the input: `smallest input`, `example 1`, ... */
  readonly inputTitle: string
  /** Commands that replay it, each with its purpose. */
  readonly commands: readonly (readonly [command: string, purpose: string])[]
}

const MAX_OUTPUT_LINES = 20
const INDENT = 4
/** Characters of an input that is shown as code too. */
const MAX_SOURCE = 300

/** @param width of lines that are laid out, in characters */
export function failureText(failure: FailureText, style: Style, width = terminalWidth()): string {
  const { result } = failure
  return [
    `${style.bad('✗')} ${style.bold(printableLine(failure.property))}`,
    ...sentenceLines(failure, style),
    `  ${style.dim(failure.found)}`,
    '',
    ...indented(errorLines(result), '  ').map((line, index) => (index === 0 ? style.bad(line) : line)),
    '',
    ...detailLines(failure, style, width),
  ]
    .join('\n')
    .trimEnd()
}

/** A failure without its error, for test runners that print the error themselves. */
export function failureDetails(failure: Omit<FailureText, 'property'>, style: Style, width = terminalWidth()): string {
  const { found, ...rest } = failure
  const lines = [...sentenceLines(failure, style), `  ${style.dim(found)}`, '', ...detailLines(rest, style, width)]
  return lines
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n')
    .trimEnd()
}

function sentenceLines({ explanation }: Pick<FailureText, 'explanation'>, style: Style): string[] {
  const sentence = explanation && sentenceOf(explanation)
  return sentence === undefined ? [] : [`  ${style.bold(sentence)}`]
}

function detailLines(failure: Omit<FailureText, 'property' | 'found'>, style: Style, room: number): string[] {
  const { result, explanation, all = false, excerpt = [] } = failure
  const lines = [
    ...waitsLines(result, style),
    ...(excerpt.length === 0 ? [] : [...indented(excerpt, '    '), '']),
    ...inputLines(failure, style),
    ...whatHappened(result, explanation, all, style, room),
    ...outputLines(result, style),
  ]
  const width = Math.max(0, ...failure.commands.map(([command]) => command.length))
  for (const [command, purpose] of failure.commands) {
    lines.push(`  ${command.padEnd(width)}  ${style.dim(`# ${purpose}`)}`)
  }
  return lines
}

function whatHappened(
  result: ExecutionResult,
  explanation: Explanation | undefined,
  all: boolean,
  style: Style,
  room: number,
): string[] {
  if (result.cluster !== undefined) return clusterLines(result.cluster, result, all, style, room)
  return explanation === undefined
    ? faultLines(result, style)
    : interleavingLines(result, explanation, all, style, room)
}

/** The execution of a cluster: its diagram, and the steps that depart from the default schedule. */
function clusterLines(
  cluster: ClusterRecord,
  { failure, choices }: ExecutionResult,
  all: boolean,
  style: Style,
  room: number,
): string[] {
  const departures = departuresText(cluster, style, all)
  const clock = clockTexts(choices?.schedule ?? [])
  const isOfClock = clock.length > 0 && cluster.steps.length + (cluster.leftOut?.length ?? 0) === 0
  const title = [...(isOfClock ? [] : [departuresTitle(cluster)]), ...clock].join('; ')
  const diagram = spaceTime(cluster, failure, all ? {} : { room: TEXT_ROOM })
  const { lines, below } = diagramText(diagram, style, room - INDENT)
  return [
    `  ${style.bold('execution')}: ${title}`,
    ...indented([...lines, '', ...below.map(style.dim)], ' '.repeat(INDENT)),
    '',
    ...(departures.length === 0 ? [] : [...indented(departures, ' '.repeat(INDENT)), '']),
  ]
}

function errorLines(result: ExecutionResult): string[] {
  const { kind, stack, startedAt = [] } = result.failure!
  const started = startedAt.map((frame, index) =>
    frameLine(frame).replace(' at ', index === 0 ? ' started at ' : ' at '),
  )
  const lines = [...printableLines(stack.trimEnd()), ...started]
  const compact = lines.filter((line) => line.trim() !== '')
  return kind === 'error'
    ? compact
    : [`${kind}: ${(compact[0] ?? '').replace(/^(?:Liveness)?Error: /, '')}`, ...compact.slice(1)]
}

function waitsLines({ failure }: ExecutionResult, style: Style): string[] {
  const lines = waitsText(failure!)
  return lines.length === 0
    ? []
    : [`  ${style.bold(waitsTitle(failure!).toLowerCase())}`, ...indented(lines, '    '), '']
}

function inputLines(
  { result: { inputText = '', input, cluster }, inputTitle }: Pick<FailureText, 'result' | 'inputTitle'>,
  style: Style,
): string[] {
  if (inputText === '') return []
  const source = input?.example === true || cluster !== undefined ? undefined : inputSource(input)
  const isShort = source !== undefined && source.length <= MAX_SOURCE
  const snippet = isShort ? [`    ${style.dim(`to keep it, add examples: [${printableLine(source)}]`)}`] : []
  return [`  ${style.bold(inputTitle)}`, ...indented(inputText.split('\n'), '    '), ...snippet, '']
}

/** The injected faults, for reports without an interleaving. */
function faultLines({ faults = [] }: ExecutionResult, style: Style): string[] {
  if (faults.length === 0) return []
  const lines = faults.map((fault) => printableLine(faultText(`${fault.operation} ${fault.resource}`, fault)))
  return [`  ${style.bold('faults')}`, ...indented(lines, '    '), '']
}

/** Every step of an execution, whatever its verdict. */
export function stepsText(
  result: ExecutionResult,
  explanation: Explanation | undefined,
  style: Style,
  width = terminalWidth(),
): string {
  return whatHappened(result, explanation, true, style, width).join('\n').trimEnd()
}

function interleavingLines(
  result: ExecutionResult,
  explanation: Explanation,
  all: boolean,
  style: Style,
  room: number,
): string[] {
  const schedule = result.choices!.schedule
  const { faults = [] } = result
  const { title, parts } = scheduleParts(result)
  const isDeparting = schedule.some((choice) => !isSimplest(choice))
  const { inputText = '' } = result
  const nearest = explanation.nearest && nearestText({ ...explanation, inputText }, explanation.nearest, style)
  const diagram = interleaving({ ...explanation, schedule, difference: nearest?.difference, all })
  const { lines, below } = diagramText(diagram, style, room - INDENT)
  // With no event but the end there is nothing to interleave.
  if (lines.length <= 2 && !isDeparting && faults.length === 0) return []
  return [
    `  ${style.bold(title)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`,
    // The gutter takes two columns of the indentation.
    ...indented(lines, nearest === undefined ? '    ' : '  '),
    '',
    ...(nearest === undefined ? [] : [...indented(nearest.lines, '  '), '']),
    ...indented(below.map(style.dim), '    '),
    '',
    ...filesLines(explanation, style),
  ]
}

/** Of another input the files differ anyway. */
function filesLines({ fileChanges, nearest }: Explanation, style: Style): string[] {
  const lines =
    nearest === undefined || nearest.change.lane === 'input' ? [] : filesAtEnd(fileChanges, nearest.fileChanges)
  return lines.length === 0 ? [] : [`  ${style.bold('files at the end')}`, ...indented(lines, '    '), '']
}

/** How the schedule of a program departs from the default: `interleaving (1 operation delayed)`. */
export function scheduleTitle(result: ExecutionResult): string {
  const { title, parts } = scheduleParts(result)
  return `${title}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

function scheduleParts(result: ExecutionResult): { readonly title: string; readonly parts: readonly string[] } {
  const schedule = result.choices?.schedule ?? []
  const { faults = [] } = result
  const departures = schedule.filter((choice) => !isSimplest(choice))
  const clock = clockTexts(departures)
  const latencies = departures.filter(({ kind, subject }) => kind === 'latency' && subject?.point !== 'pause').length
  const picked = departures.filter((choice) => choice.kind === 'pick').length
  const chance = departures.some(({ kind }) => kind === 'seed') ? ['random numbers other than the simplest'] : []
  const picks = picked === 0 ? [] : [`${plural(picked, 'task')} picked out of order`]
  const delayed = latencies === 0 ? [] : [`${plural(latencies, 'operation')} delayed`]
  const injected = faults.length === 0 ? [] : [`${plural(faults.length, 'fault')} injected`]
  const isDefault = latencies === 0 && picked === 0 && clock.length === 0
  const isUnder = result.verdict === 'failed' ? 'fails under the default schedule' : 'the default schedule'
  const title = isDefault ? isUnder : 'interleaving'
  return { title, parts: [...clock, ...injected, ...delayed, ...picks, ...chance] }
}

function outputLines(result: ExecutionResult, style: Style): string[] {
  const printed = withoutNorn(result.output ?? '').trimEnd()
  if (printed === '') return []
  const lines = printed.split('\n')
  const shown = printableLines(lines.slice(-MAX_OUTPUT_LINES).join('\n'))
  const cut = lines.length - shown.length
  return [
    `  ${style.bold('printed')}${cut > 0 ? style.dim(` (the last ${shown.length} of ${lines.length} lines)`) : ''}`,
    ...indented(shown, '    '),
    '',
  ]
}
