/** What the rows of a space-time diagram say in words, beside the arrows and marks. */
import type { EntryKind, LogEntry } from '../cluster/log.ts'
import { messageType } from '../cluster/message-type.ts'
import { cut, dataText } from './data-text.ts'
import { printableLine } from './printable.ts'
import type { Row } from './space-time-rows.ts'

/** Characters of a node's name, a timer's or an event's. */
const MAX_NAME = 40

/** Messages under way that are named. */
const MAX_UNDER_WAY = 4

const MAX_GROUPS = 12

export const nameText = (name: string) => cut(printableLine(name), MAX_NAME)

/**
 * What a row says: what happened and what was sent in answer, then what the node said and replied;
 * each part stands in one line of its own where there is no room beside the one before.
 *
 * @param room characters for each part
 */
export function rowText({ entry, answer }: Row, room: number): string[] {
  const sent = answer.flatMap(({ kind, id }) => (kind === 'send' ? [id] : []))
  const sends = sent.length === 0 ? '' : `  → ${numbers(sent)}`
  const others = answer.flatMap((each) => (each.kind === 'send' ? [] : [said(each, room)]))
  // Which messages were sent is short, and leads on; of what happened the beginning tells most.
  const isShort = sends.length <= room / 2
  const first = isShort ? [happening(entry, room - sends.length) + sends] : [happening(entry, room), sends.trim()]
  return [...first, ...others].map((part) => cut(part, room))
}

/** What it is that happened, without what followed. */
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

/** The groups of a parted network: nodes by groups, in the order of the log. */
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
 * What is folded, the most frequent sorts first: `… 34 deliveries w1→w1, 3 timeouts of w2`; only
 * the kinds where there is no room for the sorts.
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
  return order.map(({ count, one, many }) => `${count} ${count === 1 ? one : many}`)
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
  calm: ['calm', 'calms'],
}

/** One row of a sort, and several of them. */
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

/** The messages under way at the end, the oldest ones by name; undefined if there are none. */
export function underWayText(messages: readonly LogEntry[], room: number): string | undefined {
  if (messages.length === 0) return undefined
  const told = messages.slice(0, MAX_UNDER_WAY).map(({ id, node, peer, data }) => {
    return `#${id} ${nameText(node)}→${nameText(peer)} ${cut(messageType(data), MAX_NAME)}`
  })
  const rest = messages.length - told.length
  return cut(`in flight: ${told.join(', ')}${rest === 0 ? '' : `, ${rest} more`}`, room)
}
