/**
 * Which operations are shown, and where. The axis has a place for each time of those shown, so that a
 * few operations that are far from each other stand side by side once the others are hidden.
 */
export const LAYOUT = `
const TOP = 34, BAR = 0.6, LANE = 44, MIN_LANE = 4
const view = {
  /** What is shown: 'all', 'wrong', or the index of a key. */
  filter: 'all',
  finding: 0, focused: new Set(), from: 0, to: 0,
  scale: 60, x: 0, y: 0, width: 0, height: 0, lane: LANE, left: 92,
  /** By operation: its place on the axis, and its row. */
  call: [], end: [], row: [],
  /** By row: its lane, its operations in order, and since when one of them has an unknown outcome. */
  lanes: [], rows: [], openSince: [], shown: [], places: 0,
  /** Where operations take effect in the orders that were found. */
  orders: [], at: new Map(),
  hits: [], hitSet: new Set(), hit: -1, hovered: -1, chosen: -1,
}

function isShown({ keys }, index) {
  if (view.filter === 'all') return true
  return view.filter === 'wrong' ? view.focused.has(index) : keys !== undefined && keys.includes(view.filter)
}

function layOut(filter, finding) {
  view.filter = filter
  view.finding = finding
  view.focused = new Set(data.findings[finding])
  const { operations } = data
  view.shown = []
  const used = new Uint8Array(data.end + 1)
  operations.forEach((operation, index) => {
    if (!isShown(operation, index)) return
    view.shown.push(index)
    used[operation.call] = 1
    if (operation.outcome !== 'unknown') used[operation.return] = 1
  })
  const places = new Int32Array(data.end + 1)
  view.places = 0
  for (let time = 0; time <= data.end; time++) {
    places[time] = view.places
    if (used[time]) view.places++
  }
  // Those to look at come first, so that they are near each other.
  const first = new Set([...view.focused].map((index) => operations[index].lane))
  const lanes = new Set([...first, ...view.shown.map((index) => operations[index].lane)])
  const shownLanes = new Set(view.shown.map((index) => operations[index].lane))
  view.lanes = [...lanes].filter((lane) => shownLanes.has(lane))
  const rowOf = new Map(view.lanes.map((lane, row) => [lane, row]))
  view.rows = view.lanes.map(() => [])
  view.openSince = view.lanes.map(() => Infinity)
  view.call = new Int32Array(operations.length)
  view.end = new Int32Array(operations.length)
  view.row = new Int32Array(operations.length)
  for (const index of view.shown) {
    const { call, return: end, lane, outcome } = operations[index], row = rowOf.get(lane)
    view.row[index] = row
    view.call[index] = places[call]
    view.end[index] = outcome === 'unknown' ? view.places : places[end]
    view.rows[row].push(index)
    if (outcome === 'unknown') view.openSince[row] = Math.min(view.openSince[row], places[call])
  }
  // A process may go on after an operation whose outcome is unknown.
  for (const own of view.rows) own.forEach((index, at) => {
    if (at + 1 < own.length) view.end[index] = Math.min(view.end[index], view.call[own[at + 1]])
  })
  layOutOrders()
  const within = [...view.focused].filter((index) => isShown(operations[index], index))
  view.from = within.reduce((least, index) => Math.min(least, view.call[index]), Infinity)
  view.to = within.reduce((most, index) =>
    Math.max(most, operations[index].outcome === 'unknown' ? view.call[index] + 1 : view.end[index]), 0)
  find()
}

/** Spreads the operations that take effect between the same two times. */
function layOutOrders() {
  const orders = []
  for (const index of view.shown) {
    const { order } = data.operations[index]
    if (order !== undefined) (orders[order] ||= []).push(index)
  }
  view.orders = orders.filter(Boolean)
  view.at = new Map()
  for (const order of view.orders) {
    order.sort((a, b) => data.operations[a].place - data.operations[b].place)
    let since = 0
    const sinces = order.map((index) => since = Math.max(since, view.call[index]))
    for (let from = 0, to; from < order.length; from = to) {
      for (to = from; to < order.length && sinces[to] === sinces[from]; to++);
      for (let at = from; at < to; at++) {
        const index = order[at], { outcome } = data.operations[index]
        const end = outcome === 'unknown' ? Infinity : view.end[index]
        const place = sinces[at] + (at - from + 1) / (to - from + 1)
        view.at.set(index, Math.max(view.call[index], Math.min(place, end)))
      }
    }
  }
}

const toX = (place) => view.left + (place - view.x) * view.scale
const toY = (row) => TOP + row * view.lane - view.y
const room = () => Math.max(1, view.width - view.left)
function clamp() {
  view.scale = Math.min(400, Math.max(Math.min(1, room() / (view.places + 2)), view.scale))
  view.x = Math.max(-1, Math.min(view.x, view.places + 1 - room() / view.scale))
  view.y = Math.max(0, Math.min(view.y, view.lanes.length * view.lane + TOP + 10 - view.height))
}
function show(from, to) {
  view.scale = Math.min(150, room() / (Math.max(2, to - from) * 1.2))
  view.x = (from + to) / 2 - room() / view.scale / 2
  clamp()
}
function showAll() {
  view.lane = LANE
  show(0, view.places)
  redraw()
}
function showFinding() {
  view.lane = LANE
  view.y = 0
  if (view.from === Infinity) show(0, Math.min(view.places, Math.max(8, room() / 90)))
  else {
    const rows = [...view.focused].map((index) => view.row[index])
    view.lane = Math.max(MIN_LANE, Math.min(LANE, Math.floor((view.height - TOP - 6) / (Math.max(...rows) + 1))))
    show(view.from, view.to)
  }
  redraw()
}
/** Shows a finding where it can be read: in all operations, in those of its key, or alone. */
function open(finding) {
  const own = data.findings[finding] || []
  const keys = own.map((index) => data.operations[index].keys || [])
  const key = keys.length > 0 && keys[0].length === 1 && keys.every((each) => each.length === 1 && each[0] === keys[0][0])
  for (const filter of ['all', ...(key ? [keys[0][0]] : []), ...(own.length > 0 ? ['wrong'] : [])]) {
    layOut(filter, finding)
    showFinding()
    if (view.from === Infinity || view.scale > 30) break
  }
  syncFilter()
}
function showOperation(index) {
  if (!isShown(data.operations[index], index)) { layOut('all', view.finding); syncFilter() }
  view.chosen = index
  if (view.scale < 20) view.scale = 60
  const seen = room() / view.scale
  view.x = Math.min((view.call[index] + view.end[index]) / 2, view.call[index] + seen / 2) - seen / 2
  const top = toY(view.row[index])
  if (top < TOP || top + view.lane > view.height) view.y = (view.row[index] + 0.5) * view.lane + TOP - view.height / 2
  clamp()
  tell(index)
  redraw()
}
`
