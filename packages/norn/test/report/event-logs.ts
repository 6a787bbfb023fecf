/**
 * Event logs for tests: written as lines of text, or made by a small cluster that runs by chance.
 */
import type { EntryKind, LogEntry } from '../../src/cluster/log.ts'
import type { ClusterRecord } from '../../src/contract/cluster-record.ts'
import type { FailureReport } from '../../src/contract/execution.ts'
import { chance } from '../../src/tape/chance.ts'

/** A failure with a message; undefined without one. */
export function failing(message: string | undefined): FailureReport | undefined {
  return message === undefined ? undefined : { kind: 'error', errorName: 'Error', message, stack: '', frames: [] }
}

/** Steps that depart from the default schedule. */
export function stepsOf(departures: Iterable<number> = []): ClusterRecord['steps'] {
  return Array.from(departures, (step) => [step, ''])
}

const EMPTY = { step: -1, atUs: 0, node: '', peer: '', name: '', id: -1, data: undefined }

/**
 * `3@1.5 deliver a>b #4 'name' {"type":"Vote"}`: step, milliseconds, kind, sender and receiver or
 * node, id, name, JSON.
 */
export function entry(text: string): LogEntry {
  const match = /^(-?\d+)@([\d.]+) (\w+)(?: ([\w-]+)(?:>([\w-]+))?)?(?: #(\d+))?(?: '([^']*)')?(?: ([[{"\d].*))?$/.exec(
    text,
  )
  if (match === null) throw new Error(text)
  const [, step, ms, kind, first = '', second, id = '-1', name = '', json] = match
  // A send stands with its sender, everything else with its receiver.
  const [node, peer] = second === undefined ? [first, ''] : kind === 'send' ? [first, second] : [second, first]
  return {
    step: Number(step),
    atUs: Math.round(Number(ms) * 1000),
    kind: kind as EntryKind,
    node,
    peer,
    name,
    id: Number(id),
    data: json === undefined ? undefined : JSON.parse(json),
  }
}

/** What nodes do in a cluster that runs by chance: not sensible, but of the right form. */
export function chanceLog(nodes: readonly string[], entries: number, seed: number): LogEntry[] {
  const draws = chance(0x6c6f67, seed)
  const below = (n: number) => draws.integer(0, n - 1)
  const log: LogEntry[] = []
  const channel: { id: number; from: string; to: string; data: unknown }[] = []
  const down = new Set<string>()
  let [atUs, step, ids, requests] = [0, -1, 0, 0]
  const add = (kind: EntryKind, rest: Partial<LogEntry>) => log.push({ ...EMPTY, kind, step, atUs, ...rest })
  const send = (from: string) => {
    const to = nodes[below(nodes.length)]!
    const data = {
      type: ['Append', 'Vote', 'Ping'][below(3)],
      term: below(5),
      entries: [{ key: 'x', value: below(100) }],
    }
    channel.push({ id: ids, from, to, data })
    add('send', { node: from, peer: to, id: ids++, data })
  }
  for (const node of nodes) {
    add('start', { node })
    send(node)
  }
  while (log.length < entries) {
    step++
    atUs += below(3) * 1000
    const what = below(100)
    const node = nodes[below(nodes.length)]!
    if (what < 60 && channel.length > 0) {
      const { id, from, to, data } = channel.splice(below(Math.min(3, channel.length)), 1)[0]!
      if (down.has(to)) add('lost', { node: to, peer: from, id, name: 'down', data })
      else {
        add('deliver', { node: to, peer: from, id, data })
        for (let left = below(3); left > 0; left--) send(to)
        if (below(12) === 0) add('event', { node: to, name: 'commit', data: { index: below(9) } })
      }
    } else if (what < 70 && channel.length > 0) {
      const { id, from, to, data } = channel.shift()!
      add('lost', { node: to, peer: from, id, name: 'drop', data })
    } else if (what < 73 && channel.length > 0) {
      const again = channel[0]!
      channel.push(again)
      add('duplicate', { node: again.to, peer: again.from, id: again.id, data: again.data })
    } else if (what < 77 && !down.has(node)) {
      down.add(node)
      add('crash', { node })
    } else if (what < 83 && down.has(node)) {
      down.delete(node)
      add('restart', { node })
      send(node)
    } else if (what < 84) {
      add('partition', { data: [nodes.slice(0, 1), nodes.slice(1)] })
    } else if (what < 86) {
      add('heal', {})
    } else if (what < 92 && !down.has(node)) {
      add('request', { node, id: requests, data: { set: 'x', to: below(10) } })
      send(node)
      if (below(2) === 0) add('reply', { node, id: requests, data: 'ok' })
      requests++
    } else if (!down.has(node)) {
      add('timeout', { node, name: 'election' })
      send(node)
    }
  }
  return log
}
