/**
 * Decodes bytes into a value of an arbitrary, for fuzzers that generate bytes, in any process.
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
 * The value that bytes encode: a function of the arbitrary and the bytes. No bytes, or only zeros,
 * encode the simplest value.
 *
 * @public
 * @param bytes may be a `Buffer`; bytes that the value does not need are ignored
 * @throws TypeError for an invalid argument; RangeError if the generation does not end, as with a
 *   filter that rejects
 *   every value
 */
export function fromBytes<Value>(arbitrary: fc.Arbitrary<Value>, bytes: Uint8Array): Value {
  if (typeof arbitrary?.generate !== 'function') {
    throw new TypeError('fromBytes(arbitrary, bytes): arbitrary is not a fast-check arbitrary')
  }
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError('fromBytes(arbitrary, bytes): bytes must be a Uint8Array, such as a Buffer')
  }
  const tape: Tape = new Tape(bytesSource(bytes, () => tape.runOut()))
  return arbitrary.generate(TapeRandom.over(tape, 'value'), undefined).value
}
