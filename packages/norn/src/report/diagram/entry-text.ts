/** The words of a cluster's event log, as rows of a diagram and folds have them. */
import type { EntryKind, LogEntry } from '../../cluster/log.ts'
import { messageType } from '../../cluster/message-type.ts'
import { cut, plural } from '../../contract/text.ts'
import { dataText } from '../data-text.ts'
import { printableLine } from '../printable.ts'
import type { Said } from './diagram.ts'
import { numbersText } from './numbers.ts'
import type { LogRow } from './space-time-folds.ts'

/** Characters of the name of a node, a timer or an event, and of data. */
const MAX_NAME = 40
const MAX_DATA = 600

/** Messages in flight that are named. */
const MAX_UNDER_WAY = 4

const MAX_GROUPS = 12

export const nameText = (name: string) => cut(printableLine(name), MAX_NAME)

/** What happened. */
export function entryText(entry: LogEntry): string {
  const { kind, node, name, id, data } = entry
  const [who, what] = [nameText(node), nameText(name)]
  switch (kind) {
    case 'start':
      return `${who} starts`
    case 'send':
      return `${who} sends #${id} ${dataText(data, MAX_DATA)}`
    case 'deliver':
      return `#${id} ${dataText(data, MAX_DATA)}`
    case 'lost':
      return `#${id} ${cut(messageType(data), MAX_NAME)} is lost: ${losses(what, who)}`
    case 'duplicate':
      return `#${id} is duplicated`
    case 'timeout':
      return `timer ${what} fires`
    case 'request':
      return `request ${id}: ${dataText(data, MAX_DATA)}`
    case 'reply':
    case 'event':
      return saidText(entry)
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

/** The messages that a node sent in answer: `#3 #5–#8`; undefined if there are none. */
export function sendsText({ answer }: Pick<LogRow, 'answer'>): string | undefined {
  const sent = answer.flatMap(({ kind, id }) => (kind === 'send' ? [id] : []))
  return sent.length === 0 ? undefined : numbersText(sent)
}

/** The events and replies of a node. */
export function saidOf({ answer }: Pick<LogRow, 'answer'>): Said[] {
  return answer.flatMap((entry) =>
    entry.kind === 'send' ? [] : [{ isEvent: entry.kind === 'event', text: saidText(entry) }],
  )
}

function saidText({ kind, name, id, data }: LogEntry): string {
  if (kind === 'reply') return `replies ${dataText(data, MAX_DATA)} to request ${id}`
  const value = data === undefined || data === null ? '' : dataText(data, MAX_DATA)
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

/**
 * Folded rows, the most frequent sorts first: `… 34 deliveries w1→w1, 3 timeouts of w2`; by kind alone
 * where there is less room.
 */
export function foldText(rows: readonly LogRow[]): { readonly text: string; readonly short?: string } {
  if (rows.every(({ entry }) => entry.kind === 'start')) return { text: startsText(rows) }
  return {
    text: `… ${counted(rows.map(({ entry }) => sortText(entry))).join(', ')}`,
    short: `… ${counted(rows.map(({ entry: { kind } }) => KINDS[kind])).join(', ')}`,
  }
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

function startsText(rows: readonly LogRow[]): string {
  const sends = sendsText({ answer: rows.flatMap(({ answer }) => answer) })
  const who = rows.length === 1 ? `${nameText(rows[0]!.entry.node)} starts` : `${rows.length} nodes start`
  return sends === undefined ? who : `${who} → ${sends}`
}

/** The messages in flight at the end, the oldest ones by name. */
export function inFlightText(messages: readonly LogEntry[]): string {
  const shown = messages.slice(0, MAX_UNDER_WAY).map(({ id, node, peer, data }) => {
    return `#${id} ${nameText(node)}→${nameText(peer)} ${cut(messageType(data), MAX_NAME)}`
  })
  const rest = messages.length - shown.length
  return `in flight: ${shown.join(', ')}${rest === 0 ? '' : `, ${rest} more`}`
}
