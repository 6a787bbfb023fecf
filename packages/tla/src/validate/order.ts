/**
 * The order in which the entries of a log happened, where it is not that of the file: logs of several machines put together.
 *
 * By what stands at a place, a time or a number: the smallest first. Or causally, by vector clocks (Fidge 1988, Mattern 1989): an
 * entry comes after all that its node did before, and after what other nodes had done as far as its clock knows. What is
 * concurrent stays as near to the order of the file as that allows.
 *
 * Invariant: the same entries, with the lines that they have in the file. Those that have nothing at the place come first.
 */
import { type TraceEntry, TraceFileError } from '../trace-file.ts'

export type Order = { readonly by: string } | { readonly clock: string; readonly node: string }

/** What stands at a place of an entry; undefined if nothing does. */
export type At = (place: string, data: unknown) => unknown

/**
 * The entries in the order in which they happened.
 *
 * @param path how messages name the log
 * @throws TraceFileError for what cannot be compared, and for clocks that contradict each other
 */
export function inOrder(entries: readonly TraceEntry[], order: Order, at: At, path: string): readonly TraceEntry[] {
  return 'by' in order ? byPlace(entries, order.by, at, path) : causally(entries, order, at, path)
}

function byPlace(entries: readonly TraceEntry[], place: string, at: At, path: string): readonly TraceEntry[] {
  const without = entries.filter(({ data }) => at(place, data) === undefined)
  const timed = entries.flatMap((entry) => {
    const data = at(place, entry.data)
    if (data === undefined) return []
    if (typeof data === 'number' || typeof data === 'string') return [{ entry, time: data }]
    throw new TraceFileError(path, entry.line, `\`order\`: at ${place} there is neither a number nor a text`)
  })
  timed.sort((left, right) => compare(left.time, right.time))
  return [...without, ...timed.map(({ entry }) => entry)]
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Numbers and texts of numbers as numbers, whole ones exactly; all else as texts. */
function compare(left: number | string, right: number | string): number {
  const [one, other] = [String(left), String(right)]
  if (!NUMBER.test(one) || !NUMBER.test(other)) return one < other ? -1 : one > other ? 1 : 0
  if (one.includes('.') || other.includes('.')) return Number(one) - Number(other)
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

interface Clocked {
  readonly entry: TraceEntry
  /** What it knows of each node that there are entries of. */
  readonly clock: ReadonlyMap<string, number>
  /** Of its own node. */
  readonly time: number
}

function causally(
  entries: readonly TraceEntry[],
  { clock, node }: Extract<Order, { readonly clock: string }>,
  at: At,
  path: string,
): readonly TraceEntry[] {
  const done: TraceEntry[] = []
  const byNode = new Map<string, Clocked[]>()
  for (const entry of entries) {
    const [name, known] = [at(node, entry.data), at(clock, entry.data)]
    if (name === undefined || known === undefined) done.push(entry)
    else {
      const clocked = clockedOf(entry, String(name), known, path)
      const own = byNode.get(String(name))
      if (own === undefined) byNode.set(String(name), [clocked])
      else own.push(clocked)
    }
  }
  const logs = Array.from(byNode, ([name, log]) => ({ name, log: log.sort((a, b) => a.time - b.time), next: 0 }))
  for (;;) {
    const heads = logs.filter(({ log, next }) => next < log.length)
    if (heads.length === 0) return done
    const ready = heads.filter((one) => {
      const { clock: known } = one.log[one.next]!
      return heads.every((other) => other === one || other.log[other.next]!.time > (known.get(other.name) ?? 0))
    })
    const [first] = ready.sort((left, right) => left.log[left.next]!.entry.line - right.log[right.next]!.entry.line)
    if (first === undefined) {
      const { line } = heads[0]!.log[heads[0]!.next]!.entry
      throw new TraceFileError(path, line, '`order`: its clock knows of something that knows of it')
    }
    done.push(first.log[first.next]!.entry)
    first.next++
  }
}

/** @throws TraceFileError */
function clockedOf(entry: TraceEntry, node: string, known: unknown, path: string): Clocked {
  const clock = new Map<string, number>()
  if (typeof known === 'object' && known !== null) {
    for (const [name, time] of Object.entries(known)) if (Number.isFinite(Number(time))) clock.set(name, Number(time))
  }
  const time = clock.get(node)
  if (time !== undefined) return { entry, clock, time }
  throw new TraceFileError(path, entry.line, `\`order\`: the clock has no number for ${node}, whose entry it is`)
}
