/**
 * An execution as a space-time diagram: time downwards, a line for each lane, a row for each step.
 * Only the rows in view are in the document, so that thousands scroll smoothly.
 */
import { type ComponentChild, h } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { partsOf } from '../../diagram/diagram.ts'
import { arrowShape, DEFINITIONS, lifeShape, markShape, ROW } from '../../diagram/drawing.ts'
import { type Layout, layoutOf } from '../../diagram/layout.ts'
import type { Shape } from '../../diagram/shape.ts'
import { delayText, timeTextOf } from '../../diagram/units.ts'
import type { Execution, Step } from '../data.ts'
import { placeOf } from './stepping.ts'

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
  /** The names that places refer to. */
  readonly files: readonly string[]
  /** Indices of the rows that are shown. */
  readonly shown: readonly number[]
  readonly cursor: number
  /** The row at which the two executions part. */
  readonly parting?: number | undefined
  readonly kind: 'failing' | 'passing'
  readonly onPick: (row: number) => void
}

/** The share of the width of a diagram that its lanes take at most, if they can. */
const SHARE = 0.42
const SCALE = { left: 0, edge: 14, character: 8, mostNodes: Number.POSITIVE_INFINITY } as const
const NODE = { min: 26, least: 56, max: 112 } as const
/** Of a column of a lane with a long name, in pixels of a character: marks have to stand apart. */
const LEAST_CHARACTER = 6

/** Before the lanes, in pixels and characters; and the room beside them from which on rows name their places. */
const [GUTTER, STEP_WIDTH, ROOM_FOR_PLACES] = [30, 5, 260] as const

/** @param all the width that the lanes should take at most */
function laidOut(execution: Execution, rows: readonly Step[], all: number): Layout {
  const scale = { ...SCALE, node: { ...NODE, all } }
  const layout = layoutOf(execution, rows, scale)
  if (layout.width <= all || execution.columns === 'nodes' || execution.columns === 'chains') return layout
  const character = Math.max(LEAST_CHARACTER, (SCALE.character * all) / layout.width)
  return layoutOf(execution, rows, { ...scale, character })
}

export function DiagramView({ id, title, execution, files, shown, cursor, parting, kind, onPick }: DiagramProps) {
  const view = useRef<HTMLDivElement>(null)
  const [{ top, height, width }, setView] = useState<View>({ top: 0, height: FIRST * ROW, width: WIDTH })
  const rows = useMemo(() => shown.map((index) => execution.rows[index]!), [execution, shown])
  const layout = useMemo(() => laidOut(execution, rows, width * SHARE), [execution, rows, width])
  const time = useMemo(() => timeTextOf(execution), [execution])
  const timeWidth = useMemo(
    () => Math.max(2, ...execution.rows.map(({ atUs = 0 }) => time(atUs).length)),
    [execution, time],
  )
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
  const before = GUTTER + (timeWidth + (hasSteps ? STEP_WIDTH : 0)) * SCALE.character + layout.width
  const kinds = [kind, hasSteps && 'stepped', width - before < ROOM_FOR_PLACES && 'placeless']
  const style = `--lanes:${layout.width}px;--at:${timeWidth}ch`
  return (
    <section class={`diagram ${kinds.filter(Boolean).join(' ')}`} aria-label={title}>
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
                files={files}
                key={shown[place]}
                id={`${id}-${shown[place]}`}
                row={row}
                time={row.atUs === undefined ? undefined : time(row.atUs)}
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

/** The name of the last lane reaches over the texts, in pixels. */
const LAST_NAME = 160

function Head({ layout, hasSteps }: { layout: Layout; hasSteps: boolean }) {
  const { nameRoom: room } = layout
  return (
    <div class="head" aria-hidden="true">
      <span class="gutter" />
      {hasSteps && <span class="step">step</span>}
      <span class="at">ms</span>
      <span class="lanes">
        {layout.heads.map(({ at, name }, index) => (
          <span
            key={`${at}`}
            title={name}
            class={room === 0 ? 'party' : 'node'}
            style={
              room === 0
                ? `left:${at - 4}px;max-width:${(layout.heads[index + 1]?.at ?? at + LAST_NAME) - at - 4}px`
                : `left:${at - room / 2}px;width:${room}px`
            }
          >
            {name}
          </span>
        ))}
      </span>
    </div>
  )
}

/** Characters of what happened in a row. */
const MAX_TEXT = 600

/** What happened, and which messages were sent. */
export const happened = (row: Step) => partsOf(row, MAX_TEXT)[0]!

interface RowLineProps {
  readonly id: string
  readonly files: readonly string[]
  readonly row: Step
  readonly time: string | undefined
  readonly top: number
  readonly isCurrent: boolean
  readonly isParting: boolean
  readonly onPick: () => void
}

function RowLine({ id, files, row, time, top, isCurrent, isParting, onPick }: RowLineProps) {
  const { mark, step, more, delayUs, departs, difference, isFailure } = row
  const text = happened(row)
  const [place] = row.places ?? []
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
      <span class="at">{time ?? (isFailure ? '' : '…')}</span>
      <span class="lanes" />
      <span class="text" title={text}>
        {isFailure && mark !== 'failure' ? '✗ ' : ''}
        {text}
        {delayUs !== undefined && <em> delayed by {delayText(delayUs)}</em>}
      </span>
      <span class="where">
        {place !== undefined && (
          <>
            <span>{files[place[0]]!.split('/').at(-1)}</span>:{place[1]}
          </>
        )}
      </span>
    </div>
  )
}

interface LinesProps {
  readonly layout: Layout
  readonly rows: readonly Step[]
  readonly shown: readonly number[]
  readonly first: number
  readonly last: number
}

/** Lines of life, arrows and marks of the rows in view. */
function Lines({ layout, rows, shown, first, last }: LinesProps) {
  const places = useMemo(() => new Map(shown.map((index, place) => [index, place])), [shown])
  const [top, height] = [first * ROW, Math.max(1, last - first) * ROW]
  const y = (place: number) => place * ROW + ROW / 2
  // Lines end just out of sight.
  const ends = (place: number) => Math.min(y(Math.max(0, first - 1, Math.min(place, last + 1))), top + height)
  const startOf = ({ arrow }: Step, place: number) => places.get(arrow!.sent ?? -1) ?? place
  const lives = layout.lives.filter((life) => life.first <= last && life.last >= first)
  const reaching = [...rows.entries()].filter(
    ([place, row]) =>
      row.arrow !== undefined && row.lane !== undefined && place >= first && startOf(row, place) <= last,
  )
  const shapes = [
    DEFINITIONS,
    ...lives.map((life) => lifeShape(life, ends)),
    ...reaching.map(([place, row]) => arrowShape(row, layout, y(startOf(row, place)), y(place))),
    ...rows.slice(first, last).flatMap((row, offset) => markShape(row, layout, y(first + offset)) ?? []),
  ]
  return (
    <svg
      class="lines"
      aria-hidden="true"
      width={layout.width}
      height={height}
      viewBox={`0 ${top} ${layout.width} ${height}`}
      style={`top:${top}px`}
    >
      {shapes.map(elementOf)}
    </svg>
  )
}

function elementOf(drawn: Shape | string): ComponentChild {
  if (typeof drawn === 'string') return drawn
  return h(drawn.tag, { ...drawn.attributes }, ...drawn.children.map(elementOf))
}
