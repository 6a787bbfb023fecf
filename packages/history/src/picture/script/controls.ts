/** The mouse, the keys and the buttons of a picture. */
export const CONTROLS = `
function tell(index) {
  if (index < 0) return
  const { text, outcome, lane, line, place, order } = data.operations[index]
  detail.textContent = 'process ' + data.lanes[lane] + ': ' + text
    + (outcome === 'fail' ? ' · failed' : outcome ? ' · outcome unknown' : '') + (line ? ' · line ' + line : '')
    + (place ? ' · place ' + place + ' in the order' + (view.orders.length > 1 ? ' of its key' : '') : '')
    + (view.focused.has(index) ? ' · part of ' + data.found : '')
}
function find() {
  const wanted = search.value.toLowerCase()
  view.hits = wanted === '' ? [] : view.shown.filter((index) => data.operations[index].text.toLowerCase().includes(wanted))
  view.hitSet = new Set(view.hits)
  view.hit = -1
  count.textContent = wanted === '' ? '' : view.hits.length + ' found'
  redraw()
}
function next(step) {
  const { hits } = view
  if (hits.length === 0) return
  view.hit = view.hit < 0 && step < 0 ? hits.length - 1 : (view.hit + step + hits.length) % hits.length
  count.textContent = (view.hit + 1) + ' of ' + hits.length
  showOperation(hits[view.hit])
}
/** To the operation that was called before or after the chosen one. */
function step(by) {
  const at = view.shown.indexOf(view.chosen)
  const first = view.shown.findIndex((index) => view.call[index] >= view.x)
  const index = view.shown[at < 0 ? first : at + by]
  if (index !== undefined) showOperation(index)
}
function zoom(factor, at) {
  const place = view.x + (at - view.left) / view.scale
  view.scale *= factor
  clamp()
  view.x = place - (at - view.left) / view.scale
  move(0, 0)
}
function move(x, y) {
  view.x += x / view.scale
  view.y += y
  clamp()
  redraw()
}
function under({ offsetX, offsetY }) {
  const own = view.rows[Math.floor((offsetY + view.y - TOP) / view.lane)] || []
  const place = view.x + (offsetX - view.left) / view.scale
  for (let at = firstIn(own, place); at < own.length && view.call[own[at]] <= place; at++)
    if (Math.max(view.end[own[at]], view.call[own[at]] + 3 / view.scale) >= place) return own[at]
  return -1
}

const MAX_KEYS = 500
const FILTERS = ['all', ...(data.findings.length > 0 ? ['wrong'] : []), ...data.keys.slice(0, MAX_KEYS).keys()]
if (FILTERS.length === 1) filter.remove()
else for (const value of FILTERS)
  filter.add(new Option(value === 'all' ? 'all operations' : value === 'wrong' ? 'only ' + data.found : 'key ' + fit(data.keys[value], 300, 7.3), String(value)))
if (data.keys.length > MAX_KEYS) filter.append(new Option('(' + (data.keys.length - MAX_KEYS) + ' more keys: search)', 'all'))
function syncFilter() {
  filter.value = String(view.filter)
}
filter.addEventListener('change', () => {
  layOut(filter.value === 'all' || filter.value === 'wrong' ? filter.value : Number(filter.value), view.finding)
  showFinding()
  canvas.focus()
})

canvas.addEventListener('wheel', (event) => {
  event.preventDefault()
  const { deltaX, deltaY, deltaMode, shiftKey } = event, unit = deltaMode === 1 ? 20 : 1
  if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) move((deltaX || deltaY) * unit, 0)
  else zoom(Math.exp(-deltaY * unit / 400), event.offsetX)
}, { passive: false })
const fingers = new Map()
canvas.addEventListener('pointerdown', (event) => {
  fingers.set(event.pointerId, event)
  canvas.setPointerCapture(event.pointerId)
})
for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, (event) => fingers.delete(event.pointerId))
canvas.addEventListener('pointermove', (event) => {
  const before = fingers.get(event.pointerId)
  if (before === undefined) {
    view.hovered = under(event)
    tell(view.hovered)
    return redraw()
  }
  fingers.set(event.pointerId, event)
  if (fingers.size === 1) return move(before.clientX - event.clientX, before.clientY - event.clientY)
  const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId)
  const apart = (one) => Math.max(20, Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY))
  zoom(apart(event) / apart(before), (event.offsetX + other.offsetX) / 2)
})
canvas.addEventListener('pointerleave', () => { view.hovered = -1; tell(view.chosen); redraw() })
canvas.addEventListener('click', (event) => { view.chosen = under(event); tell(view.chosen); redraw() })

const ACTIONS = {
  in: () => zoom(1.4, (view.width + view.left) / 2), out: () => zoom(1 / 1.4, (view.width + view.left) / 2),
  all: showAll, wrong: () => open(view.finding), next: () => next(1),
}
for (const button of document.querySelectorAll('button[data-do]')) button.onclick = ACTIONS[button.dataset.do]
for (const button of document.querySelectorAll('button[data-finding]')) button.onclick = () => open(Number(button.dataset.finding))
for (const node of document.querySelectorAll('[data-operation]')) {
  node.onclick = () => showOperation(Number(node.dataset.operation))
  node.onkeydown = (event) => { if (event.key === 'Enter') node.onclick() }
}
const KEYS = {
  '+': ACTIONS.in, '=': ACTIONS.in, '-': ACTIONS.out, '0': showAll, w: ACTIONS.wrong, n: () => next(1), p: () => next(-1),
  '.': () => step(1), ',': () => step(-1), '/': () => { search.focus(); search.select() },
  ArrowLeft: () => move(-120, 0), ArrowRight: () => move(120, 0), ArrowUp: () => move(0, -LANE), ArrowDown: () => move(0, LANE),
  PageUp: () => move(-room(), 0), PageDown: () => move(room(), 0), Home: () => move(-Infinity, 0), End: () => move(Infinity, 0),
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === filter) return
  if (event.target === search) {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') canvas.focus()
    return
  }
  const action = KEYS[event.key]
  if (action === undefined || (event.key.length > 1 && event.target.closest('section'))) return
  event.preventDefault()
  action()
})
search.addEventListener('input', find)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); redraw() })

function resize() {
  const ratio = devicePixelRatio || 1, isFirst = view.width === 0, { clientWidth, clientHeight } = canvas
  if (clientWidth === view.width && clientHeight === view.height) return
  view.width = clientWidth
  view.height = clientHeight
  const longest = Math.max(...data.lanes.map((name) => name.length), 3)
  view.left = Math.min(Math.max(56, 32 + longest * 7.3), view.width * 0.25)
  canvas.width = Math.max(1, Math.round(view.width * ratio))
  canvas.height = Math.max(1, Math.round(view.height * ratio))
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  if (isFirst) open(0)
  else { clamp(); draw() }
}
readColours()
resize()
new ResizeObserver(resize).observe(canvas)
`
