/**
 * Which kind of event came right after which at a node: the cluster's counterpart of the tasks of an event loop that ran one
 * right after the other. A kind is what happened and, of a message or a request, its type; who sent it does not count, so
 * that there are not as many pairs as pairs of senders.
 */
import type { EventOrders } from '../explore/observation.ts'
import type { LogEntry } from './log.ts'
import { messageType } from './message-type.ts'
import { hashText } from './trace-class.ts'

/** Pairs that are told apart in one execution. */
const MAX_PAIRS = 4096

export function eventOrders(log: readonly LogEntry[]): EventOrders {
  const last = new Map<string, number>()
  const known = new Set<number>()
  const steps: number[] = []
  for (const entry of log) {
    const kind = kindOf(entry)
    if (kind === undefined) continue
    const { node, step } = entry
    const before = last.get(node) ?? hashText(node)
    const now = hashText(kind)
    last.set(node, now)
    const pair = hashText(`${node} ${before} ${now}`) >>> 0
    if (known.has(pair) || known.size >= MAX_PAIRS) continue
    known.add(pair)
    steps.push(step)
  }
  return { pairs: [...known], steps }
}

/** Undefined for what does not happen to a node. */
function kindOf({ kind, name, data }: LogEntry): string | undefined {
  switch (kind) {
    case 'deliver':
    case 'request':
      return `${kind} ${messageType(data)}`
    case 'timeout':
    case 'event':
      return `${kind} ${name}`
    case 'start':
    case 'crash':
    case 'restart':
      return kind
    default:
      return undefined
  }
}
