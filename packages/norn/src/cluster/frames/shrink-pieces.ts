/**
 * Makes the pieces of an execution that passes key frames small, one piece after the other: runs of
 * steps are taken out, and single steps made natural, as long as all frames are still passed in
 * order.
 *
 * A piece ends where its frame is reached, so an execution that reaches a frame earlier has
 * shortened its piece, and the others stay what they are. A generator, so that whoever runs
 * executions, at once or planned one by one, can drive it: it gives the steps of a candidate and
 * takes the steps at which the frames were reached.
 */
import { NATURAL } from '../steps.ts'
import { piecesOf } from './frame-search.ts'

/**
 * What came of a candidate: the step at which each frame was reached, and the steps that were
 * drawn.
 */
export interface Ran {
  readonly at: readonly number[]
  readonly drawn: readonly number[]
}

export type Pieces = readonly (readonly number[])[]

/** Candidates that are tried at most. */
export const MAX_TRIES = 400

export function* shrinkPieces(pieces: Pieces): Generator<readonly number[], Pieces, Ran> {
  let best = pieces
  let tries = 0
  for (let improved = true; improved && tries < MAX_TRIES; ) {
    improved = false
    for (let piece = best.length - 1; piece >= 0; piece--) {
      for (let size = best[piece]!.length; size >= 1; size = Math.floor(size / 2)) {
        for (let start = best[piece]!.length - size; start >= 0; start -= size) {
          const without = best[piece]!.toSpliced(start, size)
          const calmed = best[piece]!.map((step, at) => (at >= start && at < start + size ? NATURAL : step))
          for (const candidate of [without, calmed]) {
            if (isSame(candidate, best[piece]!)) continue
            if (tries++ >= MAX_TRIES) return best
            const steps = best.toSpliced(piece, 1, candidate).flat()
            const shrunk = accepted(best, yield steps)
            if (shrunk === undefined) continue
            best = shrunk
            improved = true
            break
          }
        }
      }
    }
  }
  return best
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((step, at) => step === other[at])
}

/**
 * What ran, if it passes all frames and is simpler: fewer steps that are not natural, or as many
 * and fewer steps.
 */
function accepted(best: Pieces, { at, drawn }: Ran): Pieces | undefined {
  if (at.length < best.length) return undefined
  const pieces = piecesOf(drawn, at)
  const [now, before] = [pieces.flat(), best.flat()]
  const [departures, departuresBefore] = [now, before].map((steps) => steps.filter((step) => step !== NATURAL).length)
  const isSimpler = departures! < departuresBefore! || (departures === departuresBefore && now.length < before.length)
  return isSimpler ? pieces : undefined
}
