/**
 * What a campaign of a cluster that found nothing is worth, in a few lines: what never happened,
 * and so was not tested; how many requests were answered; how much of what happened the model was
 * told of, and could follow.
 */

import type { ActionCount, EntryCount, VacuityTally } from '../cluster/vacuity-tally.ts'
import type { EntryKind } from '../contract/cluster-record.ts'
import { cut } from './data-text.ts'
import { printableLine } from './printable.ts'

/** Of a list of names so many are told. */
const MAX_NAMES = 8
const MAX_NAME = 40
const MAX_REASON = 120

/** Fewer answers than this say that most checks had nothing to check. */
const FEW = 0.05

const NEVER: Readonly<Record<string, string>> = {
  crashes: 'no node ever crashed',
  drops: 'no message was ever dropped',
  duplicates: 'no message was ever duplicated',
  partitions: 'the network was never partitioned',
}

/** Lines without indentation; those that are a reason to doubt come as `doubts`. */
export interface VacuityText {
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
}

export function vacuityText(tally: VacuityTally): VacuityText {
  if (tally.counted === 0) return { lines: [], doubts: [] }
  const doubts = [...faultDoubts(tally), ...requestDoubts(tally), ...messageDoubts(tally), ...modelDoubts(tally)]
  const sampled =
    tally.counted < tally.executions
      ? [`entries of the log were counted in ${number(tally.counted)} of these executions`]
      : []
  return { lines: [...requestLine(tally), ...happenedLines(tally), ...modelLines(tally), ...sampled], doubts }
}

function faultDoubts({ faults }: VacuityTally): string[] {
  return Object.entries(faults).flatMap(([fault, count]) => {
    return count > 0 ? [] : [`${NEVER[fault] ?? `no ${fault} ever happened`}, though ${fault} are allowed`]
  })
}

function requestLine({ requests: { made, answered } }: VacuityTally): string[] {
  return made === 0 ? [] : [`requests: ${number(answered)} of ${number(made)} got a reply (${percent(answered, made)})`]
}

function requestDoubts({ requests: { made, answered } }: VacuityTally): string[] {
  if (made === 0 || answered >= made * FEW) return []
  return [
    answered === 0 ? 'no request ever got a reply' : `only ${percent(answered, made)} of the requests got a reply`,
  ]
}

/** What was sent and never handled. */
function messageDoubts({ entries: { send = {}, deliver = {} } }: VacuityTally): string[] {
  const handled = Object.keys(deliver)
  const never = Object.keys(send).filter((type) => !handled.includes(type))
  return never.length === 0 ? [] : [`sent, but never handled: ${names(never.map((type) => nameOf(type)))}`]
}

/** How often what happened, the rarest first: what is missing there, only the author can tell. */
function happenedLines({ entries }: VacuityTally): string[] {
  const told: [EntryKind, string][] = [
    ['deliver', 'messages handled'],
    ['timeout', 'timers fired'],
    ['event', 'events'],
  ]
  return told.flatMap(([kind, title]) => {
    const counts = Object.entries(entries[kind] ?? {}).sort(
      ([a, one], [b, other]) => one.count - other.count || (a < b ? -1 : 1),
    )
    return counts.length === 0
      ? []
      : [`${title}: ${names(counts.map(([name, { count }]) => `${nameOf(name)} ${number(count)}`))}`]
  })
}

/** Kinds that say what happens; the others of the log follow from them. */
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

/** Kinds without which hardly any model would do. */
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
    const without = never.length === 0 ? '' : `, never ${names(never)}`
    return `${percent(mappedOf(counts), total(counts))} of the ${title}${without}`
  })
  const left = none.length === 0 ? '' : `; nothing of the ${names(none.map(([, title]) => title))}`
  const [enabled, applied] = [
    sum(actions, (each) => each.enabled),
    sum(actions, (each) => each.enabled + each.disabled),
  ]
  return [
    ...(shares.length === 0 ? [] : [`the model was told of ${shares.join('; ')}${left}`]),
    ...(applied === 0
      ? []
      : [`of ${number(applied)} actions that it was told of ${percent(enabled, applied)} were possible in it`]),
  ]
}

function modelDoubts({ actions, crowdedOut = 0 }: VacuityTally): string[] {
  if (actions === undefined) return []
  const all = Object.entries(actions)
  if (all.every(([, { enabled, disabled }]) => enabled + disabled === 0))
    return ['no log entry maps to an action of the model']
  const untold = all.filter(([, { enabled, disabled }]) => enabled + disabled === 0)
  const disabled = all.filter((each) => each[1].enabled === 0 && each[1].disabled > 0)
  const more = disabled.length - MAX_NAMES
  return [
    ...(crowdedOut === 0
      ? []
      : [
          `the model has more abstract states than are told apart; those that came later count as one, in ${number(crowdedOut)} ${crowdedOut === 1 ? 'execution' : 'executions'}: a \`project\` that leaves more out would help`,
        ]),
    ...(untold.length === 0 ? [] : [`actions never taken: ${names(untold.map(([name]) => nameOf(name)))}`]),
    ...disabled.slice(0, MAX_NAMES).map(([name, { disabled, reason = '' }]) => {
      const why = reason === '' ? '' : `; the first time as ${cut(printableLine(reason), MAX_REASON)}`
      return `the action ${nameOf(name)} was never possible in the model, in ${number(disabled)} ${disabled === 1 ? 'try' : 'tries'}${why}`
    }),
    ...(more > 0 ? [`and so were ${more} more actions`] : []),
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
  const told = all.slice(0, MAX_NAMES)
  return all.length > told.length ? `${told.join(', ')} and ${all.length - told.length} more` : told.join(', ')
}

const nameOf = (name: string) => (name === '' ? 'others' : cut(printableLine(name), MAX_NAME))

/** A share that is not all never reads as all, nor one that is something as nothing. */
function percent(part: number, whole: number): string {
  const share = (100 * part) / whole
  if (part > 0 && share < 0.1) return 'under 0.1 %'
  return `${(part < whole ? Math.min(share, 99.9) : 100).toFixed(part === 0 || part === whole ? 0 : 1)} %`
}

/** Large numbers in groups of three, whatever the machine's locale. */
function number(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
