/** Lost control as a person reads it: what was asked for, and from where; or where two runs of one tape parted. */
import type { Divergence, VoidReport } from '../contract/execution.ts'
import { frameLine } from '../execution/frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** @param share which executions say nothing, and so what follows */
export function voidText(property: string, report: VoidReport, style: Style, share: string): string {
  const { what, frames, divergence } = report
  // A sentence says itself what was wrong; else it is something that norn does not control.
  const said = what.endsWith('.')
  return [
    `${style.late('?')} ${style.bold(printableLine(property))}: ${said ? '' : 'control was lost; '}${share}`,
    `  ${printableLine(what)}${said ? '' : ' is not controlled by norn'}`,
    ...(divergence === undefined ? frames.map(frameLine) : divergenceLines(divergence)),
  ].join('\n')
}

/** The step at which two runs part, one line a run with its place below. */
export function divergenceLines({ step, first, second }: Divergence): string[] {
  const side = (title: string, { text, frame }: Divergence['first']) => [
    `  ${title} ${printableLine(text)}`,
    ...(frame === undefined ? [] : [frameLine(frame)]),
  ]
  return [`  They part at step ${step} of the trace:`, ...side('first:', first), ...side('then: ', second)]
}
