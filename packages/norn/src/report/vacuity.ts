/**
 * What a campaign of a cluster without a failure tested: faults and messages that never occurred,
 * answered requests, and how much of the log the model could follow.
 */

import { FAULTS } from '../cluster/faults/table.ts'
import type { EntryKind } from '../contract/cluster-record.ts'
import { cut, numberText, plural } from '../contract/text.ts'
import type { ActionCount, EntryCount, VacuityTally } from '../contract/vacuity.ts'
import { printableLine } from './printable.ts'

/** Names of a list that are shown. */
const MAX_NAMES = 8
const MAX_NAME = 40
const MAX_REASON = 120

/** With a smaller share of answers most checks had nothing to check. */
const FEW = 0.05

const NEVER: ReadonlyMap<string, string> = new Map(FAULTS.map(({ option, never }) => [option, never]))

/** Lines without indentation; `doubts` are warnings. */
export interface VacuityText {
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
}

export function vacuityText(tally: VacuityTally): VacuityText {
  if (tally.counted === 0) return { lines: [], doubts: [] }
  const doubts = [...faultDoubts(tally), ...requestDoubts(tally), ...messageDoubts(tally), ...modelDoubts(tally)]
  const sampled =
    tally.counted < tally.executions
      ? [`log entries were counted in ${numberText(tally.counted)} of ${plural(tally.executions, 'execution')}`]
      : []
  return { lines: [...requestLine(tally), ...happenedLines(tally), ...modelLines(tally), ...sampled], doubts }
}

function faultDoubts({ faults }: VacuityTally): string[] {
  return Object.entries(faults).flatMap(([fault, count]) => {
    return count > 0 ? [] : [`${NEVER.get(fault) ?? `no ${fault} ever happened`}, although ${fault} are allowed`]
  })
}

function requestLine({ requests: { made, answered } }: VacuityTally): string[] {
  return made === 0
    ? []
    : [`requests: ${numberText(answered)} of ${numberText(made)} got a reply (${percent(answered, made)})`]
}

function requestDoubts({ requests: { made, answered } }: VacuityTally): string[] {
  if (made === 0 || answered >= made * FEW) return []
  return [
    answered === 0 ? 'no request ever got a reply' : `only ${percent(answered, made)} of the requests got a reply`,
  ]
}

function messageDoubts({ entries: { send = {}, deliver = {} } }: VacuityTally): string[] {
  const handled = Object.keys(deliver)
  const never = Object.keys(send).filter((type) => !handled.includes(type))
  return never.length === 0 ? [] : [`sent but never handled: ${names(never.map((type) => nameOf(type)))}`]
}

/** The number of each message, timer and event, the rarest first: the author sees what is missing. */
function happenedLines({ entries }: VacuityTally): string[] {
  const kinds: [EntryKind, string][] = [
    ['deliver', 'messages handled'],
    ['timeout', 'timers fired'],
    ['event', 'events'],
  ]
  return kinds.flatMap(([kind, title]) => {
    const counts = Object.entries(entries[kind] ?? {}).sort(
      ([a, one], [b, other]) => one.count - other.count || (a < b ? -1 : 1),
    )
    return counts.length === 0
      ? []
      : [`${title}: ${names(counts.map(([name, { count }]) => `${nameOf(name)} ${numberText(count)}`))}`]
  })
}

/** The kinds of entries that a model maps; other entries follow from them. */
const MAPPED_KINDS: readonly (readonly [EntryKind, string])[] = [
  ['start', 'starts'],
  ['send', 'messages sent'],
  ['deliver', 'messages handled'],
  ['timeout', 'timers'],
  ['request', 'requests'],
  ['reply', 'replies'],
  ['event', 'events'],
  ['crash', 'crashes'],
  ['restart', 'restarts'],
  ['lost', 'losses'],
]

/** Kinds that nearly every model maps. */
const EXPECTED: ReadonlySet<EntryKind> = new Set(['deliver', 'timeout', 'request', 'event', 'crash', 'restart'])

