/** The page of a report: the failures of a project, one of them open, and what is known of its searches. */
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, PageData } from '../data.ts'
import { Campaigns } from './campaigns.tsx'
import { Badge, type Controls, FailureView } from './failure.tsx'
import { Print } from './print.tsx'
import { firstRow, notable, shownRows, stepped } from './stepping.ts'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData

const PAGE = 10
/** Wide enough for two executions side by side. */
const WIDE = 1000

const nameOf = ({ path }: Failure) =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.json$/, '')

interface Place {
  /** Index of the failure; -1 for the searches. */
  readonly open: number
  readonly row: number
}

function startOf(open: number): Place {
  const failure = data.failures[open]
  const execution = failure?.execution
  return { open, row: execution === undefined ? 0 : firstRow(execution, failure?.passing?.parting[0]) }
}

/** The place that the address names. */
function placeOfAddress(): Place {
  const [name = '', row] = decodeURIComponent(location.hash.slice(1)).split('/')
  if (name === 'searches') return startOf(-1)
  const named = data.failures.findIndex((failure) => nameOf(failure) === name)
  const place = startOf(named >= 0 ? named : data.failures.length > 0 ? 0 : -1)
  const rows = data.failures[place.open]?.execution?.rows.length ?? 0
  const wanted = Number(row)
  return row !== undefined && Number.isInteger(wanted) && wanted >= 0 && wanted < rows
    ? { ...place, row: wanted }
    : place
}

function App() {
  const [place, setPlace] = useState(placeOfAddress)
  const [all, setAll] = useState(false)
  const [compares, setCompares] = useState(innerWidth >= WIDE)
  const [helps, setHelps] = useState(false)
  const nav = useRef<HTMLElement>(null)
  const { open, row } = place
  const failure = data.failures[open]
  const execution = failure?.execution
  const go = (to: number) => setPlace({ open, row: to })
  const controls: Controls = {
    row,
    all,
    compares,
    go,
    step: (by) => execution && go(stepped(shownRows(execution, all), row, by)),
    toNotable: (by) => execution && go(notable(execution, row, by)),
    toggle: (what) => (what === 'all' ? setAll(!all) : setCompares(!compares)),
  }
  const choose = (to: number) => setPlace(startOf(Math.max(-1, Math.min(data.failures.length - 1, to))))

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (actOn(event.key, { controls, choose, open, help: setHelps, helps })) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    const onAddress = () => setPlace(placeOfAddress())
    addEventListener('hashchange', onAddress)
    return () => removeEventListener('hashchange', onAddress)
  }, [])
  useEffect(() => {
    const address = failure === undefined ? '#searches' : `#${nameOf(failure)}/${row}`
    history.replaceState(null, '', address)
    nav.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [failure, row])

  return (
    <div class="app">
      <header class="top">
        <h1>
          {data.project} <span class="dim">norn report</span>
        </h1>
        <span class="dim facts">{data.facts.map(([title, text]) => `${title} ${text}`).join(' · ')}</span>
        <button type="button" onClick={() => setHelps(!helps)} title="Keys (?)" aria-expanded={helps}>
          ?
        </button>
      </header>
      {helps && <Help />}
      <nav class="list" ref={nav} aria-label="Failures">
        <button type="button" class="item" aria-current={open < 0} onClick={() => choose(-1)}>
          <b>Searches</b>
          <span class="dim">{searchesText()}</span>
        </button>
        <h3>
          {data.failures.length === 0
            ? 'No saved failures'
            : `${data.failures.length} saved failure${data.failures.length === 1 ? '' : 's'}`}
        </h3>
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
          <Campaigns data={data} />
        ) : (
          <FailureView key={failure.path} data={data} failure={failure} controls={controls} />
        )}
      </main>
    </div>
  )
}

function searchesText(): string {
  const { campaigns } = data
  return campaigns.length === 0 ? 'none recorded' : `${campaigns.length} recorded`
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

const root = document.createElement('div')
root.id = 'root'
const printed = document.createElement('div')
printed.id = 'print'
document.body.append(root, printed)
render(<App />, root)
addEventListener('beforeprint', () => render(<Print data={data} />, printed))
addEventListener('afterprint', () => render(null, printed))
