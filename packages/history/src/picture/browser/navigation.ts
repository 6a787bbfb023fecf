/** Where a reader goes in a history: to all of it, to a finding, to an operation, to what a search found. */
import { redraw } from './drawing.ts'
import { isShown, layOut } from './layout.ts'
import { count, data, detail, filter, search } from './page.ts'
import { clamp, type Filter, LANE, MIN_LANE, room, show, TOP, toY, view } from './view.ts'

/** Says what an operation is; nothing of none. */
export function tell(index: number): void {
  if (index < 0) return
  const { text, outcome, lane, line, place } = data.operations[index]!
  const facts = [
    `process ${data.lanes[lane]}: ${text}`,
    ...(outcome === undefined ? [] : [outcome === 'fail' ? 'failed' : 'outcome unknown']),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(place === undefined ? [] : [`place ${place} in the order${view.orders.length > 1 ? ' of its key' : ''}`]),
    ...(view.focused.has(index) ? [`part of ${data.found}`] : []),
  ]
  detail.textContent = facts.join(' · ')
}

export function find(): void {
  const wanted = search.value.toLowerCase()
  const isHit = (index: number) => data.operations[index]!.text.toLowerCase().includes(wanted)
  view.hits = wanted === '' ? [] : view.shown.filter(isHit)
  view.hitSet = new Set(view.hits)
  view.hit = -1
  count.textContent = wanted === '' ? '' : `${view.hits.length} found`
  redraw()
}

/** To the next operation that was found, or to the one before. */
export function nextHit(by: 1 | -1): void {
  const { length } = view.hits
  if (length === 0) return
  view.hit = view.hit < 0 && by < 0 ? length - 1 : (view.hit + by + length) % length
  count.textContent = `${view.hit + 1} of ${length}`
  showOperation(view.hits[view.hit]!)
}

/** To the operation that was called before or after the chosen one. */
export function step(by: 1 | -1): void {
  const at = view.shown.indexOf(view.chosen)
  const first = view.shown.findIndex((index) => view.call[index]! >= view.x)
  const index = view.shown[at < 0 ? first : at + by]
  if (index !== undefined) showOperation(index)
}

/** @param at pixels from the left, whose place stays */
export function zoom(factor: number, at: number): void {
  const place = view.x + (at - view.left) / view.scale
  view.scale *= factor
  clamp()
  view.x = place - (at - view.left) / view.scale
  move(0, 0)
}

/** By pixels. */
export function move(x: number, y: number): void {
  view.x += x / view.scale
  view.y += y
  clamp()
  redraw()
}

export function showAll(): void {
  view.lane = LANE
  show(0, view.places)
  redraw()
}

function showFinding(): void {
  view.lane = LANE
  view.y = 0
  if (view.from === Number.POSITIVE_INFINITY) show(0, Math.min(view.places, Math.max(8, room() / 90)))
  else {
    const last = Math.max(...[...view.focused].map((index) => view.row[index]!))
    view.lane = Math.max(MIN_LANE, Math.min(LANE, Math.floor((view.height - TOP - 6) / (last + 1))))
    show(view.from, view.to)
  }
  redraw()
}

/** Shows some of the operations, and where the finding is among them. */
export function select(wanted: Filter, finding: number): void {
  choose(wanted, finding)
  showFinding()
}

function choose(wanted: Filter, finding: number): void {
  layOut(wanted, finding)
  find()
  filter.value = String(wanted)
}

/** Shows a finding where it can be read: in all operations, in those of its key, or alone. */
export function open(finding: number): void {
  const own = data.findings[finding] ?? []
  const keys = new Set(own.flatMap((index) => data.operations[index]!.keys ?? [-1]))
  const [key = -1] = keys
  const wanted: Filter[] = [
    'all',
    ...(keys.size === 1 && key >= 0 ? [key] : []),
    ...(own.length > 0 ? ['wrong' as const] : []),
  ]
  for (const each of wanted) {
    select(each, finding)
    if (view.from === Number.POSITIVE_INFINITY || view.scale > 30) break
  }
}

export function showOperation(index: number): void {
  if (!isShown(index)) choose('all', view.finding)
  view.chosen = index
  if (view.scale < 20) view.scale = 60
  const seen = room() / view.scale
  view.x = Math.min((view.call[index]! + view.end[index]!) / 2, view.call[index]! + seen / 2) - seen / 2
  const top = toY(view.row[index]!)
  if (top < TOP || top + view.lane > view.height) view.y = (view.row[index]! + 0.5) * view.lane + TOP - view.height / 2
  clamp()
  tell(index)
  redraw()
}
