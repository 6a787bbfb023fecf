/**
 * Failures that are hard to shrink, after the shrinking challenge of Hypothesis's authors: in each,
 * certain parts must change together. A case fails by throwing its value, so that both tools are
 * measured on the value alone.
 */
import fc from 'fast-check'

/** Fails on a value. The quotes keep the value out of the failure's fingerprint. */
export function failOn(value: unknown): never {
  const text = JSON.stringify(value).replace(/[^ -_a-~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  throw new Error(`\`${text}\``)
}

/** The value of `failOn`. */
export function failedOn(message: string): unknown {
  return JSON.parse(message.slice(message.indexOf('`') + 1, message.lastIndexOf('`')))
}

export interface Case<Value = unknown> {
  readonly arbitrary: fc.Arbitrary<Value>
  readonly fails: (value: Value) => boolean
}

function define<Value>(arbitrary: fc.Arbitrary<Value>, fails: (value: Value) => boolean): Case {
  return { arbitrary, fails } as unknown as Case
}

const sum = (list: readonly number[]) => list.reduce((total, n) => total + n, 0)
const exactly = <Value>(arbitrary: fc.Arbitrary<Value>, length: number) =>
  fc.array(arbitrary, { minLength: length, maxLength: length })

/** By name: an arbitrary, and the values that fail. */
export const CASES: Readonly<Record<string, Case>> = {
  // The length is drawn first: an item cannot be removed unless the length is lowered too.
  'dependent length': define(
    fc.nat(10).chain((length) => exactly(fc.nat(1000), length)),
    (list) => list.length >= 2 && list.some((n) => n > 100),
  ),
  // Neither of the two equal items can be lowered alone.
  duplicates: define(fc.array(fc.nat(1000)), (list) => new Set(list).size < list.length),
  // Three ways to fail, one of them the simplest.
  oneof: define(fc.oneof(fc.nat(1000), fc.string(), fc.array(fc.nat(1000))), (value) =>
    typeof value === 'number' ? value > 100 : typeof value === 'string' ? value.length > 2 : sum(value) > 100,
  ),
  'nested chain': define(
    fc.nat(5).chain((rows) =>
      exactly(
        fc.nat(5).chain((columns) => exactly(fc.nat(100), columns)),
        rows,
      ),
    ),
    (rows) => rows.some((row) => row.length >= 2 && row.some((n) => n > 50)),
  ),
  // As few terms as reach the sum, none too large.
  'array sum': define(fc.array(fc.nat(1000)), (list) => sum(list) > 1500),
}
