/** The words of the rows of a space-time diagram, beside its arrows and marks. */
import type { EntryKind, LogEntry } from '../cluster/log.ts'
import { messageType } from '../cluster/message-type.ts'
import { cut, plural } from '../contract/text.ts'
import { dataText } from './data-text.ts'
import { printableLine } from './printable.ts'
import type { Row } from './space-time-rows.ts'

/** Characters of the name of a node, a timer or an event. */
const MAX_NAME = 40

/** Messages in flight that are named. */
const MAX_UNDER_WAY = 4

const MAX_GROUPS = 12

export const nameText = (name: string) => cut(printableLine(name), MAX_NAME)

/**
 * The parts of a row: what happened and which messages the node sent, then its events and replies.
 *
 * @param room characters for each part
 */
export function rowText({ entry, answer }: Row, room: number): string[] {
  const sent = answer.flatMap(({ kind, id }) => (kind === 'send' ? [id] : []))
  const sends = sent.length === 0 ? '' : `  → ${numbers(sent)}`
  const others = answer.flatMap((each) => (each.kind === 'send' ? [] : [said(each, room)]))
  // Of what happened the beginning matters most, so it makes room for the short list of messages.
  const isShort = sends.length <= room / 2
  const first = isShort ? [happening(entry, room - sends.length) + sends] : [happening(entry, room), sends.trim()]
  return [...first, ...others].map((part) => cut(part, room))
}

function happening(entry: LogEntry, room: number): string {
  const { kind, node, name, id, data } = entry
  const [who, what] = [nameText(node), nameText(name)]
  switch (kind) {
    case 'start':
      return `${who} starts`
    case 'send':
      return cut(`${who} sends #${id} ${dataText(data, room)}`, room)
    case 'deliver':
      return cut(`#${id} ${dataText(data, room)}`, room)
    case 'lost':
      return `#${id} ${cut(messageType(data), MAX_NAME)} is lost: ${losses(what, who)}`
    case 'duplicate':
      return `#${id} is duplicated`
    case 'timeout':
      return `timer ${what} fires`
    case 'request':
      return cut(`request ${id}: ${dataText(data, room)}`, room)
    case 'reply':
    case 'event':
      return said(entry, room)
    case 'crash':
      return `${who} crashes`
    case 'restart':
      return `${who} restarts`
    case 'partition':
      return `the network partitions: ${groupsText(data)}`
    case 'heal':
      return 'the network heals'
    case 'calm':
      return 'fault-free phase from here on'
  }
}

function said({ kind, name, id, data }: LogEntry, room: number): string {
  if (kind === 'reply') return `replies ${dataText(data, room)} to request ${id}`
  const value = data === undefined || data === null ? '' : dataText(data, room)
  return `• ${nameText(name)}${value === '' || value === '{}' ? '' : ` ${value}`}`
}

function losses(why: string, node: string): string {
  if (why === 'drop' || why === '') return 'dropped'
  if (why === 'down') return `${node} is down`
  if (why === 'partition') return 'the network is partitioned'
  return why
}

/** The groups of a partitioned network, in the order of the log. */
export function groupsOf(data: unknown): string[][] {
  if (!Array.isArray(data)) return []
  return data.map((group) => (Array.isArray(group) ? group.map(String) : [String(group)]))
}

function groupsText(data: unknown): string {
  const groups = groupsOf(data).slice(0, MAX_GROUPS)
  return groups.map((group) => group.map(nameText).join(' ')).join(' | ')
}

/** `#3 #5–#8`. */
function numbers(ids: readonly number[]): string {
  const runs: [number, number][] = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === id - 1) run[1] = id
    else runs.push([id, id])
  }
  return runs.map(([first, last]) => numbersText(first, last)).join(' ')
}

function numbersText(first: number, last: number): string {
  if (first === last) return `#${first}`
  return last === first + 1 ? `#${first} #${last}` : `#${first}–#${last}`
}

/**
 * Folded rows, the most frequent sorts first: `… 34 deliveries w1→w1, 3 timeouts of w2`; by kind
 * where there is no room for the sorts.
 */
export function foldText(rows: readonly Row[], room: number): string {
  if (rows.every(({ entry }) => entry.kind === 'start')) return startsText(rows)
  const sorts = `… ${counted(rows.map(({ entry }) => sortText(entry))).join(', ')}`
  return sorts.length <= room ? sorts : `… ${counted(rows.map(({ entry: { kind } }) => KINDS[kind])).join(', ')}`
}

/** How often each comes, the most frequent first. */
function counted(names: readonly (readonly [one: string, many: string])[]): string[] {
  const counts = new Map<string, { count: number; one: string; many: string }>()
  for (const [one, many] of names) {
    const known = counts.get(many)
    if (known === undefined) counts.set(many, { count: 1, one, many })
    else known.count++
  }
  const order = [...counts.values()].sort((a, b) => b.count - a.count)
  return order.map(({ count, one, many }) => plural(count, one, many))
}

const KINDS: Readonly<Record<EntryKind, readonly [one: string, many: string]>> = {
  start: ['start', 'starts'],
  send: ['send', 'sends'],
  deliver: ['delivery', 'deliveries'],
  lost: ['loss', 'losses'],
  duplicate: ['duplicate', 'duplicates'],
  timeout: ['timeout', 'timeouts'],
  request: ['request', 'requests'],
  reply: ['reply', 'replies'],
  event: ['event', 'events'],
  crash: ['crash', 'crashes'],
  restart: ['restart', 'restarts'],
  partition: ['partition', 'partitions'],
  heal: ['heal', 'heals'],
  calm: ['fault-free phase', 'fault-free phases'],
}

/** The name of a row's sort, for one row and for several. */
function sortText({ kind, node, peer }: LogEntry): [string, string] {
  const where = peer !== '' ? ` ${nameText(peer)}→${nameText(node)}` : node !== '' ? ` at ${nameText(node)}` : ''
  const [one, many] = KINDS[kind]
  return [one + where, many + where]
}

function startsText(rows: readonly Row[]): string {
  const sends = rows.flatMap(({ answer }) => answer.flatMap(({ kind, id }) => (kind === 'send' ? [id] : [])))
  const who = rows.length === 1 ? `${nameText(rows[0]!.entry.node)} starts` : `${rows.length} nodes start`
  return sends.length === 0 ? who : `${who} → ${numbers(sends)}`
}

/** The messages in flight at the end, the oldest ones by name; undefined if there are none. */
export function underWayText(messages: readonly LogEntry[], room: number): string | undefined {
  if (messages.length === 0) return undefined
  const shown = messages.slice(0, MAX_UNDER_WAY).map(({ id, node, peer, data }) => {
    return `#${id} ${nameText(node)}→${nameText(peer)} ${cut(messageType(data), MAX_NAME)}`
  })
  const rest = messages.length - shown.length
  return cut(`in flight: ${shown.join(', ')}${rest === 0 ? '' : `, ${rest} more`}`, room)
}
