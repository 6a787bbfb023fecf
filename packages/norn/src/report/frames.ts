/** The key frames that a search reached, and the first missing frame of the others. */
import type { FramesState } from '../contract/key-frames.ts'
import { plural } from '../contract/text.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** Steps of a piece that are shown. */
const MAX_STEPS = 6

/** A line for all key frames, then one for each, the unreached ones first. */
export function framesText(property: string, states: readonly FramesState[], style: Style): string {
  if (states.length === 0)
    return `${style.warning('?')} ${property}: no key frames: neither the folder nor the cluster has any`
  const [hit, missed] = [true, false].map((wanted) => states.filter((each) => (each.foundAt !== undefined) === wanted))
  const last = Math.max(0, ...hit!.map(({ foundAt }) => foundAt!))
  const all = missed!.length === 0
  const count = `${hit!.length} of ${states.length} key frames reached`
  const after = all ? `, the last in execution ${last}` : ''
  return [
    `${all ? style.good('✓') : style.warning('?')} ${property}: ${count}${after}`,
    ...missed!.map(missedLine),
    ...hit!.map(hitLine),
  ].join('\n  ')
}

function missedLine({ name, frames, reached, directed, doubt }: FramesState): string {
  const next = `'${printableLine(frames[reached] ?? '?')}'`
  const where =
    reached === 0 ? `${next} never came` : `${next} never came after '${printableLine(frames[reached - 1]!)}'`
  return `not reached: '${printableLine(name)}': ${where} (${plural(directed, 'execution')} aimed at it)${doubt === undefined ? '' : `; ${printableLine(doubt)}`}`
}

function hitLine({ name, foundAt, pieces }: FramesState): string {
  const found = `'${printableLine(name)}' in execution ${foundAt}`
  if (pieces === undefined) return found
  const shown = pieces.map((piece) => {
    const more = piece.length > MAX_STEPS ? `, … (${piece.length - MAX_STEPS} more)` : ''
    return `${piece.slice(0, MAX_STEPS).join(', ') || 'at once'}${more}`
  })
  return `${found}: ${shown.join(' | ')}`
}
