/**
 * Which operations are shown, and where. The axis has a place for each time of those shown, so that a
 * few operations that are far from each other stand side by side once the others are hidden.
 */
import { data } from './page.ts'
import { type Filter, view } from './view.ts'

export function isShown(index: number): boolean {
  if (view.filter === 'all') return true
  if (view.filter === 'wrong') return view.focused.has(index)
  return data.operations[index]!.keys?.includes(view.filter) ?? false
}

export function layOut(wanted: Filter, finding: number): void {
  const { operations } = data
  view.filter = wanted
  view.finding = finding
  view.focused = new Set(data.findings[finding])
  view.shown = [...operations.keys()].filter(isShown)
  const places = placesOnAxis()
  layOutRows()
  for (const index of view.shown) {
    const { call, return: end, outcome } = operations[index]!
    view.call[index] = places[call]!
    view.end[index] = outcome === 'unknown' ? view.places : places[end]!
    const row = view.row[index]!
    if (outcome === 'unknown') view.openSince[row] = Math.min(view.openSince[row]!, places[call]!)
  }
  // A process may go on after an operation whose outcome is unknown.
  for (const own of view.rows) {
    for (const [at, index] of own.slice(0, -1).entries())
      view.end[index] = Math.min(view.end[index]!, view.call[own[at + 1]!]!)
  }
  layOutOrders()
  const within = [...view.focused].filter(isShown)
  view.from = Math.min(...within.map((index) => view.call[index]!))
  const ends = within.map((index) =>
    operations[index]!.outcome === 'unknown' ? view.call[index]! + 1 : view.end[index]!,
  )
  view.to = Math.max(0, ...ends)
}

/** The place of each time: those at which nothing shown begins or ends have none of their own. */
function placesOnAxis(): Int32Array {
  const used = new Uint8Array(data.end + 1)
  for (const index of view.shown) {
    const { call, return: end, outcome } = data.operations[index]!
    used[call] = 1
    if (outcome !== 'unknown') used[end] = 1
  }
  const places = new Int32Array(data.end + 1)
  view.places = 0
  for (let time = 0; time <= data.end; time++) {
    places[time] = view.places
    if (used[time]) view.places++
  }
  return places
}

/** Rows of lanes with operations; those to look at come first, so that they are near each other. */
function layOutRows(): void {
  const { operations } = data
  const lanesOf = (indices: Iterable<number>) => new Set([...indices].map((index) => operations[index]!.lane))
  const shown = lanesOf(view.shown)
  view.lanes = [...new Set([...lanesOf(view.focused), ...shown])].filter((lane) => shown.has(lane))
  const rowOf = new Map(view.lanes.map((lane, row) => [lane, row]))
  view.rows = view.lanes.map(() => [])
  view.openSince = view.lanes.map(() => Number.POSITIVE_INFINITY)
  view.call = new Int32Array(operations.length)
  view.end = new Int32Array(operations.length)
  view.row = new Int32Array(operations.length)
  for (const index of view.shown) {
    const row = rowOf.get(operations[index]!.lane)!
    view.row[index] = row
    view.rows[row]!.push(index)
  }
}

/** Spreads the operations that take effect between the same two times. */
function layOutOrders(): void {
  const inOrder = view.shown.filter((index) => data.operations[index]!.order !== undefined)
  const byOrder = Map.groupBy(inOrder, (index) => data.operations[index]!.order!)
  view.orders = [...byOrder].sort(([one], [other]) => one - other).map(([, order]) => order)
  view.at = new Map()
  for (const order of view.orders) {
    order.sort((one, other) => data.operations[one]!.place! - data.operations[other]!.place!)
    let since = 0
    const sinces = order.map((index) => (since = Math.max(since, view.call[index]!)))
    for (const together of Map.groupBy(order.keys(), (at) => sinces[at]!).values()) {
      for (const [nth, at] of together.entries()) {
        const index = order[at]!
        const end = data.operations[index]!.outcome === 'unknown' ? Number.POSITIVE_INFINITY : view.end[index]!
        const place = sinces[at]! + (nth + 1) / (together.length + 1)
        view.at.set(index, Math.max(view.call[index]!, Math.min(place, end)))
      }
    }
  }
}
