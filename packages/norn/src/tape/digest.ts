/**
 * A 128-bit hash of a string, the same on every machine; not cryptographic.
 *
 * Four lanes of FNV-1a with different seeds and multipliers, mixed by the finaliser of MurmurHash3.
 * Node's crypto must not be loaded before the world is installed, as it captures bindings.
 */
import { mix } from './chance.ts'

const LANES = [
  [0x811c9dc5, 0x01000193],
  [0x9e3779b9, 0x85ebca6b],
  [0x243f6a88, 0xc2b2ae35],
  [0xb7e15162, 0x27d4eb2f],
] as const

/** @returns 32 hexadecimal digits */
export function digest(text: string): string {
  const sums = LANES.map(([seed, factor]) => {
    let sum: number = seed
    for (let at = 0; at < text.length; at++) {
      sum = Math.imul(sum ^ text.charCodeAt(at), factor)
      sum ^= sum >>> 13
    }
    return sum
  })
  const hex = (word: number) => word.toString(16).padStart(8, '0')
  // Each word depends on two lanes and on the length.
  return sums.map((sum, lane) => hex(mix(mix(sum ^ text.length) ^ sums[(lane + 1) % sums.length]!))).join('')
}
