/** The situation in which a scenario failed: its last events, messages in flight, rules, nodes. */
import type { ClusterView, MessageView } from '../definition.ts'
import type { LogEntry } from '../log.ts'
import type { Rule } from './rule.ts'

const [SHOWN_ENTRIES, SHOWN_MESSAGES] = [12, 8]
const MAX_DATA = 80

/** One line each. */
export function situationText({ log, messages, nodes }: ClusterView, rules: readonly Rule[]): readonly string[] {
  return [
    ...section('last events', log.slice(-SHOWN_ENTRIES).map(entryText), log.length),
    ...section('in flight', messages.slice(0, SHOWN_MESSAGES).map(messageText), messages.length),
    ...rules.filter(({ held }) => held.size > 0).map((rule) => `held by ${rule.text}: ${rule.held.size}`),
    ...nodes.filter(({ up }) => !up).map(({ id }) => `down: ${id}`),
  ]
}

function section(title: string, lines: readonly string[], count: number): string[] {
  if (lines.length === 0) return []
  return [
    `${title}${count > lines.length ? ` (${lines.length} of ${count})` : ''}:`,
    ...lines.map((line) => `  ${line}`),
  ]
}

function entryText(entry: LogEntry): string {
  return `${(entry.atUs / 1000).toFixed(2)} ms  ${eventText(entry)}`
}

function eventText({ kind, node, peer, name, id, data }: LogEntry): string {
  switch (kind) {
    case 'send':
      return `${node} sends to ${peer}: ${dataText(data)}`
    case 'deliver':
      return `${node} receives from ${peer}: ${dataText(data)}`
    case 'lost':
      return `lost (${name}) from ${peer} to ${node}: ${dataText(data)}`
    case 'duplicate':
      return `duplicated from ${peer} to ${node}: ${dataText(data)}`
    case 'timeout':
      return `timer '${name}' of ${node} fires`
    case 'request':
      return `request ${id} reaches ${node}: ${dataText(data)}`
    case 'reply':
      return `${node} replies to request ${id}: ${dataText(data)}`
    case 'event':
      return `${node}: ${name}${data === undefined ? '' : ` ${dataText(data)}`}`
    case 'partition':
      return `network partition: ${dataText(data)}`
    case 'heal':
      return 'the network heals'
    case 'calm':
      return 'fault-free phase from here on'
    default:
      return `${node}: ${kind}`
  }
}

function messageText({ from, to, message }: MessageView): string {
  return `${from} → ${to}: ${dataText(message)}`
}

function dataText(data: unknown): string {
  const text = JSON.stringify(data) ?? 'nothing'
  return text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}…` : text
}
