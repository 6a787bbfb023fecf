/** What the page of `norn ui` asks norn to do. A report has nobody to ask, so it shows none of this. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Action, Failure, Place } from '../data.ts'

export interface Acts {
  readonly actions: readonly Action[]
  /** Opens a place in the reader's editor. */
  open(place: Place): void
  replay(failure: Failure): void
  shrink(failure: Failure): void
  /** Ends the shrinking under way. */
  stop(): void
}

/** Undefined where nobody can act: in a report, on paper, and once norn has ended. */
export const ActsContext = createContext<Acts | undefined>(undefined)

/** A place by its name, which opens the editor where norn can. */
export function PlaceName({ place, name }: { place: Place; name: string }) {
  const acts = useContext(ActsContext)
  if (acts === undefined) return name
  return (
    <button type="button" class="link" title="Open in the editor (o)" onClick={() => acts.open(place)}>
      {name}
    </button>
  )
}

/** Runs a failure again, or shrinks it further. */
export function ActButtons({ failure }: { failure: Failure }) {
  const acts = useContext(ActsContext)
  if (acts === undefined || failure.commands.length === 0) return null
  const isBusy = acts.actions.some(({ path, isOver }) => path === failure.path && !isOver)
  return (
    <span class="acts">
      <button type="button" aria-disabled={isBusy} title="Run it again (r)" onClick={() => acts.replay(failure)}>
        Re-run
      </button>
      <button type="button" aria-disabled={isBusy} title="Shrink it further (s)" onClick={() => acts.shrink(failure)}>
        Shrink
      </button>
    </span>
  )
}

/** What norn does with a failure, or what came of it. */
export function ActProgress({ failure }: { failure: Failure }) {
  const acts = useContext(ActsContext)
  const action = acts?.actions.find(({ path }) => path === failure.path)
  if (acts === undefined || action === undefined) return null
  const { isOver, text, share } = action
  return (
    <div class="acting">
      <span role="status">{text}</span>
      {!isOver && <progress value={share} aria-label={text} />}
      {!isOver && share !== undefined && (
        <button type="button" onClick={() => acts.stop()}>
          Stop and keep the smallest
        </button>
      )}
    </div>
  )
}
