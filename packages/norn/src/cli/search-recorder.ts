/** Records the searches of a call, for the pages of reports. */
import type { SessionEvent } from '../contract/events.ts'
import { DiscoveryCurve } from '../report/discovery-curve.ts'
import { discovered } from '../report/guided.ts'
import { recordOf } from '../report/search-facts.ts'
import type { Reporter, Searched } from '../session/reporter.ts'
import { recordSearch } from '../storage/search-records.ts'

export class SearchRecorder implements Reporter {
  readonly #root: string
  /** Of the search under way. */
  #curve = new DiscoveryCurve()

  constructor(root: string) {
    this.#root = root
  }

  report(event: SessionEvent, from: Searched): void {
    if (event.type === 'searching') this.#curve = new DiscoveryCurve()
    if (event.type === 'progress' && event.guided !== undefined)
      this.#curve.add(event.executions, discovered(event.guided))
    if (event.type !== 'searched') return
    const { file, property } = from.target
    recordSearch(this.#root, file, property.name, recordOf(event, from, this.#curve))
  }
}
