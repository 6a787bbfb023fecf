/**
 * An execution as a space-time diagram: time downwards, a line for each lane, a row for each step.
 * Only the rows in view are in the document, so that thousands scroll smoothly.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Execution, Row } from '../data.ts'
import { type Layout, layoutOf } from './lanes.ts'
import { placeOf } from './stepping.ts'

const ROW = 24
const OVERSCAN = 8
/** Rows that are drawn before the size of the view is known, and its width. */
const FIRST = 40
const WIDTH = 600

interface View {
  readonly top: number
  readonly height: number
  readonly width: number
}

const viewOf = ({ scrollTop, clientHeight, clientWidth }: HTMLElement): View => ({
  top: scrollTop,
  height: clientHeight,
  width: clientWidth,
})

interface DiagramProps {
  readonly id: string
  readonly title: string
  readonly execution: Execution
  /** Indices of the rows that are shown. */
  readonly shown: readonly number[]
  readonly cursor: number
  /** The row at which the two executions part. */
  readonly parting?: number | undefined
  readonly kind: 'failing' | 'passing'
  readonly onPick: (row: number) => void
}

export function Diagram({ id, title, execution, shown, cursor, parting, kind, onPick }: DiagramProps) {
  const view = useRef<HTMLDivElement>(null)
  const [{ top, height, width }, setView] = useState<View>({ top: 0, height: FIRST * ROW, width: WIDTH })
  const rows = useMemo(() => shown.map((index) => execution.rows[index]!), [execution, shown])
  const layout = useMemo(() => layoutOf(execution, rows, width), [execution, rows, width])
  const timeWidth = useMemo(() => Math.max(2, ...execution.rows.map(({ at = '' }) => at.length)), [execution])
  const at = placeOf(shown, cursor)
  useLayoutEffect(() => {
    const element = view.current!
    const measure = () => setView(viewOf(element))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = view.current!
    const [from, to] = [at * ROW, (at + 1) * ROW]
    const room = element.clientHeight - ROW
    const margin = Math.min(3 * ROW, Math.max(0, (room - ROW) / 2))
    if (from < element.scrollTop + margin) element.scrollTop = from - margin
    else if (to > element.scrollTop + room - margin) element.scrollTop = to - room + margin
  }, [at, execution, shown])
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + OVERSCAN)
  const visible = rows.slice(first, last)
  const hasSteps = execution.rows.some(({ step }) => step !== undefined)
  const style = `--lanes:${layout.width}px;--at:${timeWidth}ch`
  return (
    <section class={`diagram ${kind}${hasSteps ? ' stepped' : ''}`} aria-label={title}>
      <h3>{title}</h3>
      <div class="view" ref={view} onScroll={({ currentTarget }) => setView(viewOf(currentTarget))} style={style}>
        <Head layout={layout} hasSteps={hasSteps} />
        <div
          class="rows"
          role="listbox"
          tabIndex={0}
          aria-label={`Steps: ${title}`}
          aria-activedescendant={`${id}-${shown[at]}`}
          style={`height:${rows.length * ROW}px`}
        >
          {visible.map((row, offset) => {
            const place = first + offset
            return (
              <RowLine
                key={shown[place]}
                id={`${id}-${shown[place]}`}
                row={row}
                top={place * ROW}
                isCurrent={place === at}
                isParting={shown[place] === parting}
                onPick={() => onPick(shown[place]!)}
              />
            )
          })}
          <Lines layout={layout} rows={rows} shown={shown} first={first} last={last} />
        </div>
      </div>
    </section>
  )
}

function Head({ layout, hasSteps }: { layout: Layout; hasSteps: boolean }) {
  return (
    <div class="head" aria-hidden="true">
      <span class="gutter" />
      {hasSteps && <span class="step">step</span>}
      <span class="at">ms</span>
      <span class="lanes">
        {layout.heads.map(({ x, name, room }) => (
          <span
            key={`${x}`}
            title={name}
            class={room === 0 ? 'party' : 'node'}
            style={room === 0 ? `left:${x - 4}px` : `left:${x - room / 2}px;width:${room}px`}
          >
            {name}
          </span>
        ))}
      </span>
    </div>
  )
}

interface RowLineProps {
  readonly id: string
  readonly row: Row
  readonly top: number
  readonly isCurrent: boolean
  readonly isParting: boolean
  readonly onPick: () => void
}

function RowLine({ id, row, top, isCurrent, isParting, onPick }: RowLineProps) {
  const { at, step, text, more, delay, departs, difference, isFailure } = row
  const gutter = isParting ? '▶' : difference === 'added' ? '+' : departs ? '◆' : ''
  const classes = [
    'row',
    isCurrent && 'current',
    isParting && 'parting',
    difference === 'added' && 'added',
    departs && 'departs',
    isFailure && 'bad',
    more !== undefined && 'plus',
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page steps by keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      class={classes.filter(Boolean).join(' ')}
      style={`top:${top}px`}
      onClick={onPick}
    >
      <span class="gutter">{gutter}</span>
      {step !== undefined && <span class="step">{step}</span>}
      {step === undefined && <span class="step" />}
      <span class="at">{at ?? (isFailure ? '' : '…')}</span>
      <span class="lanes" />
      <span class="text" title={text}>
        {isFailure && row.mark !== '✗' ? '✗ ' : ''}
        {text}
        {delay && <em> {delay}</em>}
      </span>
    </div>
  )
}

