/** What outlives executions as a person reads it: a warning, not a failure. */
import type { LeakReport } from '../contract/execution.ts'
import { frameLine } from '../execution/frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

export function leakText(property: string, leaks: readonly LeakReport[], style: Style): string {
  return [
    `${style.late('!')} ${style.bold(printableLine(property))}: passes, but leaves something behind`,
    ...leaks.flatMap(({ what, frames }) => [`  ${printableLine(what)}`, ...frames.map(frameLine)]),
  ].join('\n')
}
