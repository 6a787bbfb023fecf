/**
 * Sorts the entries of a log that is not in the order of events: concatenated logs of several
 * nodes.
 *
 * By time, the smallest first. Or causally, by vector clocks (Fidge 1988, Mattern 1989): an entry
 * comes after the earlier entries of its node, and after the entries of other nodes that its clock
 * covers. Concurrent entries keep the order of the file as far as that allows.
 *
 * Invariant: the entries keep their line numbers. Entries without a time come first.
 */
import { type TraceEntry, TraceFileError } from '../follow/trace-file.ts'

/**
 * A vector clock, with the node of the entry that it belongs to.
 *
 * @public
 */
export interface VectorTime {
  readonly clock: Readonly<Record<string, number | string>>
  readonly node: string | number
}

/**
 * When an entry happened; undefined if unknown.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: the lines of a log have a type of their own
export type Order<Line = any> = (line: Line) => number | string | VectorTime | undefined

/**
 * The entries in the order in which they happened.
 *
 * @param path how messages name the log
 * @throws TraceFileError for mixed or invalid times, and for cyclic vector clocks
 */
export function inOrder(entries: readonly TraceEntry[], order: Order, path: string): readonly TraceEntry[] {
  const without: TraceEntry[] = []
  const timed: { readonly entry: TraceEntry; readonly time: number | string }[] = []
  const clocked: Clocked[] = []
  for (const entry of entries) {
    const when: unknown = order(entry.data)
    if (when === undefined || when === null) without.push(entry)
    else if (typeof when === 'number' || typeof when === 'string') timed.push({ entry, time: when })
    else clocked.push(clockedOf(entry, when as Partial<VectorTime>, path))
  }
  if (timed.length > 0 && clocked.length > 0) {
    const { line } = clocked[0]!.entry
    throw new TraceFileError(
      path,
      line,
      '`order` returned a vector clock for this line and a time for others: use one of them',
    )
  }
  timed.sort((left, right) => compare(left.time, right.time))
  return [...without, ...timed.map(({ entry }) => entry), ...causally(clocked, path)]
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Numbers and numeric strings as numbers, integers exactly; everything else as strings. */
function compare(left: number | string, right: number | string): number {
  const [one, other] = [String(left), String(right)]
  if (!NUMBER.test(one) || !NUMBER.test(other)) return one < other ? -1 : one > other ? 1 : 0
  if (one.includes('.') || other.includes('.')) return Number(one) - Number(other)
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

interface Clocked {
  readonly entry: TraceEntry
  readonly node: string
  /** By node. */
  readonly clock: ReadonlyMap<string, number>
  /** The clock of its own node. */
  readonly time: number
}

function causally(entries: readonly Clocked[], path: string): readonly TraceEntry[] {
  const done: TraceEntry[] = []
  const byNode = Map.groupBy(entries, ({ node }) => node)
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
      throw new TraceFileError(
        path,
        line,
        '`order`: cyclic vector clocks: this entry and another one precede each other',
      )
    }
    done.push(first.log[first.next]!.entry)
    first.next++
  }
}

/** @throws TraceFileError */
function clockedOf(entry: TraceEntry, { clock: known, node: name }: Partial<VectorTime>, path: string): Clocked {
  if (name === undefined || typeof known !== 'object' || known === null) {
    throw new TraceFileError(path, entry.line, '`order` must return a number, a string, { clock, node } or undefined')
  }
  const node = String(name)
  const clock = new Map<string, number>()
  for (const [of, time] of Object.entries(known)) if (Number.isFinite(Number(time))) clock.set(of, Number(time))
  const time = clock.get(node)
  if (time !== undefined) return { entry, node, clock, time }
  throw new TraceFileError(path, entry.line, `\`order\`: the clock has no number for '${node}', the node of this entry`)
}
