/** The variables of the calls at a failure, as lines. */
import { type FailureReport, isOwn } from '../contract/execution.ts'
import type { LocalFrame } from '../contract/local-frame.ts'
import { indented } from '../contract/text.ts'
import { printableLine, printableLines } from './printable.ts'
import type { Style } from './style.ts'

/** The calls, innermost first, or why there are none. */
export type Variables = { readonly locals: readonly LocalFrame[] } | { readonly noLocals: string }

/** What the command is for that replays a failure. */
export function replayPurpose({ frames }: Pick<FailureReport, 'frames'>): string {
  return frames.some(isOwn) ? 'replay; with --locals, print variables too' : 'replay'
}

/** A block for each call: its place, and `name = value` for each variable. */
export function localsText(variables: Variables, style: Style): string[] {
  if ('noLocals' in variables) return ['', printableLine(`no variables: ${variables.noLocals}`)]
  return variables.locals.flatMap(({ frame, variables: values }) => {
    const { file, line, functionName } = frame
    const place = printableLine(functionName === '' ? `${file}:${line}` : `${functionName} (${file}:${line})`)
    const lines = values.flatMap(([name, value]) => printableLines(`${printableLine(name)} = ${value}`))
    return ['', style.bold(`variables of ${place}`), ...indented(lines.length === 0 ? ['none'] : lines, '  ')]
  })
}
