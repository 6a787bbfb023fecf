/**
 * Failures that are hard to make small, after the cases on which property-based testing tools are compared (the shrinking
 * challenge of Hypothesis's authors): each was chosen for what must change together.
 *
 * A case fails by throwing what it failed on, so both sides are measured on the value alone, whatever drew it.
 */
import fc from 'fast-check'

/** Fails on a value. The quotes keep it out of what a failure is told from others by. */
export function failOn(value: unknown): never {
  const text = JSON.stringify(value).replace(/[^ -_a-~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  throw new Error(`\`${text}\``)
}

/** What `failOn` was given. */
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

/** The cases that are a value and what must not hold of it, by name. */
export const CASES: Readonly<Record<string, Case>> = {
  // The length is drawn first: an item cannot go unless it is lowered too.
  'dependent length': define(
    fc.nat(10).chain((length) => exactly(fc.nat(1000), length)),
    (list) => list.length >= 2 && list.some((n) => n > 100),
  ),
  // Neither of the two can be lowered alone.
  duplicates: define(fc.array(fc.nat(1000)), (list) => new Set(list).size < list.length),
  // Three ways to fail, of which one is the simplest.
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
  // As few terms as make it, and none is too large.
  'array sum': define(fc.array(fc.nat(1000)), (list) => sum(list) > 1500),
}
