/** Keys, values and transactions for people. */
import type { MicroOperation, Transaction } from '../history/transaction.ts'
import { microOperations } from './workload.ts'

/** Longer lists show their end only. */
const MAX_ELEMENTS = 8
/** Longer transactions show their beginning only. */
const MAX_MICRO_OPERATIONS = 24

/** Keys are names: strings have no quotes. */
export function showKey(key: unknown): string {
  return typeof key === 'string' ? key : showValue(key)
}

export function showValue(value: unknown): string {
  if (value === undefined || value === null) return 'nil'
  if (Array.isArray(value)) return showList(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, part]) => `${name}: ${showValue(part)}`)
      .join(', ')}}`
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** The first `length` elements: `[1 2 3]`, or `[... 8 9] (9 elements)` if they are many. */
export function showList(list: readonly unknown[], length = list.length): string {
  const from = length > MAX_ELEMENTS ? length - MAX_ELEMENTS + 1 : 0
  const shown = list.slice(from, length).map(showValue).join(' ')
  return from > 0 ? `[... ${shown}] (${length} elements)` : `[${shown}]`
}

/** `lines 3-4, process 0: r x [1], append y 2`; `not known to have committed` where that is so. */
export function showTransaction(transaction: Transaction): string {
  const { line, returnLine, process, outcome } = transaction
  const where =
    line === undefined ? '' : returnLine === undefined ? `line ${line}, ` : `lines ${line} and ${returnLine}, `
  const list = microOperations(transaction)
  const shown = list.slice(0, MAX_MICRO_OPERATIONS).map((operation) => showMicroOperation(operation, outcome === 'ok'))
  if (list.length > shown.length) shown.push(`... (${list.length} in all)`)
  const ending = outcome === 'ok' ? '' : outcome === 'fail' ? ', aborted' : ', outcome unknown'
  return `${where}process ${process}${ending}: ${shown.join(', ')}`
}

function showMicroOperation([f, key, value]: MicroOperation, isKnown: boolean): string {
  const isUnread = f === 'r' && !isKnown
  return isUnread ? `r ${showKey(key)}` : `${f} ${showKey(key)} ${showValue(value)}`
}
