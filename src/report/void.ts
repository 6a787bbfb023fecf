/** Lost control as a person reads it: what was asked for, and from where. */
import type { VoidReport } from '../explore/execution.ts'
import { frameLine } from '../property/frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** @param share which executions say nothing, and so what follows */
export function voidText(property: string, { what, frames }: VoidReport, style: Style, share: string): string {
  return [
    `${style.late('?')} ${style.bold(printableLine(property))}: control was lost; ${share}`,
    `  ${printableLine(what)} is not controlled by norn`,
    ...frames.map(frameLine),
  ].join('\n')
}
