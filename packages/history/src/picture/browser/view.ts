/** What of a history is visible, and where. Pixels, and places on the axis. */

/** Pixels: above the first row, and the height of a row. */
export const TOP = 34
export const LANE = 44
export const MIN_LANE = 4

/** All operations, those of the finding, or those of a key, by its index. */
export type Filter = 'all' | 'wrong' | number

export const view = {
  filter: 'all' as Filter,
  /** Which finding is looked at, its operations, and where it begins and ends on the axis. */
  finding: 0,
  focused: new Set<number>(),
  from: 0,
  to: 0,
  /** Pixels of a place; the place at the left, and the pixels that are scrolled away above. */
  scale: 60,
  x: 0,
  y: 0,
  width: 0,
  height: 0,
  lane: LANE,
  left: 92,
  /** By operation: its places on the axis, and its row. */
  call: new Int32Array(),
  end: new Int32Array(),
  row: new Int32Array(),
  /** By row: its lane, its operations in order, and since when one of them has an unknown outcome. */
  lanes: [] as number[],
  rows: [] as number[][],
  openSince: [] as number[],
  shown: [] as number[],
  places: 0,
  /** The orders that were found, and where operations take effect in them. */
  orders: [] as number[][],
  at: new Map<number, number>(),
  hits: [] as number[],
  hitSet: new Set<number>(),
  hit: -1,
  hovered: -1,
  chosen: -1,
}

export const toX = (place: number) => view.left + (place - view.x) * view.scale
export const toY = (row: number) => TOP + row * view.lane - view.y
export const room = () => Math.max(1, view.width - view.left)

/** Keeps the history in sight. */
export function clamp(): void {
  view.scale = Math.min(400, Math.max(Math.min(1, room() / (view.places + 2)), view.scale))
  view.x = Math.max(-1, Math.min(view.x, view.places + 1 - room() / view.scale))
  view.y = Math.max(0, Math.min(view.y, view.lanes.length * view.lane + TOP + 10 - view.height))
}

export function show(from: number, to: number): void {
  view.scale = Math.min(150, room() / (Math.max(2, to - from) * 1.2))
  view.x = (from + to) / 2 - room() / view.scale / 2
  clamp()
}

/** The first operation of a row that may reach to a place. */
export function firstIn(row: readonly number[], place: number): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (view.call[row[middle]!]! < place) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
