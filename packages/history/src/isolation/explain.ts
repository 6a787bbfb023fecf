/** Anomalies in words: what happened, then each transaction with its lines. */
import type { CycleStep, EdgeName } from './anomaly.ts'
import { PROCESS, REALTIME, RW, WR, WW, WW_UNKNOWN } from './edges.ts'
import type { Finding } from './findings.ts'
import { type Flat, writtenValue } from './flat.ts'
import type { RawStep } from './subgraph.ts'
import { showTransaction } from './words.ts'

/** Why the first transaction comes before the second, by what they did to a key. */
export type ExplainEdge = (step: RawStep, from: Named, to: Named) => string

interface Named {
  readonly name: string
  readonly transaction: number
}

const EDGE_NAMES: Readonly<Record<number, EdgeName>> = {
  [WW]: 'ww',
  [WW_UNKNOWN]: 'ww',
  [WR]: 'wr',
  [RW]: 'rw',
  [PROCESS]: 'process',
  [REALTIME]: 'realtime',
}

/** @param say gets the names of the transactions, T1 for the first; an equal one has an equal name */
export function explainWith(
  flat: Flat,
  involved: readonly number[],
  say: (names: readonly string[]) => string,
): Omit<Finding, 'type'> {
  const transactions = [...new Set(involved)]
  const what = say(involved.map((index) => `T${transactions.indexOf(index) + 1}`))
  return { transactions, explanation: [what, ...listed(flat, transactions)].join('\n') }
}

/** A cycle, edge by edge, from the transaction that was called first. */
export function explainCycle(flat: Flat, raw: readonly RawStep[], explain: ExplainEdge): Omit<Finding, 'type'> {
  const first = raw.reduce((best, step, at) => (step.transaction < raw[best]!.transaction ? at : best), 0)
  const steps = [...raw.slice(first), ...raw.slice(0, first)]
  const named = steps.map(({ transaction }, at) => ({ name: `T${at + 1}`, transaction }))
  const cycle = steps.map((step, at): CycleStep => {
    const from = named[at]!
    const to = named[(at + 1) % named.length]!
    const isData = [WW, WW_UNKNOWN, WR, RW].includes(step.type)
    return {
      transaction: step.transaction,
      edge: EDGE_NAMES[step.type]!,
      ...(isData && { key: flat.keys[flat.writes.key[step.write]!], value: writtenValue(flat, step.write) }),
      because: isData ? explain(step, from, to) : explainOrder(flat, step.type, from, to),
    }
  })
  const transactions = steps.map(({ transaction }) => transaction)
  const lines = cycle.map(({ because }, at) => {
    const isLast = at === cycle.length - 1
    const to = named[(at + 1) % named.length]!.name
    return `- ${isLast ? 'but ' : ''}${named[at]!.name} comes before ${to}: ${because}`
  })
  const what = `a cycle, ${[...named, named[0]!].map(({ name }) => name).join(' before ')}:`
  return { transactions, cycle, explanation: [what, ...lines, ...listed(flat, transactions)].join('\n') }
}

function explainOrder({ transactions }: Flat, type: number, from: Named, to: Named): string {
  if (type === PROCESS) return `process ${transactions[from.transaction]!.process} ran ${from.name}, then ${to.name}`
  if (type !== REALTIME) throw new Error(`not an edge between transactions: ${type}`)
  return `${from.name} returned before ${to.name} was called`
}

function listed(flat: Flat, transactions: readonly number[]): string[] {
  return transactions.map((index, at) => `  T${at + 1}: ${showTransaction(flat.transactions[index]!)}`)
}
