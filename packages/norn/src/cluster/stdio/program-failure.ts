/**
 * What a program over stdio can do wrong, as a person reads it.
 *
 * Invariant: the first line of a message says what happened and nothing that varies from one
 * execution to the next but numbers and quoted texts, so that equal failures are told to be equal;
 * what was sent, what came and what stood on stderr follow.
 */
import { abbreviated } from '../../contract/text.ts'
import type { SaidError } from './protocol.ts'

export type ProgramFailureName = 'ProgramDeath' | 'ProgramHang' | 'ProtocolBreach' | 'ProgramNotStarted'

/** A program died, hung, or answered what the protocol does not allow. It has been ended. */
export class ProgramFailure extends Error {
  readonly reason: ProgramFailureName

  constructor(reason: ProgramFailureName, message: string) {
    super(message)
    this.name = this.reason = reason
  }
}

/** The program says that an assertion of its own failed. It goes on. */
export class SaidFailure extends Error {
  constructor({ name, message, stack }: SaidError, sent: string) {
    super(
      [message, `  sent: ${cut(sent)}`, ...(stack === '' ? [] : [indented('  of the program', stack.trimEnd())])].join(
        '\n',
      ),
    )
    this.name = name
  }
}

export interface Exchange {
  /** The command, as it was sent. */
  readonly sent: string
  /** The command before it, where that matters. */
  readonly before?: string
  /** What came; undefined if nothing did. */
  readonly came?: string
  /** The end of what the program wrote to stderr in this execution. */
  readonly errors?: string
}

const MAX_SHOWN = 500

/** The whole message. */
export function told(what: string, { sent, before, came, errors = '' }: Exchange): string {
  const earlier = before === undefined ? [] : [`  before: ${cut(before)}`]
  const lines = [what, ...earlier, `  sent: ${cut(sent)}`, `  came: ${came === undefined ? 'nothing' : cut(came)}`]
  if (errors.trim() !== '') lines.push(indented('  on stderr', errors.trimEnd()))
  return lines.join('\n')
}

/** A line as it is quoted: what cannot be printed is escaped. */
export function cut(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is meant
  return abbreviated(text, MAX_SHOWN).replace(/[\x00-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1))
}

function indented(title: string, text: string): string {
  return [`${title}:`, ...text.split('\n').map((line) => `    ${line}`)].join('\n')
}
