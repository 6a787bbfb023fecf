/** Which failures a list shows, in which order, and how the address of a page keeps it. Pure. */
import type { Failure } from '../data.ts'

/** In the order of the list: what still fails is what a reader came for. */
const STATUSES = ['failing', 'inconclusive', 'not replayed', 'passes'] as const

/** What fails now, whether by the same trace or not, is one status; others are as the replay found them. */
function statusOf({ replay }: Failure): (typeof STATUSES)[number] {
  return replay === 'exact' || replay === 'fails' || replay === 'found' ? 'failing' : replay
}

const TITLES: Readonly<Record<string, string>> = { failing: 'still fails', passes: 'no longer fails' }

const FACETS = ['property', 'file', 'kind', 'status'] as const
type FacetName = (typeof FACETS)[number]

const facetValue = (failure: Failure, facet: FacetName) => (facet === 'status' ? statusOf(failure) : failure[facet])

/** Words that all have to occur, and a value of each facet that is chosen. */
export interface Filter extends Readonly<Partial<Record<FacetName, string>>> {
  readonly text?: string
}

interface Facet {
  readonly name: FacetName
  /** Each value with its title, and how many failures have it. */
  readonly values: readonly (readonly [value: string, title: string, count: number])[]
}

/** The facets in which failures differ. */
export function facetsOf(failures: readonly Failure[]): Facet[] {
  return FACETS.flatMap((name) => {
    const counts = Map.groupBy(failures, (failure) => facetValue(failure, name))
    if (counts.size < 2) return []
    const values = [...counts].map(([value, of]) => [value, TITLES[value] ?? value, of.length] as const)
    return [{ name, values: values.sort(([, one], [, other]) => one.localeCompare(other)) }]
  })
}

export function isFiltering(filter: Filter): boolean {
  return [filter.text, ...FACETS.map((name) => filter[name])].some((each) => each !== undefined && each !== '')
}

/** The failures that a list shows, by their status, each part in the order of the report. */
export function listed(
  failures: readonly Failure[],
  { text = '', ...chosen }: Filter,
): { readonly title: string; readonly failures: readonly Failure[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = failures.filter((failure) => {
    if (FACETS.some((name) => chosen[name] && chosen[name] !== facetValue(failure, name))) return false
    const { property, file, path, kind, headline, sentence, input, error } = failure
    const all = [property, file, path, kind, headline, sentence, input, error].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const parts = STATUSES.map((status) => ({
    title: TITLES[status] ?? status,
    failures: matching.filter((failure) => statusOf(failure) === status),
  }))
  return parts.filter((part) => part.failures.length > 0)
}

/** Where a reader is. */
export interface Place {
  /** The name of the failure; undefined for the searches. */
  readonly open?: string | undefined
  /** Undefined until its execution is there. */
  readonly row?: number | undefined
}

const SEARCHES = 'searches'

/** `name/12?status=failing`; an address from elsewhere may be anything. */
export function hashOf({ open, row }: Place, filter: Filter): string {
  const query = new URLSearchParams()
  for (const name of ['text', ...FACETS] as const) if (filter[name]) query.set(name, filter[name])
  return `#${open === undefined ? SEARCHES : `${open}/${row ?? ''}`}${query.size === 0 ? '' : `?${query}`}`
}

/** The name of a failure that an address has may be that of none. */
export function addressOf(hash: string): { readonly place?: Place; readonly filter: Filter } {
  const [where = '', query] = hash.slice(1).split('?')
  const asked = new URLSearchParams(query)
  const filter = Object.fromEntries(
    ['text', ...FACETS].flatMap((name) => {
      const value = asked.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
  if (where === SEARCHES) return { place: {}, filter }
  const [open, row = ''] = where.split('/')
  return open === '' ? { filter } : { place: { open, row: /^\d+$/.test(row) ? Number(row) : undefined }, filter }
}
