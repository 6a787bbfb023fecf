/**
 * What a page asks norn to do with a failure: to run it again, and to shrink it. One after the other, in a
 * process of its own each, as `norn replay` and `norn shrink` do it. The page hears of it as of everything else.
 */
import type { RunFlags } from '../../options/table.ts'
import { shrunkText } from '../../report/finding.ts'
import type { Action } from '../../report/page/data.ts'
import { readFailure } from '../../storage/failure-file.ts'
import { UsageError } from '../exit-status.ts'
import { openFailure } from '../open-failure.ts'
import { replayedFailure } from '../replayed-failure.ts'
import { notShrinkable, shrinkSaved } from '../shrink-saved.ts'
import type { LiveReport } from './live-report.ts'

/** Real time for shrinking, as of `norn shrink`, in milliseconds. */
const SHRINK_MS = 60_000

const DOING = { replay: 'Running it again', shrink: 'Shrinking' } as const
const DONE = { replay: 'Re-run', shrink: 'Shrink' } as const

export class Actions {
  readonly #report: LiveReport
  readonly #root: string
  readonly #flags: RunFlags
  #queue: Promise<void> = Promise.resolve()
  /** Ends shrinking early. */
  #stop: (() => void) | undefined
  readonly #closing = new AbortController()

  constructor(report: LiveReport, root: string, flags: RunFlags) {
    this.#report = report
    this.#root = root
    this.#flags = flags
  }

  /** @param path of a failure that the page shows @returns why not */
  replay(path: string): string | undefined {
    return this.#add(path, 'replay', () => this.#replay(path))
  }

  shrink(path: string): string | undefined {
    return this.#add(path, 'shrink', async () => {
      const text = await this.#shrink(path)
      await this.#replay(path)
      return text
    })
  }

  /** Ends the shrinking under way; what it has found so far is saved. */
  stop(): string | undefined {
    if (this.#stop === undefined) return 'nothing is being shrunk'
    this.#stop()
    return undefined
  }

  /** Ends what is under way, and what waits. */
  close(): void {
    this.#closing.abort()
  }

  #add(path: string, kind: Action['kind'], run: () => Promise<string>): string | undefined {
    const refused = this.#report.refusal(path, kind)
    if (refused !== undefined) return refused
    this.#report.tell({ path, kind, isOver: false, text: 'Waits for its turn' })
    this.#queue = this.#queue.then(async () => {
      if (this.#closing.signal.aborted) return
      this.#report.tell({ path, kind, isOver: false, text: DOING[kind] })
      const text = await run().catch((error: Error) => error.message)
      this.#report.tell({ path, kind, isOver: true, text: `${clockTime()} ${DONE[kind]}: ${text}` })
    })
    return undefined
  }

  async #replay(path: string): Promise<string> {
    const { open } = readFailure(path)
    if (open !== undefined)
      throw new UsageError(`found with --open ${open.join()}: norn replay runs it with real servers`)
    const reported = await replayedFailure(path, this.#root, this.#flags, this.#closing.signal)
    this.#report.showReplayed(reported)
    return reported.replayed
  }

  async #shrink(path: string): Promise<string> {
    const why = notShrinkable(readFailure(path))
    if (why !== undefined) throw new UsageError(why)
    const opened = await openFailure(path, this.#flags)
    this.#stop = () => opened.worker.stop()
    const close = () => opened.worker.close()
    this.#closing.signal.addEventListener('abort', close)
    const began = performance.now()
    try {
      const shrunk = await shrinkSaved(opened, SHRINK_MS, () => {
        const share = Math.min(1, (performance.now() - began) / SHRINK_MS)
        this.#report.tell({ path, kind: 'shrink', isOver: false, text: DOING.shrink, share })
      })
      if (shrunk === undefined) return 'it does not fail as saved, so there is nothing to shrink'
      return 'voided' in shrunk ? 'inconclusive, so the file is unchanged' : shrunkText(shrunk.summary, shrunk.input)
    } finally {
      this.#stop = undefined
      this.#closing.signal.removeEventListener('abort', close)
      close()
    }
  }
}

function clockTime(): string {
  return new Date().toTimeString().slice(0, 8)
}
