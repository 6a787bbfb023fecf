/**
 * Where to spend machine time: most where most new behaviour is expected, with a floor for all. Pure.
 *
 * A property of which nothing is known yet counts as the best that is known, so that it is tried early.
 */

export interface Prospect {
  /** New behaviours expected of a second of search; undefined if unknown. */
  readonly perSecond: number | undefined
  /** Machine time that was announced for it, in milliseconds. */
  readonly announcedMs: number
  /** Nothing is to be found any more: its search has ended. */
  readonly isDone: boolean
}

/** What all properties together get whatever is expected of them. */
const FLOOR = 0.25

/** The share of machine time of each property: 0 if it is done, else at least an equal part of the floor. */
function shares(prospects: readonly Prospect[]): number[] {
  const going = prospects.filter(({ isDone }) => !isDone)
  const best = Math.max(0, ...going.map(({ perSecond = 0 }) => perSecond))
  const weight = ({ perSecond }: Prospect) => perSecond ?? best
  const total = going.reduce((sum, prospect) => sum + weight(prospect), 0)
  return prospects.map((prospect) => {
    if (prospect.isDone) return 0
    const share = total === 0 ? 1 / going.length : weight(prospect) / total
    return FLOOR / going.length + (1 - FLOOR) * share
  })
}

/** The property that lacks most of its share; undefined if all are done. */
export function nextProperty(prospects: readonly Prospect[], sliceMs: number): number | undefined {
  const going = prospects.filter(({ isDone }) => !isDone)
  const totalMs = going.reduce((sum, { announcedMs }) => sum + announcedMs, sliceMs)
  const lacking = shares(prospects).map((share, index) => share * totalMs - prospects[index]!.announcedMs)
  let chosen: number | undefined
  for (const [index, { isDone }] of prospects.entries())
    if (!isDone && (chosen === undefined || lacking[index]! > lacking[chosen]!)) chosen = index
  return chosen
}
