/**
 * Owns chance: `Math.random` and the random sources of `node:crypto`, all fed from one seeded generator.
 *
 * The seed is a choice of the tape, drawn when a program first asks for chance, so that it costs nothing to those that
 * never do. `crypto.randomBytes` and `randomFill` come right through the owned job classes (see crypto.ts); the
 * functions here are those that Node answers from a cache of random bytes that would outlive an execution.
 */
import type { Chance } from '../../tape/chance.ts'
import { requireInternal } from '../internals.ts'
import { define, replaceWhileActive } from './clock.ts'

export interface ChanceHost {
  active(): boolean
  chance(): Chance
}

const HEX = '0123456789abcdef'

export function ownChance(host: ChanceHost): void {
  ownRandom(host, Math)
  const crypto = requireInternal<typeof import('node:crypto')>('node:crypto')
  const uuid = () => randomUuid(host.chance())
  replaceWhileActive(host, crypto, 'randomUUID', uuid)
  replaceWhileActive(host, Object.getPrototypeOf(crypto.webcrypto), 'randomUUID', uuid)
  const { randomInt } = crypto
  define(crypto, 'randomInt', (...args: [number, number?, ((error: Error | null, value: number) => void)?]) => {
    if (!host.active()) return Reflect.apply(randomInt, crypto, args)
    const callback = args.find((arg) => typeof arg === 'function') as ((e: null, value: number) => void) | undefined
    const [first, second] = args
    const [min, max] = typeof second === 'number' ? [first, second] : [0, first]
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max <= min) {
      return Reflect.apply(randomInt, crypto, args)
    }
    const value = host.chance().integer(min, max - 1)
    if (callback === undefined) return value
    process.nextTick(callback, null, value)
  })
}

/** Of one context: each has its own `Math`. */
export function ownRandom(host: ChanceHost, math: typeof Math): void {
  const { random } = math
  define(math, 'random', () => (host.active() ? host.chance().unit() : random()))
}

/** A UUID of version 4 (RFC 9562). */
function randomUuid(chance: Chance): string {
  let text = ''
  for (let digit = 0; digit < 32; digit++) {
    if (digit === 8 || digit === 12 || digit === 16 || digit === 20) text += '-'
    const drawn = chance.integer(0, 15)
    text += HEX[digit === 12 ? 4 : digit === 16 ? 8 + (drawn & 3) : drawn]
  }
  return text
}

/** Fills bytes with random ones. */
export function fillRandom(chance: Chance, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const word = chance.bits()
    for (let k = 0; k < 4 && at + k < bytes.length; k++) bytes[at + k] = (word >>> (8 * k)) & 0xff
  }
}
