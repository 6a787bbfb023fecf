/**
 * Asks norn for what changed, while a page is open. Plain requests, one after the other: a page that is
 * slow or asleep asks less often, and browsers open six connections to a server at most, which as many
 * open streams of events would use up.
 */
import type { Live } from '../data.ts'
import { keeping, merged, type Shown } from './live.ts'

/** Real time between two requests: while norn searches, and else. In milliseconds. */
const SEARCHING_MS = 1000
const IDLE_MS = 2000

/** Asks for changes until the page closes. Another call of norn has another page, which is loaded. */
export async function follow(first: Shown, show: (shown: Shown) => void): Promise<void> {
  let { data, live } = first
  while (live !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, live!.isOver || !live!.isConnected ? IDLE_MS : SEARCHING_MS))
    // Drawing costs a processor that the search could use.
    if (document.hidden) continue
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
