/** Hashes of values: a function of the value alone, so the same in every arena and process. */
import type { Canonical } from './value.ts'

export function hashOf(value: Canonical): number {
  if (typeof value === 'number') return Math.imul(value, 0x9e3779b1) ^ 0x2545f491
  if (typeof value === 'boolean') return value ? 0x51ed270b : 0x2c1b3c6d
  return value.hash
}

/** The contribution of an element at an index to the hash of its composite. */
export function part(value: Canonical, place: number): number {
  return mix(hashOf(value), Math.imul(place + 1, 0x7feb352d))
}

/** The hash of elements at their indices. */
export function sum(seed: number, elements: readonly Canonical[]): number {
  let hash = seed
  for (let at = 0; at < elements.length; at++) hash = (hash + part(elements[at]!, at)) | 0
  return hash
}

/** MurmurHash3's finaliser, chained. */
export function mix(hash: number, other: number): number {
  let mixed = Math.imul(hash ^ other, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

export function hashText(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash ^ (hash >>> 15)
}
