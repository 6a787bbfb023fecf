/**
 * The failures of a program over stdio.
 *
 * Invariant: in the first line of a message only numbers and quoted text vary between executions, so
 * that equal failures have equal fingerprints. The command, the answer and stderr follow.
 */
import { abbreviated } from '../../contract/text.ts'
import type { ReportedError } from './protocol.ts'

export type ProgramFailureName = 'ProgramDeath' | 'ProgramHang' | 'ProtocolBreach' | 'ProgramNotStarted'

/** A program died, hung or broke the protocol. It has been killed. */
export class ProgramFailure extends Error {
  readonly reason: ProgramFailureName

  constructor(reason: ProgramFailureName, message: string) {
    super(message)
    this.name = this.reason = reason
  }
}

/** The program reported an error, such as a failed assertion. It is still running. */
export class ReportedFailure extends Error {
  constructor({ name, message, stack }: ReportedError, sent: string) {
    const trace = stack === '' ? [] : [quoted('stack in the program', stack.trimEnd())]
    super([message, `  sent: ${cut(sent)}`, ...trace].join('\n'))
    this.name = name
  }
}

export interface Exchange {
  readonly sent: string
  /** The command before it, where that matters. */
  readonly previous?: string
  /** Undefined if nothing was received. */
  readonly received?: string
  /** The end of what the program wrote to stderr in this execution. */
  readonly stderr?: string
}

const MAX_SHOWN = 500

export function exchangeText(what: string, { sent, previous, received, stderr = '' }: Exchange): string {
  const lines = [what]
  if (previous !== undefined) lines.push(`  previous command: ${cut(previous)}`)
  lines.push(`  sent: ${cut(sent)}`, `  received: ${received === undefined ? 'nothing' : cut(received)}`)
  if (stderr.trim() !== '') lines.push(quoted('stderr', stderr.trimEnd()))
  return lines.join('\n')
}

/** A line for quoting: cut, with control characters escaped. */
export function cut(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are intended
  return abbreviated(text, MAX_SHOWN).replace(/[\x00-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1))
}

/** The bar keeps lines from being taken for frames of norn's own stack. */
function quoted(title: string, text: string): string {
  return [`  ${title}:`, ...text.split('\n').map((line) => `    | ${line}`)].join('\n')
}
