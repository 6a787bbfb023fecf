/**
 * Pairs of consecutive events at a node: the cluster's counterpart of consecutive tasks of an event
 * loop. Events are compared by kind, and messages and requests by type too. The sender does not
 * count, which would square the number of pairs.
 */
import type { EventOrders } from '../contract/observation.ts'
import type { LogEntry } from './log.ts'
import { messageType } from './message-type.ts'
import { hashText } from './trace-class.ts'

/** The maximum number of pairs in one execution. */
const MAX_PAIRS = 4096

export function eventOrders(log: readonly LogEntry[]): EventOrders {
  const nodes = new Map<string, { before: number; last: number; readonly seen: Map<number, Set<number>> }>()
  const known = new Set<number>()
  const pairs: number[] = []
  const steps: number[] = []
  for (let at = 0; at < log.length; at++) {
    const entry = log[at]!
    const now = kindOf(entry)
    if (now === undefined) continue
    const { node, step } = entry
    let history = nodes.get(node)
    if (history === undefined) nodes.set(node, (history = { before: 0, last: hashText(node), seen: new Map() }))
    const before = history.last
    // Most pairs were seen before; naming one costs a string.
    if (before === now && history.before === before) continue
    history.before = before
    history.last = now
    let after = history.seen.get(before)
    if (after?.has(now) || known.size >= MAX_PAIRS) continue
    if (after === undefined) history.seen.set(before, (after = new Set()))
    after.add(now)
    const pair = hashText(`${node} ${before} ${now}`) >>> 0
    if (known.has(pair)) continue
    known.add(pair)
    pairs.push(pair)
    steps.push(step)
  }
  return { pairs, steps }
}

/** A hash of the kind of event; undefined for entries that are not events of a node. */
function kindOf({ kind, name, data }: LogEntry): number | undefined {
  switch (kind) {
    case 'deliver':
      return hashOf(DELIVERED, kind, messageType(data))
    case 'request':
      return hashOf(REQUESTED, kind, messageType(data))
    case 'timeout':
      return hashOf(TIMED_OUT, kind, name)
    case 'event':
      return hashOf(REPORTED, kind, name)
    case 'start':
    case 'crash':
    case 'restart':
      return LIFECYCLE[kind]
    default:
      return undefined
  }
}

/** Hashes by type or name, of which there are few as a rule. */
const DELIVERED: Hashes = new Map()
const REQUESTED: Hashes = new Map()
const TIMED_OUT: Hashes = new Map()
const REPORTED: Hashes = new Map()
type Hashes = Map<string, number>
const LIFECYCLE = { start: hashText('start'), crash: hashText('crash'), restart: hashText('restart') }
const MAX_HASHES = 1024

function hashOf(hashes: Hashes, kind: string, name: string): number {
  let hash = hashes.get(name)
  if (hash === undefined) {
    if (hashes.size >= MAX_HASHES) hashes.clear()
    hashes.set(name, (hash = hashText(`${kind} ${name}`)))
  }
  return hash
}
