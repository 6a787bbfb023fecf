/** The steps of an execution as a slider, with the steps at which a reader should stop. */
import { timeTextOf } from '../../diagram/units.ts'
import type { Execution, Step } from '../data.ts'
import { happened } from './diagram.tsx'
import { isNotable } from './stepping.ts'

/** Marks are drawn at so many places at most. */
const PLACES = 400

interface ScrubberProps {
  readonly execution: Execution
  readonly shown: readonly number[]
  /** The place of the current row among those shown. */
  readonly at: number
  readonly go: (row: number) => void
}

export function Scrubber({ execution, shown, at, go }: ScrubberProps) {
  const { rows } = execution
  const last = Math.max(1, shown.length - 1)
  const marks = new Map<number, string>()
  for (const [place, index] of shown.entries()) {
    const row = rows[index]!
    if (isNotable(row)) marks.set(Math.round((place / last) * PLACES) / PLACES, markOf(row))
  }
  const now = rows[shown[at]!]
  const time = now?.atUs === undefined ? '' : `, ${timeTextOf(execution)(now.atUs)} ms`
  return (
    <div class="scrubber">
      <input
        type="range"
        min={1}
        max={shown.length}
        value={at + 1}
        aria-label="Step"
        aria-valuetext={now && `${at + 1} of ${shown.length}${time}: ${happened(now)}`}
        onInput={({ currentTarget }) => go(shown[Number(currentTarget.value) - 1]!)}
      />
      <div aria-hidden="true">
        {[...marks].map(([share, kind]) => (
          <span key={share} class={kind} style={`left:${100 * share}%`} />
        ))}
      </div>
    </div>
  )
}

function markOf({ isFailure }: Step): string {
  return isFailure ? 'bad' : 'late'
}
