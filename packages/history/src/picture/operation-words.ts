/** Operations in words, and the keys that they are about. */
import type { Operation } from '../history/operation.ts'
import type { MicroOperation } from '../history/transaction.ts'
import { showKey, showValue } from '../isolation/words.ts'
import { canonical } from '../models/canonical.ts'
import type { ObjectModel } from '../models/model.ts'

/** How the operations of a picture are shown. */
export interface Words {
  describe(operation: Operation): string
  keysOf(operation: Operation): readonly unknown[]
}

/** In the words of a model. Without one, transactions as such, and others by their input and output. */
export function wordsOf(model: ObjectModel | undefined): Words {
  return {
    describe(operation) {
      const { input, output, outcome } = operation
      const isKnown = outcome === 'ok'
      const text = model?.describe?.(input, isKnown ? output : undefined, isKnown)
      return text ?? (isTransaction(operation) ? transactionWords(operation) : callWords(operation))
    },
    keysOf(operation) {
      const { input } = operation
      if (model?.partition !== undefined) return [model.partition(input)].filter((key) => key !== undefined)
      return isTransaction(operation) ? [...new Set(microOperations(operation).map(([, key]) => key))] : []
    },
  }
}

function isTransaction({ input }: Operation): boolean {
  return Array.isArray(input) && input.every((micro) => Array.isArray(micro) && typeof micro[0] === 'string')
}

function microOperations({ input, output, outcome }: Operation): readonly MicroOperation[] {
  return (outcome === 'ok' && Array.isArray(output) ? output : input) as readonly MicroOperation[]
}

/** `r x [1 2], append y 3`. */
function transactionWords(operation: Operation): string {
  return microOperations(operation)
    .map(([f, key, value]) => {
      if (f === 'r' && operation.outcome !== 'ok') return `r ${showKey(key)}`
      const shown = Array.isArray(value) ? `[${value.map(showValue).join(' ')}]` : showValue(value)
      return `${f} ${showKey(key)} ${shown}`
    })
    .join(', ')
}

/** `write(3)`, `read() = 4`. */
function callWords({ input, output, outcome }: Operation): string {
  const ending = outcome === 'ok' && output !== undefined ? ` = ${canonical(output)}` : ''
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return `${canonical(input)}${ending}`
  const { f, ...rest } = input as { readonly f?: unknown }
  const args = Object.values(rest).filter((each) => each !== undefined)
  return `${typeof f === 'string' ? f : ''}(${args.map(canonical).join(', ')})${ending}`
}

/** Says how much there is of a text that is cut. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`
}
