/** The properties of a project, each with what its searches came to. Pure. */
import type { SearchCounts } from '../../../storage/search-records.ts'
import type { Campaign, PageData } from '../data.ts'

export interface Trend {
  readonly property: string
  readonly file: string
  /** Of the latest search; undefined if none is known. */
  readonly verdict: Campaign['verdict'] | undefined
  /** Of each search, the latest last; of those before norn counted there are none. */
  readonly searches: readonly SearchCounts[]
  /** Its failures in this page. */
  readonly failures: number
}

const keyOf = ({ property, file }: Pick<Campaign, 'property' | 'file'>) => `${file}|${property}`

/** Those with failures first, then by name. @param current the searches of the call under way */
export function trendsOf(
  { campaigns, failures }: Pick<PageData, 'campaigns' | 'failures'>,
  current: readonly Campaign[] = [],
): Trend[] {
  // The latest search is the first of its property.
  const searches = Map.groupBy([...current, ...campaigns], keyOf)
  const failing = Map.groupBy(failures, keyOf)
  const keys = new Set([...searches.keys(), ...failing.keys()])
  const trends = [...keys].map((key): Trend => {
    const [known, own] = [searches.get(key) ?? [], failing.get(key) ?? []]
    const { property, file } = (known[0] ?? own[0])!
    const counted = known.flatMap(({ counts }) => counts ?? []).reverse()
    return { property, file, verdict: known[0]?.verdict, searches: counted, failures: own.length }
  })
  const isCalm = ({ failures: count }: Trend) => Number(count === 0)
  return trends.sort((one, other) => isCalm(one) - isCalm(other) || one.property.localeCompare(other.property))
}
