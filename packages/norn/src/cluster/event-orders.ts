/**
 * Which kind of event came right after which at a node: the cluster's counterpart of the tasks of
 * an event loop that ran one right after the other. A kind is what happened and, of a message or a
 * request, its type; who sent it does not count, so that there are not as many pairs as pairs of
 * senders.
 */
import type { EventOrders } from '../contract/observation.ts'
import type { LogEntry } from './log.ts'
import { messageType } from './message-type.ts'
import { hashText } from './trace-class.ts'

/** Pairs that are told apart in one execution. */
const MAX_PAIRS = 4096

export function eventOrders(log: readonly LogEntry[]): EventOrders {
  const nodes = new Map<string, { last: number; readonly seen: Map<number, Set<number>> }>()
  const known = new Set<number>()
  const steps: number[] = []
  for (let at = 0; at < log.length; at++) {
    const entry = log[at]!
    const now = kindOf(entry)
    if (now === undefined) continue
    const { node, step } = entry
    let history = nodes.get(node)
    if (history === undefined) nodes.set(node, (history = { last: hashText(node), seen: new Map() }))
    const before = history.last
    history.last = now
    // Most pairs have been seen, and to name one takes a text.
    let after = history.seen.get(before)
    if (after?.has(now) || known.size >= MAX_PAIRS) continue
    if (after === undefined) history.seen.set(before, (after = new Set()))
    after.add(now)
    const pair = hashText(`${node} ${before} ${now}`) >>> 0
    if (known.has(pair)) continue
    known.add(pair)
    steps.push(step)
  }
  return { pairs: [...known], steps }
}

/** A hash of what happened; undefined for what does not happen to a node. */
function kindOf({ kind, name, data }: LogEntry): number | undefined {
  switch (kind) {
    case 'deliver':
      return hashOf(DELIVERED, kind, messageType(data))
    case 'request':
      return hashOf(REQUESTED, kind, messageType(data))
    case 'timeout':
      return hashOf(TIMED_OUT, kind, name)
    case 'event':
      return hashOf(SAID, kind, name)
    case 'start':
    case 'crash':
    case 'restart':
      return LIVED[kind]
    default:
      return undefined
  }
}

/** Hashes of kinds by their types or names, which are few as a rule. */
const DELIVERED: Hashes = new Map()
const REQUESTED: Hashes = new Map()
const TIMED_OUT: Hashes = new Map()
const SAID: Hashes = new Map()
type Hashes = Map<string, number>
const LIVED = { start: hashText('start'), crash: hashText('crash'), restart: hashText('restart') }
const MAX_HASHES = 1024

function hashOf(hashes: Hashes, kind: string, name: string): number {
  let hash = hashes.get(name)
  if (hash === undefined) {
    if (hashes.size >= MAX_HASHES) hashes.clear()
    hashes.set(name, (hash = hashText(`${kind} ${name}`)))
  }
  return hash
}
