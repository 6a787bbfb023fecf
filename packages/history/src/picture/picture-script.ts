/**
 * Draws a picture in the browser, on a canvas and only what is visible, so that it stays quick with many
 * operations. Plain JavaScript: it stands in the page as it is. Tests read `data-*` of the canvas.
 */
export const SCRIPT = `
'use strict'
const data = JSON.parse(document.getElementById('data').textContent)
const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d')
const detail = document.getElementById('detail'), search = document.getElementById('search')
const count = document.getElementById('count')
const LANE = 44, TOP = 26, LEFT = 92, MIN = 0.02, MAX = 400
const byLane = data.lanes.map(() => [])
data.operations.forEach((operation, index) => byLane[operation.lane].push(index))
for (const lane of byLane) lane.sort((a, b) => data.operations[a].call - data.operations[b].call)
const focused = new Set(data.focus ? data.focus.operations : [])
const points = new Map()
for (const order of data.orders) {
  let at = -1
  order.forEach((index, place) => {
    const { call, return: end } = data.operations[index]
    at = Math.min(Math.max(at + 0.06, call + 0.12), Math.max(call, end - 0.05))
    points.set(index, { at, place: place + 1 })
  })
}
let scale = 60, x = 0, y = 0, width = 0, height = 0, colours = {}, hits = [], hit = -1, chosen = -1, asked = false

function readColours() {
  const style = getComputedStyle(document.documentElement)
  for (const name of ['paper', 'ink', 'dim', 'life', 'arrow', 'late', 'bad', 'band', 'worse', 'good', 'bar'])
    colours[name] = style.getPropertyValue('--' + name).trim()
}
function resize() {
  const ratio = devicePixelRatio || 1
  width = canvas.clientWidth
  height = canvas.clientHeight
  canvas.width = Math.max(1, Math.round(width * ratio))
  canvas.height = Math.max(1, Math.round(height * ratio))
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  redraw()
}
function redraw() {
  if (asked) return
  asked = true
  requestAnimationFrame(() => { asked = false; draw() })
}
const toX = (place) => LEFT + (place - x) * scale
const toY = (lane) => TOP + lane * LANE - y
function clamp() {
  scale = Math.min(MAX, Math.max(MIN, scale))
  const seen = (width - LEFT) / scale
  x = Math.max(-1, Math.min(x, data.end + 1 - Math.min(seen, data.end + 2)))
  y = Math.max(0, Math.min(y, data.lanes.length * LANE + TOP + 10 - height))
}
function show(from, to) {
  const span = Math.max(2, to - from)
  scale = Math.min(110, (width - LEFT) / (span * 1.3))
  x = (from + to) / 2 - (width - LEFT) / scale / 2
  clamp()
}
function showFocus() {
  if (!data.focus) return show(0, Math.min(data.end, 60))
  show(data.focus.from, data.focus.to)
  const lanes = data.focus.operations.map((index) => data.operations[index].lane)
  const first = Math.min(...lanes), last = Math.max(...lanes)
  y = (first + last + 1) / 2 * LANE + TOP - height / 2
  if (toY(first) > height || (last - first) * LANE > height) y = first * LANE
  clamp()
}
function showOperation(index) {
  const { call, return: end, lane } = data.operations[index]
  chosen = index
  if (scale < 20) scale = 60
  x = Math.min((call + end) / 2, call + (width - LEFT) / scale / 2) - (width - LEFT) / scale / 2
  y = lane * LANE + TOP - height / 2
  clamp()
  tell(index)
  redraw()
}
function tell(index) {
  if (index < 0) return
  const { text, outcome, lane, line } = data.operations[index]
  const point = points.get(index)
  detail.textContent = 'process ' + data.lanes[lane] + ': ' + text + (outcome === 'ok' ? '' : '  (' + outcome + ')')
    + (point ? '  · place ' + point.place + ' in the order' : '') + (line ? '  · line ' + line : '')
    + (focused.has(index) ? '  · part of what is wrong' : '')
}
/** The first operation of a lane that may reach to a place. */
function firstIn(lane, place) {
  let low = 0, high = lane.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (data.operations[lane[middle]].call < place) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
function draw() {
  const from = x, to = x + (width - LEFT) / scale
  let drawn = 0, inFocus = 0
  pen.font = '12px ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace'
  pen.textBaseline = 'middle'
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, width, height)
  if (data.focus) {
    const left = toX(data.focus.from - 0.25), right = toX(data.focus.to + 0.25)
    pen.fillStyle = colours.worse
    pen.fillRect(left, 0, right - left, height)
    pen.strokeStyle = colours.bad
    pen.setLineDash([7, 4])
    pen.beginPath()
    for (const edge of [left, right]) { pen.moveTo(edge, 0); pen.lineTo(edge, height) }
    pen.stroke()
    pen.setLineDash([])
  }
  const firstLane = Math.max(0, Math.floor((y - TOP) / LANE)), lastLane = Math.ceil((y + height - TOP) / LANE)
  for (let lane = firstLane; lane < Math.min(lastLane, byLane.length); lane++) {
    const top = toY(lane) + 8, own = byLane[lane]
    pen.strokeStyle = colours.life
    pen.beginPath(); pen.moveTo(LEFT, top + 13); pen.lineTo(width, top + 13); pen.stroke()
    let rightmost = -1
    for (let at = firstIn(own, from); at < own.length; at++) {
      const index = own[at], { call, return: end, text, outcome } = data.operations[index]
      if (call > to) break
      if (end < from) continue
      const left = toX(call), right = Math.max(left + 1.5, toX(end) - 2)
      // Of many in one pixel one is enough, but for those to look at.
      if (right < rightmost + 0.7 && !focused.has(index) && index !== chosen) continue
      rightmost = Math.max(rightmost, right)
      drawn++
      if (focused.has(index)) inFocus++
      const isHit = hits.length > 0 && hitSet.has(index)
      pen.fillStyle = isHit ? colours.band : colours.bar
      pen.strokeStyle = focused.has(index) ? colours.bad : outcome === 'ok' ? colours.arrow : colours.dim
      pen.lineWidth = index === chosen ? 3 : focused.has(index) ? 2 : 1
      pen.setLineDash(outcome === 'ok' ? [] : outcome === 'unknown' ? [4, 3] : [1, 2])
      pen.fillRect(left, top, right - left, 26)
      if (right - left > 3) pen.strokeRect(left, top, right - left, 26)
      pen.setLineDash([])
      const space = Math.min(right, width) - Math.max(left, LEFT) - 10
      if (space > 20) {
        const fits = Math.floor(space / 7.3)
        pen.fillStyle = outcome === 'ok' ? colours.ink : colours.dim
        pen.fillText(text.length > fits ? text.slice(0, Math.max(0, fits - 1)) + '…' : text, Math.max(left, LEFT) + 5, top + 13)
      }
    }
  }
  pen.lineWidth = 1.2
  for (const order of data.orders) drawOrder(order, from, to)
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, LEFT - 4, height)
  pen.fillStyle = colours.ink
  for (let lane = firstLane; lane < Math.min(lastLane, byLane.length); lane++)
    pen.fillText(data.lanes[lane].slice(0, 10), 20, toY(lane) + 21)
  canvas.dataset.drawn = drawn
  canvas.dataset.focus = !data.focus ? 'none' : inFocus === focused.size ? 'visible' : inFocus > 0 ? 'partly' : 'hidden'
}
function drawOrder(order, from, to) {
  pen.strokeStyle = pen.fillStyle = colours.good
  pen.beginPath()
  let isOpen = false
  for (const index of order) {
    const { at } = points.get(index)
    if (at < from - 20 || at > to + 20) { isOpen = false; continue }
    const px = toX(at), py = toY(data.operations[index].lane) + 21
    if (isOpen) pen.lineTo(px, py)
    else pen.moveTo(px, py)
    isOpen = true
  }
  pen.globalAlpha = 0.55
  pen.stroke()
  pen.globalAlpha = 1
  if (scale < 8) return
  for (const index of order) {
    const { at, place } = points.get(index)
    if (at < from || at > to) continue
    const px = toX(at), py = toY(data.operations[index].lane) + 8
    pen.fillRect(px - 1.5, py - 3, 3, 32)
    if (scale > 24) pen.fillText(String(place), px + 3, py - 5)
  }
}
let hitSet = new Set()
function find() {
  const wanted = search.value.toLowerCase()
  hits = wanted === '' ? [] : data.operations.flatMap(({ text }, index) => text.toLowerCase().includes(wanted) ? [index] : [])
  hitSet = new Set(hits)
  hit = -1
  count.textContent = wanted === '' ? '' : hits.length + ' found'
  redraw()
}
function next(step) {
  if (hits.length === 0) return
  hit = (hit + step + hits.length) % hits.length
  count.textContent = (hit + 1) + ' of ' + hits.length
  showOperation(hits[hit])
}
function zoom(factor, at) {
  const place = x + (at - LEFT) / scale
  scale = Math.min(MAX, Math.max(MIN, scale * factor))
  x = place - (at - LEFT) / scale
  clamp()
  redraw()
}
function under(event) {
  const lane = Math.floor((event.offsetY + y - TOP) / LANE)
  const place = x + (event.offsetX - LEFT) / scale
  for (const index of byLane[lane] || []) {
    const { call, return: end } = data.operations[index]
    if (call <= place && Math.max(end, call + 2 / scale) >= place) return index
  }
  return -1
}
canvas.addEventListener('wheel', (event) => {
  event.preventDefault()
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    x += (event.deltaX || event.deltaY) / scale
    clamp()
    redraw()
  } else zoom(Math.exp(-event.deltaY / 400), event.offsetX)
}, { passive: false })
let drag
canvas.addEventListener('pointerdown', (event) => { drag = { x: event.clientX, y: event.clientY }; canvas.setPointerCapture(event.pointerId) })
canvas.addEventListener('pointerup', () => { drag = undefined })
canvas.addEventListener('pointermove', (event) => {
  if (drag === undefined) return tell(under(event))
  x -= (event.clientX - drag.x) / scale
  y -= event.clientY - drag.y
  drag = { x: event.clientX, y: event.clientY }
  clamp()
  redraw()
})
canvas.addEventListener('click', (event) => { chosen = under(event); tell(chosen); redraw() })
const ACTIONS = {
  in: () => zoom(1.4, (width + LEFT) / 2), out: () => zoom(1 / 1.4, (width + LEFT) / 2),
  all: () => { scale = (width - LEFT) / (data.end + 2); x = -1; clamp(); redraw() },
  focus: () => { showFocus(); redraw() }, next: () => next(1),
}
for (const button of document.querySelectorAll('button[data-do]')) button.onclick = ACTIONS[button.dataset.do]
for (const node of document.querySelectorAll('[data-operation]')) node.onclick = () => showOperation(Number(node.dataset.operation))
const KEYS = {
  '+': ACTIONS.in, '=': ACTIONS.in, '-': ACTIONS.out, '0': ACTIONS.all, w: ACTIONS.focus, n: () => next(1), p: () => next(-1),
  '/': () => search.focus(),
  ArrowLeft: () => { x -= 120 / scale }, ArrowRight: () => { x += 120 / scale },
  ArrowUp: () => { y -= LANE }, ArrowDown: () => { y += LANE },
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target === search) {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') canvas.focus()
    return
  }
  const action = KEYS[event.key]
  if (action === undefined) return
  event.preventDefault()
  action()
  clamp()
  redraw()
})
search.addEventListener('input', find)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); redraw() })
addEventListener('resize', resize)
readColours()
resize()
showFocus()
`.trim()
