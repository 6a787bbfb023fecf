/**
 * Values of an arbitrary out of bytes, for fuzzers that hand over bytes, in whatever process they run.
 *
 *     // fuzz.js, for Jazzer.js: npx jazzer fuzz
 *     import { fc, fromBytes } from 'norn'
 *     const orders = fc.array(fc.record({ id: fc.nat(), paid: fc.boolean() }))
 *     export const fuzz = (data) => checkOut(fromBytes(orders, data))
 */
import type fc from 'fast-check'
import { bytesSource } from '../tape/bytes.ts'
import { Tape } from '../tape/tape.ts'
import { TapeRandom } from './input/random.ts'

/**
 * The value that bytes stand for; a function of the arbitrary and the bytes. No bytes, or all of them zero, give the
 * simplest value. Throws a `RangeError` if the arbitrary does not come to an end, as one does whose filter lets nothing pass.
 *
 * @param bytes a `Buffer` will do; what the value does not need is left over
 */
export function fromBytes<Value>(arbitrary: fc.Arbitrary<Value>, bytes: Uint8Array): Value {
  if (typeof arbitrary?.generate !== 'function') {
    throw new TypeError('fromBytes(arbitrary, bytes): the first argument is no fast-check arbitrary')
  }
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError('fromBytes(arbitrary, bytes): the second argument must be a Uint8Array, such as a Buffer')
  }
  const tape: Tape = new Tape(bytesSource(bytes, () => tape.runOut()))
  return arbitrary.generate(TapeRandom.over(tape, 'value'), undefined).value
}
