/**
 * The page of a report: the failures of a project, one of them open, and what is known of its searches.
 * A reader stays at a place, whatever comes in while a search runs.
 */
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, PageData } from '../data.ts'
import { type Acts, ActsContext } from './acting.tsx'
import { Campaigns } from './campaigns.tsx'
import { type Controls, FailureView } from './failure.tsx'
import { addressOf, hashOf, listed, type Place } from './filter.ts'
import { act, follow, Waker } from './follow.ts'
import { type Acting, actOn, Help } from './keys.tsx'
import { List } from './list.tsx'
import { type LiveCall, type Shown, shownAtFirst } from './live.ts'
import { Print } from './print.tsx'
import { firstRow, notable, shownRows, stepped } from './stepping.ts'

/** Wide enough for two executions side by side. */
const WIDE = 1000

const nameOf = ({ path }: Failure) =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.json$/, '')

/** The place that the address names; else the first failure of a report, or the searches while one runs. */
function placeOfAddress({ data, live }: Shown): Place {
  const { place, filter } = addressOf(location.hash)
  const isKnown = data.failures.some((failure) => nameOf(failure) === place?.open)
  if (place !== undefined && (place.open === undefined || isKnown)) return place
  const [first] = listed(data.failures, filter).flatMap(({ failures }) => failures)
  return first === undefined || live !== undefined ? {} : { open: nameOf(first) }
}

/** The row of an execution at which a reader is. */
function rowOf({ execution, passing }: Failure, row: number | undefined): number {
  if (execution === undefined) return 0
  return row !== undefined && row < execution.rows.length ? row : firstRow(execution, passing?.parting[0])
}

function App({ first }: { first: Shown }) {
  const [shown, setShown] = useState(first)
  const [place, setPlace] = useState(() => placeOfAddress(first))
  const [filter, setFilter] = useState(() => addressOf(location.hash).filter)
  const [all, setAll] = useState(false)
  const [compares, setCompares] = useState(innerWidth >= WIDE)
  const [helps, setHelps] = useState(false)
  const [notice, setNotice] = useState<string>()
  const waker = useRef(new Waker())
  const nav = useRef<HTMLElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const { data, live } = shown
  const parts = listed(data.failures, filter)
  const inList = parts.flatMap(({ failures }) => failures)
  const failure = data.failures.find((each) => nameOf(each) === place.open)
  const execution = failure?.execution
  const row = failure === undefined ? 0 : rowOf(failure, place.row)
  const go = (to: number) => setPlace({ ...place, row: to })
  const controls: Controls = {
    row,
    all,
    compares,
    go,
    step: (by) => execution && go(stepped(shownRows(execution, all), row, by)),
    toNotable: (by) => execution && go(notable(execution, row, by)),
    toggle: (what) => (what === 'all' ? setAll(!all) : setCompares(!compares)),
  }
  const choose = (chosen: Failure | undefined) => setPlace(chosen === undefined ? {} : { open: nameOf(chosen) })
  const show = (property: string) => {
    setFilter({ property })
    choose(data.failures.find((each) => each.property === property))
  }
  const move = (by: 1 | -1) => {
    const to = (failure === undefined ? -1 : inList.indexOf(failure)) + by
    choose(inList[Math.min(inList.length - 1, to)])
  }

  const ask = async (path: string, asked: Parameters<typeof act>[1] = {}) => {
    setNotice(await act(path, asked))
    waker.current.wake()
  }
  const acts: Acts | undefined = live?.isConnected
    ? {
        actions: live.actions,
        open: ([file, line]) => ask('open', { file, line }),
        replay: ({ path }) => ask('replay', { failure: path }),
        shrink: ({ path }) => ask('shrink', { failure: path }),
        stop: () => ask('stop'),
      }
    : undefined

  useEffect(() => void follow(first, waker.current, setShown), [first])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target === search.current && search.current !== null) {
        if (event.key === 'Enter' && inList.length > 0) choose(inList[0])
        if (event.key === 'Enter' || event.key === 'Escape') search.current.blur()
        return
      }
      const focus = () => search.current?.focus()
      const acting = {
        ...{ controls: execution && controls, move, search: focus, help: setHelps, helps },
        ...(failure && acts && actsOn(failure, row, acts)),
      }
      if (actOn(event, acting)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    const onAddress = () => {
      setPlace(placeOfAddress(shown))
      setFilter(addressOf(location.hash).filter)
    }
    const onPrint = () => render(<Print data={data} current={live?.campaigns} />, printed)
    addEventListener('hashchange', onAddress)
    addEventListener('beforeprint', onPrint)
    return () => {
      removeEventListener('hashchange', onAddress)
      removeEventListener('beforeprint', onPrint)
    }
  })
  useEffect(() => {
    // What comes in later must not move the reader.
    if (execution !== undefined && place.row !== row) setPlace({ ...place, row })
    nav.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [place.open, execution, row])
  useAddress(hashOf(failure === undefined ? {} : { open: place.open, row }, filter))
  useEffect(() => {
    if (live !== undefined) document.title = titleOf(data)
  }, [data])

  return (
    <div class="app">
      <header class="top">
        <h1>
          {data.project} <span class="dim">{live === undefined ? 'norn report' : 'norn ui'}</span>
        </h1>
        {live === undefined ? (
          <span class="dim facts">{data.facts.map(([title, text]) => `${title} ${text}`).join(' · ')}</span>
        ) : (
          <Doing live={live} />
        )}
        <button type="button" onClick={() => setHelps(!helps)} aria-keyshortcuts="?" aria-expanded={helps}>
          Keys
        </button>
      </header>
      {helps && <Help acts={live !== undefined} />}
      {notice !== undefined && (
        <p class="notice late" role="alert">
          {notice}{' '}
          <button type="button" onClick={() => setNotice(undefined)}>
            Close
          </button>
        </p>
      )}
      <nav class="list" ref={nav} aria-label="Failures">
        <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main')?.focus()}>
          Skip the list
        </button>
        <button type="button" class="item" aria-current={failure === undefined} onClick={() => choose(undefined)}>
          <b>Searches</b>
          <span class="dim">{searchesText(shown)}</span>
        </button>
        <List
          failures={data.failures}
          parts={parts}
          open={failure}
          filter={filter}
          what={live === undefined ? 'saved failure' : 'failure'}
          search={search}
          setFilter={setFilter}
          choose={choose}
        />
        {data.unreadable.map((problem) => (
          <p key={problem} class="late small">
            ! {problem}
          </p>
        ))}
      </nav>
      <main tabIndex={-1}>
        {failure === undefined ? (
          <Campaigns data={data} current={live?.campaigns} show={show} />
        ) : (
          <ActsContext.Provider value={acts}>
            <FailureView key={failure.path} data={data} failure={failure} controls={controls} />
          </ActsContext.Provider>
        )}
      </main>
    </div>
  )
}

