/** What a page shows whose search runs, and how it takes in what changed. Pure. */
import type { Campaign, Failure, Live, PageData } from '../data.ts'

/** What a page shows. */
export interface Shown {
  readonly data: PageData
  /** Of a page whose search runs, or ran when it was last heard of. */
  readonly live?: LiveCall
}

export interface LiveCall extends Omit<Live, 'changed'> {
  readonly campaigns: readonly Campaign[]
  /** Whether norn answered last. */
  readonly isConnected: boolean
}

export function shownAtFirst(data: PageData, live: Live | undefined): Shown {
  return live === undefined ? { data } : { data, live: merged({ campaigns: [] }, live) }
}

/** The state of the call with what changed in it. */
export function merged({ campaigns: known }: Pick<LiveCall, 'campaigns'>, { changed, ...live }: Live): LiveCall {
  const campaigns = [...known]
  for (const [place, campaign] of changed) campaigns[place] = campaign
  return { ...live, campaigns, isConnected: true }
}

/** New data, in which failures that are the same are the same objects, so that their views stay. */
export function keeping(known: PageData, data: PageData): PageData {
  const before = new Map(known.failures.map((failure) => [failure.path, failure]))
  const isSame = (one: Failure | undefined, other: Failure) => JSON.stringify(one) === JSON.stringify(other)
  const failures = data.failures.map((failure) => {
    const same = before.get(failure.path)
    return isSame(same, failure) ? same! : failure
  })
  return { ...data, failures }
}
