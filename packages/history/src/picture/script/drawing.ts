/** Draws what is visible on a canvas, so that a picture stays quick with many operations. */
export const DRAWING = `
const colours = {}
const MONO = 'px ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace'
function readColours() {
  const style = getComputedStyle(document.documentElement)
  for (const name of ['paper', 'ink', 'dim', 'life', 'arrow', 'bad', 'band', 'worse', 'good', 'bar', 'failed'])
    colours[name] = style.getPropertyValue('--' + name).trim()
}
let asked = false
function redraw() {
  if (asked) return
  asked = true
  requestAnimationFrame(() => { asked = false; draw() })
}
function fit(text, width, character) {
  const characters = Math.floor(width / character)
  return text.length <= characters ? text : characters < 2 ? '' : text.slice(0, characters - 1) + '…'
}
/** The first operation of a row that may reach to a place. */
function firstIn(row, place) {
  let low = 0, high = row.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (view.call[row[middle]] < place) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
function draw() {
  const { width, height, left } = view, from = view.x, to = from + room() / view.scale
  pen.font = '12' + MONO
  pen.textBaseline = 'middle'
  pen.setLineDash([])
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, width, height)
  if (view.from !== Infinity) drawBand()
  const first = Math.max(0, Math.floor((view.y - TOP) / view.lane))
  const last = Math.min(view.rows.length, Math.ceil((view.y + height - TOP) / view.lane))
  const visible = []
  for (let row = first; row < last; row++) drawRow(row, from, to, visible)
  pen.globalAlpha = 0.5
  if (view.scale >= 3) for (const order of view.orders) drawOrder(order, from, to)
  pen.globalAlpha = 1
  for (const bar of visible) drawText(bar)
  if (view.scale >= 6 && view.lane > 24) drawPoints(visible)
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, left - 4, height)
  pen.fillStyle = colours.ink
  pen.font = '12' + MONO
  if (view.lane >= 12) for (let row = first; row < last; row++)
    pen.fillText(fit(data.lanes[view.lanes[row]], left - 26, 7.3), 20, toY(row) + view.lane * (1 - BAR / 2) - 1)
  drawOverview()
  const seen = visible.filter(({ index }) => view.focused.has(index)).length
  canvas.dataset.drawn = visible.length
  canvas.dataset.finding = view.focused.size === 0 ? 'none' : seen === view.focused.size ? 'visible' : seen > 0 ? 'partly' : 'hidden'
}
function drawBand() {
  const from = toX(view.from) - 6, to = toX(view.to) + 6
  pen.fillStyle = colours.worse
  pen.fillRect(from, 0, to - from, view.height)
  pen.strokeStyle = colours.bad
  pen.lineWidth = 1
  pen.setLineDash([7, 4])
  pen.beginPath()
  for (const edge of [from, to]) { pen.moveTo(edge, 0); pen.lineTo(edge, view.height) }
  pen.stroke()
  pen.setLineDash([])
}
/** The bars of a process. An operation whose outcome is unknown has no end; a line goes on from it. */
function drawRow(row, from, to, visible) {
  const own = view.rows[row], size = view.lane * BAR, top = toY(row) + view.lane - size - 2, middle = top + size / 2
  pen.strokeStyle = colours.life
  pen.lineWidth = 1
  pen.beginPath(); pen.moveTo(view.left, middle); pen.lineTo(view.width, middle); pen.stroke()
  if (view.openSince[row] < to) {
    pen.strokeStyle = colours.dim
    pen.setLineDash([4, 3])
    pen.beginPath(); pen.moveTo(Math.max(view.left, toX(view.openSince[row])), top + size); pen.lineTo(view.width, top + size); pen.stroke()
    pen.setLineDash([])
  }
  let drawnTo = -1
  for (let at = firstIn(own, from); at < own.length; at++) {
    const index = own[at], call = view.call[index]
    if (call > to) break
    const { outcome } = data.operations[index]
    const left = toX(call), right = Math.max(left + 1.5, toX(view.end[index]) - 3)
    if (right < view.left) continue
    const isFocused = view.focused.has(index), isChosen = index === view.chosen
    // Of many in one pixel one is enough, but for those to look at.
    if (right < drawnTo + 0.7 && !isFocused && !isChosen) continue
    drawnTo = Math.max(drawnTo, right)
    visible.push({ index, left, right, top, size })
    pen.fillStyle = view.hitSet.has(index) ? colours.band : outcome === 'fail' ? colours.failed : outcome ? colours.paper : colours.bar
    pen.fillRect(left, top, right - left, size)
    if (right - left <= 3) {
      pen.fillStyle = isFocused ? colours.bad : outcome ? colours.dim : colours.arrow
      pen.fillRect(left, top, right - left, size)
      continue
    }
    pen.strokeStyle = isFocused ? colours.bad : outcome ? colours.dim : colours.arrow
    pen.lineWidth = isChosen ? 3 : isFocused || index === view.hovered ? 2 : 1
    if (outcome === 'unknown') {
      pen.setLineDash([4, 3])
      pen.beginPath(); pen.moveTo(right, top); pen.lineTo(left, top); pen.lineTo(left, top + size); pen.lineTo(right, top + size); pen.stroke()
      pen.setLineDash([])
    } else pen.strokeRect(left, top, right - left, size)
  }
}
function drawText({ index, left, right, top, size }) {
  if (size < 13) return
  const { text, outcome } = data.operations[index], from = Math.max(left, view.left) + 6
  const shown = fit(text, Math.min(right, view.width) - from - 4, 7.3)
  if (shown === '') return
  pen.fillStyle = outcome ? colours.dim : colours.ink
  pen.fillText(shown, from, top + size / 2 + 1)
  if (outcome === 'fail') pen.fillRect(from, top + size / 2, shown.length * 7.22, 1)
}
function drawOrder(order, from, to) {
  const margin = 20
  pen.strokeStyle = colours.good
  pen.lineWidth = 1.2
  pen.beginPath()
  let isOpen = false
  for (const index of order) {
    const at = view.at.get(index)
    if (at < from - margin || at > to + margin) { isOpen = false; continue }
    const px = toX(at), py = toY(view.row[index]) + view.lane * (1 - BAR) - 2
    if (isOpen) pen.lineTo(px, py)
    else pen.moveTo(px, py)
    isOpen = true
  }
  pen.stroke()
}
/** Where operations take effect, with their numbers where these have room. */
function drawPoints(visible) {
  pen.font = '11' + MONO
  pen.strokeStyle = colours.paper
  pen.lineWidth = 4
  const free = new Map()
  for (const { index, top } of visible) {
    const at = view.at.get(index)
    if (at === undefined) continue
    const px = toX(at), number = String(data.operations[index].place), row = view.row[index]
    pen.fillStyle = colours.good
    pen.beginPath(); pen.arc(px, top, 3, 0, 7); pen.fill()
    if (px - 2 < (free.get(row) || 0)) continue
    free.set(row, px + number.length * 6.7 + 6)
    pen.lineJoin = 'round'
    pen.strokeText(number, px + 2, top - 9)
    pen.fillText(number, px + 2, top - 9)
  }
}
/** Which part of the history is visible, and where the finding is. */
function drawOverview() {
  const whole = view.places + 2, per = room() / whole, y = 6, size = 7
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, view.width, y + size + 6)
  const mark = (colour, from, to, least) => {
    pen.fillStyle = colour
    pen.fillRect(view.left + (from + 1) * per, y, Math.max(least, (to - from) * per), size)
  }
  mark(colours.failed, -1, view.places + 1, 1)
  mark(colours.life, Math.max(-1, view.x), Math.min(view.places + 1, view.x + room() / view.scale), 6)
  if (view.from !== Infinity) mark(colours.bad, view.from, view.to, 3)
}
`