function modelLines({ entries, actions }: VacuityTally): string[] {
  if (actions === undefined) return []
  const some = MAPPED_KINDS.filter(([kind]) => mappedOf(entries[kind]) > 0)
  const none = MAPPED_KINDS.filter(
    ([kind]) => EXPECTED.has(kind) && total(entries[kind]) > 0 && mappedOf(entries[kind]) === 0,
  )
  const shares = some.map(([kind, title]) => {
    const counts = entries[kind]!
    const never = Object.entries(counts).flatMap(([name, { mapped }]) => (mapped === 0 ? [nameOf(name)] : []))
    const without = never.length === 0 ? '' : ` (never ${names(never)})`
    return `${percent(mappedOf(counts), total(counts))} of ${title}${without}`
  })
  const left = none.length === 0 ? '' : `; no ${names(none.map(([, title]) => title))}`
  const [enabled, applied] = [
    sum(actions, (each) => each.enabled),
    sum(actions, (each) => each.enabled + each.disabled),
  ]
  return [
    ...(shares.length === 0 ? [] : [`mapped to actions of the model: ${shares.join('; ')}${left}`]),
    ...(applied === 0
      ? []
      : [
          `${percent(enabled, applied)} of ${plural(applied, 'mapped action')} ${applied === 1 ? 'was' : 'were'} enabled in the model`,
        ]),
  ]
}

function modelDoubts({ actions, crowdedOut = 0, isGuideOnly }: VacuityTally): string[] {
  if (actions === undefined) return []
  const all = Object.entries(actions)
  if (all.every(([, { enabled, disabled }]) => enabled + disabled === 0))
    return ['no log entry maps to an action of the model']
  const untaken = all.filter(([, { enabled, disabled }]) => enabled + disabled === 0)
  const disabled = all.filter((each) => each[1].enabled === 0 && each[1].disabled > 0)
  const more = disabled.length - MAX_NAMES
  const unasked = isGuideOnly
    ? ' (without --conformance also those that change nothing, if the mapping leaves them out)'
    : ''
  return [
    ...(crowdedOut === 0
      ? []
      : [
          `too many abstract states: later ones count as one (in ${plural(crowdedOut, 'execution')}). Use a coarser \`project\``,
        ]),
    ...(untaken.length === 0 ? [] : [`actions never taken${unasked}: ${names(untaken.map(([name]) => nameOf(name)))}`]),
    ...disabled.slice(0, MAX_NAMES).map(([name, { disabled, reason = '' }]) => {
      const why = reason === '' ? '' : `; the first time: ${cut(printableLine(reason), MAX_REASON)}`
      return `action never enabled in the model: ${nameOf(name)} (${plural(disabled, 'attempt')}${why})`
    }),
    ...(more > 0 ? [`${plural(more, 'more action')} never enabled in the model`] : []),
  ]
}

type Counts = Readonly<Record<string, EntryCount>>

const total = (counts: Counts = {}) => sum(counts, ({ count }) => count)

const mappedOf = (counts: Counts = {}) => sum(counts, ({ mapped }) => mapped)

function sum<Each extends EntryCount | ActionCount>(
  of: Readonly<Record<string, Each>>,
  part: (each: Each) => number,
): number {
  return Object.values(of).reduce((all, each) => all + part(each), 0)
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, MAX_NAMES).join(', ')
  return all.length > MAX_NAMES ? `${shown} and ${all.length - MAX_NAMES} more` : shown
}

const nameOf = (name: string) => (name === '' ? 'others' : cut(printableLine(name), MAX_NAME))

/** Only the whole reads as 100 %, and only nothing as 0 %. */
function percent(part: number, whole: number): string {
  const share = (100 * part) / whole
  if (part > 0 && share < 0.1) return 'under 0.1 %'
  return `${(part < whole ? Math.min(share, 99.9) : 100).toFixed(part === 0 || part === whole ? 0 : 1)} %`
}
