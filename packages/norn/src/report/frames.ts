/** Which key frames a search reached, and what is missing of the others. */
import type { FramesState } from '../contract/key-frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** Of the steps of a piece, so many are told. */
const MAX_STEPS = 6

/** A line for the whole, and one for each; those that were not reached first. */
export function framesText(property: string, states: readonly FramesState[], style: Style): string {
  if (states.length === 0)
    return `${style.late('?')} ${property}: no key frames are asked for: neither the folder nor the cluster has any for it`
  const [hit, missed] = [true, false].map((wanted) => states.filter((each) => (each.foundAt !== undefined) === wanted))
  const last = Math.max(0, ...hit!.map(({ foundAt }) => foundAt!))
  const all = missed!.length === 0
  const count = `${hit!.length} of ${states.length} key frames reached`
  const after = all ? `, the last in execution ${last}` : ''
  return [
    `${all ? style.good('✓') : style.late('?')} ${property}: ${count}${after}`,
    ...missed!.map(missedLine),
    ...hit!.map(hitLine),
  ].join('\n  ')
}

function missedLine({ name, frames, reached, directed, doubt }: FramesState): string {
  const next = `'${printableLine(frames[reached] ?? '?')}'`
  const where =
    reached === 0 ? `${next} never came` : `${next} never came after '${printableLine(frames[reached - 1]!)}'`
  return `not reached: '${printableLine(name)}': ${where} (${directed} executions looked for it)${doubt === undefined ? '' : `; ${printableLine(doubt)}`}`
}

function hitLine({ name, foundAt, pieces }: FramesState): string {
  const found = `'${printableLine(name)}' in execution ${foundAt}`
  if (pieces === undefined) return found
  const told = pieces.map((piece) => {
    const more = piece.length > MAX_STEPS ? `, … (${piece.length - MAX_STEPS} more)` : ''
    return `${piece.slice(0, MAX_STEPS).join(', ') || 'at once'}${more}`
  })
  return `${found}: ${told.join(' | ')}`
}
