/** What outlives an execution: a warning, not a failure. */
import type { LeakReport } from '../contract/execution.ts'
import { frameLine } from '../execution/frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** The kinds whose report names only the thing that was changed. */
const CHANGED: ReadonlySet<string> = new Set(['object', 'environment', 'working directory'])

export function leakText(property: string, leaks: readonly LeakReport[], style: Style): string {
  return [
    `${style.warning('!')} ${style.bold(printableLine(property))}: leaks in executions that pass`,
    ...leaks.flatMap((leak) => [
      `  ${printableLine(CHANGED.has(leak.kind) ? `changed ${leak.what}` : leak.what)}`,
      ...leak.frames.map(frameLine),
    ]),
  ].join('\n')
}
