/**
 * The page of a report: the failures of a project, one of them open, and what is known of its searches.
 * A reader stays at a place, whatever comes in while a search runs.
 */
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, PageData } from '../data.ts'
import { Campaigns } from './campaigns.tsx'
import { Badge, type Controls, FailureView } from './failure.tsx'
import { follow } from './follow.ts'
import { type LiveCall, type Shown, shownAtFirst } from './live.ts'
import { Print } from './print.tsx'
import { firstRow, notable, shownRows, stepped } from './stepping.ts'

const PAGE = 10
/** Wide enough for two executions side by side. */
const WIDE = 1000

const nameOf = ({ path }: Failure) =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.json$/, '')

/** Where the reader is. */
interface Place {
  /** The name of the failure; undefined for the searches. */
  readonly open: string | undefined
  /** Undefined until its execution is there. */
  readonly row?: number | undefined
}

/** The place that the address names; else the first failure of a report, or the searches while one runs. */
function placeOfAddress({ data, live }: Shown): Place {
  const [name = '', row = ''] = decodeURIComponent(location.hash.slice(1)).split('/')
  if (name === 'searches') return { open: undefined }
  const [first] = data.failures
  if (!data.failures.some((failure) => nameOf(failure) === name))
    return { open: first === undefined || live !== undefined ? undefined : nameOf(first) }
  return { open: name, row: /^\d+$/.test(row) ? Number(row) : undefined }
}

/** The row of an execution at which a reader is. */
function rowOf({ execution, passing }: Failure, row: number | undefined): number {
  if (execution === undefined) return 0
  return row !== undefined && row < execution.rows.length ? row : firstRow(execution, passing?.parting[0])
}

function App({ first }: { first: Shown }) {
  const [shown, setShown] = useState(first)
  const [place, setPlace] = useState(() => placeOfAddress(first))
  const [all, setAll] = useState(false)
  const [compares, setCompares] = useState(innerWidth >= WIDE)
  const [helps, setHelps] = useState(false)
  const nav = useRef<HTMLElement>(null)
  const { data, live } = shown
  const open = data.failures.findIndex((failure) => nameOf(failure) === place.open)
  const failure = data.failures[open]
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
  const choose = (to: number) => {
    const chosen = data.failures[Math.min(data.failures.length - 1, to)]
    setPlace({ open: chosen && nameOf(chosen) })
  }

  useEffect(() => void follow(first, setShown), [first])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (actOn(event.key, { controls, choose, open, help: setHelps, helps })) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    const onAddress = () => setPlace(placeOfAddress(shown))
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
    const address = failure === undefined ? '#searches' : `#${nameOf(failure)}/${row}`
    if (location.hash !== address) history.replaceState(null, '', address)
    nav.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [place.open, execution, row])
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
        <button type="button" onClick={() => setHelps(!helps)} title="Keys (?)" aria-expanded={helps}>
          ?
        </button>
      </header>
      {helps && <Help />}
      <nav class="list" ref={nav} aria-label="Failures">
        <button type="button" class="item" aria-current={open < 0} onClick={() => choose(-1)}>
          <b>Searches</b>
          <span class="dim">{searchesText(shown)}</span>
        </button>
        <h3>{failuresText(shown)}</h3>
        {data.failures.map((each, index) => (
          <button
            type="button"
            key={each.path}
            class="item"
            aria-current={index === open}
            onClick={() => choose(index)}
          >
            <b>{each.property}</b>
            <span class="headline">{each.headline}</span>
            <Badge replay={each.replay} />
          </button>
        ))}
        {data.unreadable.map((problem) => (
          <p key={problem} class="late small">
            ! {problem}
          </p>
        ))}
      </nav>
      <main>
        {failure === undefined ? (
          <Campaigns data={data} current={live?.campaigns} />
        ) : (
          <FailureView key={failure.path} data={data} failure={failure} controls={controls} />
        )}
      </main>
    </div>
  )
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

function failuresText({ data: { failures }, live }: Shown): string {
  const what = live === undefined ? 'saved failure' : 'failure'
  return failures.length === 0 ? `No ${what}s` : `${failures.length} ${what}${failures.length === 1 ? '' : 's'}`
}

interface Acting {
  readonly controls: Controls
  readonly choose: (failure: number) => void
  readonly open: number
  readonly help: (shown: boolean) => void
  readonly helps: boolean
}

/** What a key does; false if nothing. */
function actOn(key: string, { controls, choose, open, help, helps }: Acting): boolean {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => controls.step(1),
    ArrowRight: () => controls.step(1),
    ArrowUp: () => controls.step(-1),
    ArrowLeft: () => controls.step(-1),
    PageDown: () => controls.step(PAGE),
    PageUp: () => controls.step(-PAGE),
    Home: () => controls.step(Number.NEGATIVE_INFINITY),
    End: () => controls.step(Number.POSITIVE_INFINITY),
    j: () => choose(open + 1),
    k: () => choose(open - 1),
    n: () => controls.toNotable(1),
    p: () => controls.toNotable(-1),
    a: () => controls.toggle('all'),
    c: () => controls.toggle('compares'),
    '?': () => help(!helps),
    Escape: () => help(false),
  }
  if (!Object.hasOwn(actions, key)) return false
  actions[key]!()
  return true
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['↑ ↓ ← →', 'step back and forward'],
  ['Page Up, Page Down', `${PAGE} steps`],
  ['Home, End', 'first and last step'],
  ['n, p', 'next and previous step that departs or decides'],
  ['j, k', 'next and previous failure'],
  ['a', 'every step, or only those that matter'],
  ['c', 'passing execution beside it'],
]

function Help() {
  return (
    <aside class="help">
      <dl>
        {KEYS.map(([keys, what]) => (
          <>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p class="dim">
        ◆ departs from the default schedule · ▶ the passing execution parts here · + the passing execution lacks it · ✗
        lost, fault or failure · ms: virtual time
      </p>
    </aside>
  )
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
