import { AmountError } from './errors.ts'

export function amount(value: number): number {
  if (!Number.isSafeInteger(value)) throw new AmountError(`no amount: ${value}`)
  return value
}
