/** Entries of a log and messages in words, a line each: what an error of a scenario shows. */
import type { MessageView } from '../definition.ts'
import type { LogEntry } from '../log.ts'

const MAX_DATA = 80

export function entryText({ kind, atUs, node, peer, name, id, data }: LogEntry): string {
  return `${(atUs / 1000).toFixed(2)} ms  ${what()}`

  function what(): string {
    switch (kind) {
      case 'send':
        return `${node} sends to ${peer}: ${dataText(data)}`
      case 'deliver':
        return `${node} gets from ${peer}: ${dataText(data)}`
      case 'lost':
        return `lost (${name}) from ${peer} to ${node}: ${dataText(data)}`
      case 'duplicate':
        return `twice from ${peer} to ${node}: ${dataText(data)}`
      case 'timeout':
        return `timer '${name}' of ${node} runs out`
      case 'request':
        return `request ${id} reaches ${node}: ${dataText(data)}`
      case 'reply':
        return `${node} answers request ${id}: ${dataText(data)}`
      case 'event':
        return `${node}: ${name}${data === undefined ? '' : ` ${dataText(data)}`}`
      case 'partition':
        return `the network parts: ${dataText(data)}`
      case 'heal':
        return 'the network is whole again'
      case 'calm':
        return 'calm'
      default:
        return `${node}: ${kind}`
    }
  }
}

export function messageText({ from, to, message }: MessageView): string {
  return `${from} → ${to}: ${dataText(message)}`
}

function dataText(data: unknown): string {
  const text = JSON.stringify(data) ?? 'nothing'
  return text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}…` : text
}
