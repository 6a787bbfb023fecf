/** Times in words. */
import type { Diagram } from './diagram.ts'

export function milliseconds(us: number): string {
  return (us / 1000).toFixed(2)
}

/** A delay, in a unit in which it does not read as zero. */
export function delayText(us: number): string {
  return us < 10 ? `${us} µs` : `${milliseconds(us)} ms`
}

/** How the times of a diagram are written: those of a cluster in whole milliseconds, if all are. */
export function timeTextOf({ columns, rows }: Pick<Diagram, 'columns' | 'rows'>): (us: number) => string {
  const isWhole = columns === 'nodes' && rows.every(({ atUs = 0 }) => atUs % 1000 === 0)
  return isWhole ? (us) => String(us / 1000) : milliseconds
}
