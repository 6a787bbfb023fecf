/** A table of the properties, with the trend of their searches. */
import type { Campaign, PageData } from '../data.ts'
import { trendsOf } from './trends.ts'

/** By the verdict of a search. */
export const MARKS = {
  failed: ['✗', 'bad'],
  passed: ['✓', 'good'],
  inconclusive: ['?', 'late'],
  searching: ['●', 'now'],
  waiting: ['○', 'dim'],
  'not run': ['–', 'dim'],
} as const

interface TrendsProps {
  readonly data: PageData
  readonly current: readonly Campaign[] | undefined
  /** Shows the failures of a property. */
  readonly show: ((property: string) => void) | undefined
}

export function TrendTable({ data, current, show }: TrendsProps) {
  const trends = trendsOf(data, current)
  if (trends.length === 0) return null
  return (
    <section class="trends" aria-label="Properties">
      <table>
        <thead>
          <tr>
            <th>Property</th>
            <th>Executions</th>
            <th>Covered</th>
            <th>Found</th>
            <th>Failures</th>
          </tr>
        </thead>
        <tbody>
          {trends.map(({ property, file, verdict, searches, failures }) => {
            const [mark, style] = MARKS[verdict ?? 'not run']
            return (
              <tr key={`${file}|${property}`}>
                <td>
                  <span class={style} title={verdict}>
                    {mark}
                  </span>{' '}
                  {property}
                  <div class="dim small">{file}</div>
                </td>
                <Values what="executions" values={searches.map(({ executions }) => executions)} />
                <Values what="covered" values={searches.flatMap(({ covered }) => covered ?? [])} />
                <Values what="failures found" values={searches.map(({ failures: found }) => found)} isBad />
                <td>
                  {failures === 0 || show === undefined ? (
                    failures || ''
                  ) : (
                    <button type="button" class="link" onClick={() => show(property)}>
                      {failures} <span class="unseen">of {property}</span>
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class="dim small">
        Each bar is a search, the latest at the right, and the number is its own. Covered: branches, orders of tasks and
        states that a guided search discovered.
      </p>
    </section>
  )
}

const [BAR, HEIGHT] = [5, 16] as const

/** The latest value, and a bar for each. */
function Values({ what, values, isBad = false }: { what: string; values: readonly number[]; isBad?: boolean }) {
  const latest = values.at(-1)
  if (latest === undefined) return <td class="dim">–</td>
  const most = Math.max(1, ...values)
  const told = values.map((value) => value.toLocaleString('en'))
  return (
    <td class={isBad && latest > 0 ? 'value bad' : 'value'}>
      <span>{told.at(-1)}</span>
      {values.length > 1 && (
        <svg
          role="img"
          aria-label={`${what} of ${values.length} searches: ${told.join(', ')}`}
          width={values.length * BAR}
          height={HEIGHT}
        >
          <title>{told.join(', ')}</title>
          {values.map((value, at) => {
            const height = Math.max(1, Math.round((value / most) * HEIGHT))
            return <rect key={at} x={at * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />
          })}
        </svg>
      )}
    </td>
  )
}
