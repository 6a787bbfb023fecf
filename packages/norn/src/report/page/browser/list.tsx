/** The failures of a report, those that still fail first, with a search and filters. */
import type { RefObject } from 'preact'
import type { Failure } from '../data.ts'
import { Badge } from './failure.tsx'
import { type Filter, facetsOf, isFiltering, type listed } from './filter.ts'

interface ListProps {
  readonly failures: readonly Failure[]
  readonly parts: ReturnType<typeof listed>
  readonly open: Failure | undefined
  readonly filter: Filter
  /** What the failures are called. */
  readonly what: string
  readonly search: RefObject<HTMLInputElement | null>
  readonly setFilter: (filter: Filter) => void
  readonly choose: (failure: Failure) => void
}

export function List({ failures, parts, open, filter, what, search, setFilter, choose }: ListProps) {
  const shown = parts.reduce((sum, part) => sum + part.failures.length, 0)
  const count = `${failures.length} ${what}${failures.length === 1 ? '' : 's'}`
  const text = failures.length === 0 ? `No ${what}s` : isFiltering(filter) ? `${shown} of ${count}` : count
  const hasParts = parts.length > 1
  return (
    <>
      <h3 class="count">
        <span role="status">{text}</span>
        {isFiltering(filter) && (
          <button type="button" onClick={() => setFilter({})}>
            Show all
          </button>
        )}
      </h3>
      {(failures.length > 1 || isFiltering(filter)) && (
        <Filters failures={failures} filter={filter} search={search} setFilter={setFilter} />
      )}
      {parts.map((part) => (
        <section key={part.title} aria-label={part.title}>
          {hasParts && (
            <h3>
              {part.title} · {part.failures.length}
            </h3>
          )}
          {part.failures.map((each) => (
            <button
              type="button"
              key={each.path}
              class="item"
              aria-current={each === open}
              onClick={() => choose(each)}
            >
              <b>{each.property}</b>
              <span class="headline">{each.headline}</span>
              <Badge replay={each.replay} />
            </button>
          ))}
        </section>
      ))}
    </>
  )
}

function Filters({
  failures,
  filter,
  search,
  setFilter,
}: Pick<ListProps, 'failures' | 'filter' | 'search' | 'setFilter'>) {
  const facets = facetsOf(failures)
  return (
    <search class="filters">
      <input
        type="search"
        ref={search}
        placeholder="Search  ( / )"
        aria-label="Search failures"
        aria-keyshortcuts="/"
        value={filter.text ?? ''}
        onInput={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
      />
      {facets.length > 0 && (
        <details open={isFiltering({ ...filter, text: '' })}>
          <summary>Filter by {facets.map(({ name }) => name).join(', ')}</summary>
          {facets.map(({ name, values }) => (
            <label key={name}>
              <span>{name}</span>
              <select
                value={filter[name] ?? ''}
                onChange={({ currentTarget }) => setFilter({ ...filter, [name]: currentTarget.value })}
              >
                <option value="">all</option>
                {values.map(([value, title, count]) => (
                  <option key={value} value={value}>
                    {title} ({count})
                  </option>
                ))}
              </select>
            </label>
          ))}
        </details>
      )}
    </search>
  )
}