/** What keys ask norn for, of a step of a failure. */
function actsOn(failure: Failure, row: number, acts: Acts): Pick<Acting, 'replay' | 'shrink' | 'openPlace'> {
  const [place] = failure.execution?.rows[row]?.places ?? failure.places
  return {
    replay: () => acts.replay(failure),
    shrink: () => acts.shrink(failure),
    openPlace: () => place && acts.open(place),
  }
}

/** Browsers refuse more changes of the address than some hundred in half a minute. */
const ADDRESS_MS = 300

/** Keeps the address; one that changes fast, as under a slider, follows when it rests. */
function useAddress(hash: string): void {
  const written = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const before = location.hash
    if (before === hash) return
    const write = () => {
      // Whoever has gone elsewhere meanwhile stays there: the event of that is on its way.
      if (location.hash !== before) return
      written.current = performance.now()
      history.replaceState(null, '', hash)
    }
    const rest = written.current + ADDRESS_MS - performance.now()
    if (rest <= 0) return write()
    const timer = setTimeout(write, rest)
    return () => clearTimeout(timer)
  }, [hash])
}

/** What norn does now, as far as the page hears from it. */
function Doing({ live: { doing, isOver, isConnected } }: { live: LiveCall }) {
  if (!isConnected) return <Status style="late" text="norn has ended" hint="the page keeps what it has" />
  if (isOver) return <Status style="dim" text={doing} hint="Ctrl-C in the terminal ends norn" />
  return <Status style="now" text={doing} />
}

function Status({ style, text, hint }: { style: string; text: string; hint?: string }) {
  return (
    <span class={`doing ${style}`} role="status">
      {text}
      {hint !== undefined && <span class="hint"> · {hint}</span>}
    </span>
  )
}

function titleOf({ project, failures }: PageData): string {
  return `${failures.length === 0 ? '' : `(${failures.length}) `}norn ui: ${project}`
}

function searchesText({ data, live }: Shown): string {
  const { length } = data.campaigns
  if (live === undefined) return length === 0 ? 'none recorded' : `${length} recorded`
  const ended = live.campaigns.filter(({ verdict }) => verdict !== 'searching' && verdict !== 'waiting').length
  return `${ended} of ${live.campaigns.length} ended`
}

function jsonOf<Value>(id: string): Value | undefined {
  const text = document.getElementById(id)?.textContent
  return text === undefined || text === null ? undefined : JSON.parse(text)
}

const root = document.createElement('div')
root.id = 'root'
const printed = document.createElement('div')
printed.id = 'print'
document.body.append(root, printed)
render(<App first={shownAtFirst(jsonOf('data')!, jsonOf('live'))} />, root)
addEventListener('afterprint', () => render(null, printed))