interface LinesProps {
  readonly layout: Layout
  readonly rows: readonly Row[]
  readonly shown: readonly number[]
  readonly first: number
  readonly last: number
}

/** Lines of life, arrows and marks of the rows in view. */
function Lines({ layout, rows, shown, first, last }: LinesProps) {
  const y = (place: number) => place * ROW + ROW / 2
  const places = useMemo(() => new Map(shown.map((index, place) => [index, place])), [shown])
  const end = rows.length
  const lives = layout.lives.filter(({ first: from, last: to }) => from <= last && to >= first)
  const reaching = [...rows.entries()].filter(([place, { from, sent }]) => {
    if (from === undefined || place < first) return false
    const start = (sent === undefined ? undefined : places.get(sent)) ?? place
    return start <= last
  })
  const [top, height] = [first * ROW, Math.max(1, last - first) * ROW]
  return (
    <svg
      class="lines"
      aria-hidden="true"
      width={layout.width}
      height={height}
      viewBox={`0 ${top} ${layout.width} ${height}`}
      style={`top:${top}px`}
    >
      <defs>
        {['arrow', 'late', 'bad'].map((name) => (
          <marker
            key={name}
            id={`head-${name}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
            markerUnits="userSpaceOnUse"
          >
            <path class={`head-${name}`} d="M0 .5L8 4L0 7.5z" />
          </marker>
        ))}
      </defs>
      {lives.map(({ x, first: from, last: to }) => (
        <path
          key={`${x}-${from}`}
          class="life"
          d={`M${x} ${y(Math.max(from, first - 1))}V${to >= end ? Math.min(y(to), top + height) : y(Math.min(to, last + 1))}`}
        />
      ))}
      {reaching.map(([place, row]) => (
        <Arrow
          key={`${place}`}
          row={row}
          layout={layout}
          end={y(place)}
          start={y((row.sent === undefined ? undefined : places.get(row.sent)) ?? place)}
        />
      ))}
      {rows.slice(first, last).map((row, offset) => (
        <Mark key={`${first + offset}`} row={row} layout={layout} y={y(first + offset)} />
      ))}
    </svg>
  )
}

function Arrow({ row, layout, start, end }: { row: Row; layout: Layout; start: number; end: number }) {
  const [from, to] = [layout.xOf(row.from!), layout.xOf(row.lane ?? row.from!)]
  const isLost = row.mark === '✗' || row.mark === '+'
  const [dx, dy] = [to - from, end - start]
  const length = Math.hypot(dx, dy)
  const part = length === 0 ? 1 : Math.max(0.3, 1 - (isLost ? 12 : 4) / length)
  const style = `arrow${row.departs ? ' late' : ''}${row.mark === '✗' ? ' lost' : ''}${row.mark === '+' ? ' twice' : ''}`
  const head = isLost ? undefined : `url(#head-${row.departs ? 'late' : 'arrow'})`
  const path =
    dx === 0
      ? `M${from} ${start}c22 ${Math.min(8, dy / 3)} 22 ${dy} 5 ${dy}`
      : `M${from} ${start}l${dx * part} ${dy * part}`
  return (
    <g>
      <path class={style} d={path} marker-end={head} />
      {isLost && (
        <text class={row.mark === '✗' ? 'bad' : 'late'} x={from + dx * part} y={start + dy * part + 4}>
          {row.mark}
        </text>
      )}
      <circle class={`dot${row.departs ? ' late' : ''}`} cx={from} cy={start} r="2.5" />
    </g>
  )
}

function Mark({ row, layout, y }: { row: Row; layout: Layout; y: number }) {
  const { mark, lane, from, departs } = row
  const late = departs ? ' late' : ''
  if (lane === undefined) {
    if (mark !== '═' && mark !== '╌') return null
    return <path class={mark === '═' ? 'rule' : 'rule calm'} d={`M4 ${y}H${layout.width - 4}`} />
  }
  const x = layout.xOf(lane)
  if (from !== undefined) return mark === '' ? <circle class={`dot${late}`} cx={x} cy={y} r="3.5" /> : null
  switch (mark) {
    case '':
      return null
    case '●':
    case '•':
      return <circle class={`dot${late}`} cx={x} cy={y} r={mark === '●' ? 4 : 3} />
    case '○':
    case '◌':
      return <circle class={`ring${late}`} cx={x} cy={y} r="3.5" />
    case '◇':
    case '◆':
      return <path class={`${mark === '◆' ? 'dot' : 'ring'}${late}`} d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} />
    case '◷':
    case '◔':
      return (
        <g class={`ring${late}`}>
          <circle cx={x} cy={y} r="5.5" />
          <path d={`M${x} ${y - 3.5}v3.5h3`} />
        </g>
      )
    case '┻':
    case '┳':
      return <path class={mark === '┻' ? 'bar' : 'bar up'} d={`M${x - 9} ${y}h18`} />
    default:
      return (
        <text class={mark === '✗' ? 'bad' : late.trim()} x={x} y={y + 4}>
          {mark}
        </text>
      )
  }
}
