/**
 * A failure as a person reads it: the error, the smallest input, the interleaving, and how to see it again.
 */
import type { ExecutionResult } from '../explore/execution.ts'
import { isNatural } from '../tape/choice.ts'
import { type DiagramInput, diagram, milliseconds } from './diagram.ts'
import type { Style } from './style.ts'

export interface FailureText {
  readonly property: string
  readonly result: ExecutionResult
  readonly explanation: DiagramInput | undefined
  /** Where it was found, and how it shrank. */
  readonly found: string
  /** Commands that show it again, each with what it is for. */
  readonly commands: readonly (readonly [command: string, purpose: string])[]
}

const MAX_OUTPUT_LINES = 20

export function failureText(failure: FailureText, style: Style): string {
  const { result, explanation } = failure
  const lines = [
    `${style.bad('✗')} ${style.bold(failure.property)}`,
    `  ${style.dim(failure.found)}`,
    '',
    ...indent(errorLines(result), '  ').map((line, index) => (index === 0 ? style.bad(line) : line)),
    '',
    ...inputLines(result, style),
    ...(explanation === undefined ? [] : interleavingLines(result, explanation, style)),
    ...outputLines(result, style),
  ]
  const width = Math.max(0, ...failure.commands.map(([command]) => command.length))
  for (const [command, purpose] of failure.commands) {
    lines.push(`  ${command.padEnd(width)}  ${style.dim(`# ${purpose}`)}`)
  }
  return lines.join('\n')
}

function errorLines(result: ExecutionResult): string[] {
  const { kind, stack } = result.failure!
  const lines = stack.trimEnd().split('\n')
  const compact = lines.filter((line) => line.trim() !== '')
  return kind === 'error' ? compact : [`${kind}: ${compact[0]}`, ...compact.slice(1)]
}

function inputLines(result: ExecutionResult, style: Style): string[] {
  if (result.inputText === undefined || result.inputText === '') return []
  return [`  ${style.bold('smallest input')}`, ...indent(result.inputText.split('\n'), '    '), '']
}

function interleavingLines(result: ExecutionResult, explanation: DiagramInput, style: Style): string[] {
  const late = result.choices!.schedule.filter((choice) => !isNatural(choice))
  const count =
    late.length === 0 ? 'nothing has to be late' : `${late.length} ${late.length === 1 ? 'thing' : 'things'} late`
  return [
    `  ${style.bold('interleaving')} ${style.dim(`(${count}; ms of virtual time; ● takes effect ○ calls back ◷ timer • at once ◆ late)`)}`,
    ...indent(diagram(explanation, style), '    '),
    '',
  ]
}

function outputLines(result: ExecutionResult, style: Style): string[] {
  const printed = (result.output ?? '').trimEnd()
  if (printed === '') return []
  const lines = printed.split('\n')
  const shown = lines.slice(-MAX_OUTPUT_LINES)
  const cut = lines.length - shown.length
  return [
    `  ${style.bold('printed')}${cut > 0 ? style.dim(` (the last ${shown.length} of ${lines.length} lines)`) : ''}`,
    ...indent(shown, '    '),
    '',
  ]
}

function indent(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line === '' ? '' : by + line))
}

/** What was late, in words, for one line: `unlink effect 1.05 ms`. */
export function latenessText(result: ExecutionResult): string[] {
  const late = result.choices!.schedule.filter((choice) => !isNatural(choice))
  return late.map(({ label, value }) => `${label.replace(/^\S+ /, '')} ${milliseconds(Number(value))} ms`)
}
