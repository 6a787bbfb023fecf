/** The mouse, the keys and the buttons of a picture. Tests read `picture`, and `data-*` of the canvas. */
import { draw, fit, readColours, redraw } from './drawing.ts'
import { find, move, nextHit, open, select, showAll, showOperation, step, tell, zoom } from './navigation.ts'
import { canvas, data, filter, pen, search } from './page.ts'
import { clamp, type Filter, firstIn, LANE, room, TOP, view } from './view.ts'

/** Keys of a history that the filter offers, and pixels of their names. */
const MAX_KEYS = 500
const KEY_WIDTH = 300
const CHARACTER = 7.3

Object.assign(globalThis, { picture: { view, data } })

function offerFilters(): void {
  const keys = data.keys.slice(0, MAX_KEYS)
  const offer = (value: Filter, text: string) => filter.add(new Option(text, String(value)))
  offer('all', 'all operations')
  if (data.findings.length > 0) offer('wrong', `only ${data.found}`)
  for (const [index, key] of keys.entries()) offer(index, `key ${fit(key, KEY_WIDTH)}`)
  if (filter.options.length === 1) filter.remove()
  if (data.keys.length > MAX_KEYS) offer('all', `(${data.keys.length - MAX_KEYS} more keys: search)`)
}

filter.addEventListener('change', () => {
  const { value } = filter
  select(value === 'all' || value === 'wrong' ? value : Number(value), view.finding)
  canvas.focus()
})

/** The operation at a place of the canvas, in pixels; -1 if there is none. */
function under({ offsetX, offsetY }: MouseEvent): number {
  const own = view.rows[Math.floor((offsetY + view.y - TOP) / view.lane)] ?? []
  const place = view.x + (offsetX - view.left) / view.scale
  for (let at = firstIn(own, place); at < own.length && view.call[own[at]!]! <= place; at++) {
    const index = own[at]!
    if (Math.max(view.end[index]!, view.call[index]! + 3 / view.scale) >= place) return index
  }
  return -1
}

const LINE_PX = 20

canvas.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault()
    const { deltaX, deltaY, deltaMode, shiftKey } = event
    const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
    if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) move((deltaX || deltaY) * unit, 0)
    else zoom(Math.exp((-deltaY * unit) / 400), event.offsetX)
  },
  { passive: false },
)

const fingers = new Map<number, PointerEvent>()
canvas.addEventListener('pointerdown', (event) => {
  fingers.set(event.pointerId, event)
  canvas.setPointerCapture(event.pointerId)
})
for (const type of ['pointerup', 'pointercancel'] as const)
  canvas.addEventListener(type, (event) => fingers.delete(event.pointerId))
canvas.addEventListener('pointermove', (event) => {
  const before = fingers.get(event.pointerId)
  if (before === undefined) {
    point('hovered', under(event))
    return
  }
  fingers.set(event.pointerId, event)
  const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId)
  if (other === undefined) {
    move(before.clientX - event.clientX, before.clientY - event.clientY)
    return
  }
  const apart = (one: PointerEvent) =>
    Math.max(LINE_PX, Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY))
  zoom(apart(event) / apart(before), (event.offsetX + other.offsetX) / 2)
})
canvas.addEventListener('pointerleave', () => {
  view.hovered = -1
  tell(view.chosen)
  redraw()
})
canvas.addEventListener('click', (event) => point('chosen', under(event)))

function point(how: 'hovered' | 'chosen', index: number): void {
  view[how] = index
  tell(index)
  redraw()
}

const zoomMiddle = (factor: number) => zoom(factor, (view.width + view.left) / 2)
const toFinding = () => open(view.finding)

const BUTTONS: Readonly<Record<string, () => void>> = {
  in: () => zoomMiddle(1.4),
  out: () => zoomMiddle(1 / 1.4),
  all: showAll,
  wrong: toFinding,
  next: () => nextHit(1),
}
for (const button of document.querySelectorAll<HTMLElement>('button[data-do]'))
  button.onclick = BUTTONS[button.dataset.do!]!
for (const button of document.querySelectorAll<HTMLElement>('button[data-finding]'))
  button.onclick = () => open(Number(button.dataset.finding))
for (const node of document.querySelectorAll<SVGElement>('[data-operation]')) {
  const go = () => showOperation(Number(node.dataset.operation))
  node.onclick = go
  node.onkeydown = ({ key }) => key === 'Enter' && go()
}

const KEYS: Readonly<Record<string, () => void>> = {
  '+': BUTTONS.in!,
  '=': BUTTONS.in!,
  '-': BUTTONS.out!,
  '0': showAll,
  w: toFinding,
  n: () => nextHit(1),
  p: () => nextHit(-1),
  '.': () => step(1),
  ',': () => step(-1),
  '/': () => {
    search.focus()
    search.select()
  },
  ArrowLeft: () => move(-120, 0),
  ArrowRight: () => move(120, 0),
  ArrowUp: () => move(0, -LANE),
  ArrowDown: () => move(0, LANE),
  PageUp: () => move(-room(), 0),
  PageDown: () => move(room(), 0),
  Home: () => move(Number.NEGATIVE_INFINITY, 0),
  End: () => move(Number.POSITIVE_INFINITY, 0),
}
document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || target === filter) return
  if (target === search) {
    if (key === 'Enter') nextHit(event.shiftKey ? -1 : 1)
    if (key === 'Escape') canvas.focus()
    return
  }
  const action = KEYS[key]
  // Within an explanation, the keys that scroll scroll it.
  const isScrolling = key.length > 1 && target instanceof Element && target.closest('section') !== null
  if (action === undefined || isScrolling) return
  event.preventDefault()
  action()
})
search.addEventListener('input', find)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  readColours()
  redraw()
})

function resize(): void {
  const { clientWidth, clientHeight } = canvas
  const isFirst = view.width === 0
  if (clientWidth === view.width && clientHeight === view.height) return
  view.width = clientWidth
  view.height = clientHeight
  const longest = Math.max(...data.lanes.map((name) => name.length), 3)
  view.left = Math.min(Math.max(56, 32 + longest * CHARACTER), view.width * 0.25)
  const ratio = devicePixelRatio || 1
  canvas.width = Math.max(1, Math.round(view.width * ratio))
  canvas.height = Math.max(1, Math.round(view.height * ratio))
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  if (isFirst) open(0)
  else {
    clamp()
    draw()
  }
}

offerFilters()
readColours()
resize()
new ResizeObserver(resize).observe(canvas)
