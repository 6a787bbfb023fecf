/**
 * A page whose search runs asks for what changed, and shows it. Plain requests, one after the other: a
 * page that is slow or asleep asks less often, and browsers open six connections to a server at most,
 * which as many open streams of events would use up.
 */
import type { Campaign, Failure, Live, PageData } from '../data.ts'

/** Real time between two requests: while norn searches, and else. In milliseconds. */
const SEARCHING_MS = 500
const IDLE_MS = 2000

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

/** Asks for changes until the page closes. Another call of norn has another page, which is loaded. */
export async function follow(first: Shown, show: (shown: Shown) => void): Promise<void> {
  let { data, live } = first
  while (live !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, live!.isOver || !live!.isConnected ? IDLE_MS : SEARCHING_MS))
    try {
      const now: Live = await asked(`live?since=${live.revision}`)
      if (now.call !== live.call) {
        location.reload()
        return
      }
      if (now.revision === live.revision && live.isConnected) continue
      if (now.data !== live.data) data = keeping(data, await asked('data'))
      live = merged(live, now)
    } catch {
      if (!live.isConnected) continue
      live = { ...live, isConnected: false }
    }
    show({ data, live })
  }
}

async function asked<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}
