/**
 * Asks norn for what changed, while a page is open. Plain requests, one after the other: a page that is
 * slow or asleep asks less often, and browsers open six connections to a server at most, which as many
 * open streams of events would use up.
 */
import type { Live } from '../data.ts'
import { keeping, type LiveCall, merged, type Shown } from './live.ts'

/** Real time between two requests: while norn does what a reader asked for, searches, and else. In milliseconds. */
const ACTING_MS = 300
const SEARCHING_MS = 1000
const IDLE_MS = 2000

function pauseOf({ actions, isOver, isConnected }: LiveCall): number {
  if (isConnected && actions.some((action) => !action.isOver)) return ACTING_MS
  return isOver || !isConnected ? IDLE_MS : SEARCHING_MS
}

/** Ends the pause before the next request; one that comes during a request ends the pause after it. */
export class Waker {
  #isCalled = false
  #end: () => void = () => {}

  wake(): void {
    this.#isCalled = true
    this.#end()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        this.#end = resolve
        setTimeout(resolve, ms)
      })
    }
    this.#isCalled = false
  }
}

/** Asks for changes until the page closes. Another call of norn has another page, which is loaded. */
export async function follow(first: Shown, waker: Waker, show: (shown: Shown) => void): Promise<void> {
  let { data, live } = first
  while (live !== undefined) {
    await waker.wait(pauseOf(live))
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

/** Asks norn to do something. @returns why it does not */
export async function act(path: string, asked: Readonly<Record<string, string | number>>): Promise<string | undefined> {
  try {
    const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, `${value}`]))
    const response = await fetch(`${path}?${query}`, { method: 'POST' })
    return response.ok ? (await response.json()).refused : (await response.text()).trim()
  } catch {
    return 'norn has ended'
  }
}
