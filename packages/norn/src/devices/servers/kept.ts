/** The servers of one kind that a keeper has started. */
import type { DatabaseTarget } from '../../contract/database.ts'

/** What a keeper has made, and how it goes away. */
export interface Kept {
  readonly targets: readonly DatabaseTarget[]
  remove(): Promise<void>
}
