/** The lines of source around a place. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageData, Place, Run } from '../data.ts'
import { PlaceName } from './acting.tsx'

interface SourceProps {
  readonly data: Pick<PageData, 'files' | 'sources'>
  readonly places: readonly Place[]
}

const AROUND = 3

/** The innermost place with its lines, and the others as names; nothing if there are none. */
export function Source({ data, places }: SourceProps) {
  const [place, ...callers] = places
  if (place === undefined) return <p class="none">No line of source is recorded for this step.</p>
  return (
    <>
      <Excerpt data={data} place={place} isFirst />
      {callers.length > 0 && (
        <details class="callers">
          <summary>{callers.length === 1 ? '1 caller' : `${callers.length} callers`}</summary>
          {callers.map((each) => (
            <Excerpt key={each.join()} data={data} place={each} />
          ))}
        </details>
      )}
    </>
  )
}

interface ExcerptProps {
  readonly data: SourceProps['data']
  readonly place: Place
  /** Its line is in view. */
  readonly isFirst?: boolean
}

function Excerpt({ data, place, isFirst = false }: ExcerptProps) {
  const [file, line] = place
  const passage = data.sources[file]?.find(({ first, lines }) => first <= line && line < first + lines.length)
  const name = `${data.files[file]}:${line}`
  const figure = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // Only what scrolls by itself moves: never the page.
    const [section, here] = [figure.current?.closest('.detail section'), figure.current?.querySelector('.here')]
    if (!isFirst || !section || !here) return
    section.scrollTop = 0
    const [from, to] = [section.getBoundingClientRect(), here.getBoundingClientRect()]
    if (to.bottom > from.bottom) section.scrollTop += to.bottom - from.bottom + 8
  }, [name])
  if (passage === undefined)
    return (
      <p class="place">
        <PlaceName place={place} name={name} /> <span class="dim">(not read)</span>
      </p>
    )
  const numbered = passage.lines.map((text, at) => [passage.first + at, text, passage.runs?.[at] ?? []] as const)
  const near = numbered.filter(([number]) => Math.abs(number - line) <= AROUND)
  const indent = Math.min(...near.filter(([, text]) => text.trim() !== '').map(([, text]) => text.search(/\S/)))
  return (
    <figure class="excerpt" ref={figure}>
      <figcaption class="place">
        <PlaceName place={place} name={name} />
      </figcaption>
      <pre>
        {near.map(([number, text, runs]) => (
          <code key={number} class={number === line ? 'here' : ''}>
            <span class="number">{number}</span>
            <Line text={text} from={indent} runs={runs} />
            {'\n'}
          </code>
        ))}
      </pre>
    </figure>
  )
}

/** A line with its colours, from a column on. */
function Line({ text, from, runs }: { text: string; from: number; runs: readonly Run[] }) {
  let at = from
  const parts = runs.flatMap(([first, last, kind]) => {
    const plain = text.slice(at, Math.max(at, first))
    const run = text.slice(Math.max(at, first), last)
    at = Math.max(at, last)
    return [plain, run === '' ? '' : <span class={`w-${kind}`}>{run}</span>]
  })
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
