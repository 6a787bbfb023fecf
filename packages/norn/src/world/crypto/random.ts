/**
 * Intercepts random numbers: `Math.random` and the sources of `node:crypto`, from one seeded
 * generator.
 *
 * The seed is a choice of the tape, drawn on first use, so programs without random numbers draw
 * nothing. `crypto.randomBytes` and `randomFill` follow from the intercepted jobs (crypto.ts); the
 * functions here are those that Node serves from a cache of random bytes, which would outlive an
 * execution.
 */

import process from 'node:process'
import { requireInternal } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'

export interface ChanceHost extends Activity {
  chance(): Chance
}

const HEX = '0123456789abcdef'

export const random: Interceptor<ChanceHost> = {
  name: 'random numbers',
  builtins: {
    globals: { controlled: 'Math.random crypto.getRandomValues crypto.randomUUID' },
  },
  install: interceptChance,
}

function interceptChance(host: ChanceHost): void {
  interceptRandom(host, Math)
  const crypto = requireInternal<typeof import('node:crypto')>('node:crypto')
  const hasOptions = (_: unknown, options: unknown) => areOptions(options)
  interceptUuid(host, crypto, 'randomUUID', randomUuid, hasOptions)
  const { webcrypto } = crypto
  interceptUuid(host, Object.getPrototypeOf(webcrypto), 'randomUUID', randomUuid, (receiver) => receiver === webcrypto)
  // Node 24.16 and later.
  if ('randomUUIDv7' in crypto) interceptUuid(host, crypto, 'randomUUIDv7', timedUuid, hasOptions)
  interceptRandomInt(host, crypto)
}

/** Takes the place of a function; of wrong arguments, or a wrong receiver, Node's own reports the error. */
function interceptUuid(
  host: ChanceHost,
  object: object,
  name: string,
  make: (chance: Chance) => string,
  isValid: (receiver: unknown, options: unknown) => boolean,
): void {
  const real = Reflect.get(object, name) as Function
  define(object, name, function (this: unknown, ...args: unknown[]) {
    return host.active() && isValid(this, args[0]) ? make(host.chance()) : Reflect.apply(real, this, args)
  })
}

/** As Node's `validateObject` and `validateBoolean`. */
function areOptions(options: unknown): boolean {
  if (options === undefined) return true
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const { disableEntropyCache = false } = options as Record<string, unknown>
  return typeof disableEntropyCache === 'boolean'
}

type IntegerCallback = (error: undefined, value: number) => void

/** The widest range of `crypto.randomInt`. */
const WIDEST = 2 ** 48 - 1

/**
 * Follows lib/internal/crypto/random.js: integers come from a cache of random bytes. The first
 * asynchronous call fills it on the pool, calls meanwhile wait with it, and later ones are answered
 * in a tick.
 */
function interceptRandomInt(host: ChanceHost, crypto: typeof import('node:crypto')): void {
  const { randomFill, randomInt } = crypto
  /** The random numbers of the execution whose cache is filled. */
  let filled: Chance | undefined
  let waiting: { readonly chance: Chance; readonly calls: (() => void)[] } | undefined

  define(crypto, 'randomInt', (...args: unknown[]) => {
    if (!host.active()) return Reflect.apply(randomInt, crypto, args)
    const hasMin = args[1] !== undefined && typeof args[1] !== 'function'
    const [min, max, callback] = (hasMin ? args : [0, ...args]) as [number, number, IntegerCallback | undefined]
    const valid = Number.isSafeInteger(min) && Number.isSafeInteger(max) && max > min && max - min <= WIDEST
    // Node reports the error.
    if (!valid || (callback !== undefined && typeof callback !== 'function')) {
      return Reflect.apply(randomInt, crypto, args)
    }
    const chance = host.chance()
    if (callback === undefined) {
      filled = chance
      return chance.integer(min, max - 1)
    }
    const answer = () => process.nextTick(callback, undefined, chance.integer(min, max - 1))
    if (filled === chance) return void answer()
    if (waiting?.chance === chance) return void waiting.calls.push(answer)
    const calls = [answer]
    waiting = { chance, calls }
    randomFill(new Uint8Array(1), () => {
      filled = chance
      waiting = undefined
      for (const each of calls) each()
    })
  })
}

/** Intercepts one context, which has its own `Math`. */
export function interceptRandom(host: ChanceHost, math: typeof Math): void {
  const { random } = math
  define(math, 'random', () => (host.active() ? host.chance().fineUnit() : random()))
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

/** A UUID of version 7: 48 bits of the wall clock's milliseconds, then random bits. */
function timedUuid(chance: Chance): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUuid(chance).slice(15)}`
}

/** Fills an array with random bytes. */
export function fillRandom(chance: Chance, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const word = chance.bits()
    for (let k = 0; k < 4 && at + k < bytes.length; k++) bytes[at + k] = (word >>> (8 * k)) & 0xff
  }
}
