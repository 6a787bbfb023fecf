import { expect, test } from 'vitest'
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'
import { checkIsolation, type IsolationOptions } from '../../src/isolation/check.ts'

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Store = Map<string, unknown>
type Level = 'strict-serializable' | 'snapshot-isolation' | 'read-committed'

/**
 * A store that runs transactions of a few processes, one micro-operation of some process at a time. Writes
 * are buffered until they commit. Strict serializable transactions run without others between; those of
 * snapshot isolation read a snapshot, and abort if another has written what they write; those of read
 * committed read what is committed at the time, and lock what they write or abort.
 */
function run(level: Level, workload: IsolationOptions['workload'], seed: number): Transaction[] {
  const below = random(seed * 2654435761)
  const done: Transaction[] = []
  let committed: Store = new Map()
  const lastWrite = new Map<string, number>()
  let next = 1
  let time = 0
  interface Running {
    readonly process: number
    readonly call: number
    readonly input: readonly MicroOperation[]
    readonly output: MicroOperation[]
    readonly own: Map<string, unknown[]>
    readonly snapshot: Store
    readonly begun: number
  }
  let running: Running[] = []
  const begin = (process: number) => {
    const input = Array.from({ length: 1 + below(3) }, (): MicroOperation => {
      const key = 'xyz'[below(3)]!
      if (below(2) === 0) return ['r', key, null]
      return [workload === 'list-append' ? 'append' : 'w', key, next++]
    })
    running.push({ process, call: time++, input, output: [], own: new Map(), snapshot: committed, begun: time })
  }
  const step = (one: Running) => {
    const operation = one.input[one.output.length]!
    const [f, name, value] = operation
    const key = name as string
    const own = one.own.get(key) ?? []
    if (f !== 'r') {
      if (level === 'read-committed' && running.some((other) => other !== one && other.own.has(key))) {
        end(one, true)
        return
      }
      one.own.set(key, [...own, value])
      one.output.push(operation)
      return
    }
    const base = (level === 'snapshot-isolation' ? one.snapshot : committed).get(key) ?? null
    const seen = workload === 'list-append' ? [...((base as unknown[] | null) ?? []), ...own] : (own.at(-1) ?? base)
    one.output.push(['r', key, seen])
  }
  const end = (one: Running, isAborted = false) => {
    running = running.filter((other) => other !== one)
    const conflicts = [...one.own.keys()].some((key) => (lastWrite.get(key) ?? -1) >= one.begun)
    const fails = isAborted || (level === 'snapshot-isolation' && conflicts) || below(10) === 0
    if (!fails) {
      const merged = new Map(committed)
      for (const [key, own] of one.own) {
        merged.set(key, workload === 'list-append' ? [...((merged.get(key) as unknown[]) ?? []), ...own] : own.at(-1))
        lastWrite.set(key, time)
      }
      committed = merged
    }
    const outcome = fails ? (below(3) === 0 ? 'unknown' : 'fail') : below(10) === 0 ? 'unknown' : 'ok'
    const { process, call, input, output } = one
    done.push({
      process,
      call,
      input,
      output: outcome === 'ok' ? output : undefined,
      outcome,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : time,
    })
    time++
  }
  while (done.length < 12) {
    const process = below(4)
    const one = running.find((other) => other.process === process)
    if (one === undefined) begin(process)
    else if (one.output.length < one.input.length) {
      if (level === 'strict-serializable') {
        while (one.output.length < one.input.length) step(one)
        end(one)
      } else step(one)
    } else end(one)
  }
  return done.sort((a, b) => a.call - b.call)
}

test.for<[Level, IsolationOptions['consistency']]>([
  ['strict-serializable', 'strict-serializable'],
  ['snapshot-isolation', 'strong-snapshot-isolation'],
  ['read-committed', 'strong-read-committed'],
])('no alarm about a store that is %s', ([level, consistency]) => {
  for (const workload of ['list-append', 'rw-register'] as const) {
    const found = new Set<string>()
    for (let seed = 1; seed <= 400; seed++) {
      const transactions = run(level, workload, seed)
      const strong = workload === 'rw-register' && seed % 2 === 0
      const options = { workload, consistency, sequentialKeys: strong, linearizableKeys: strong }
      const { verdict, anomalies } = checkIsolation(transactions, options)
      expect({ workload, seed, verdict, anomalies: anomalies.filter((one) => one.isForbidden) }).toEqual({
        workload,
        seed,
        verdict: 'ok',
        anomalies: [],
      })
      for (const { type } of anomalies) found.add(type)
    }
    // The weaker stores do show what they allow.
    if (level === 'snapshot-isolation') expect(found).toContain('G2-item')
    if (level === 'read-committed') expect(found).toContain('G-single')
  }
})
