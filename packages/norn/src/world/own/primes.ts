/**
 * Prime numbers, drawn from the world's chance.
 *
 * As OpenSSL makes primes (crypto/bn/bn_prime.c): a start with its two highest bits and its lowest set, then the first
 * prime from there on; with `add`, the first that leaves the remainder.
 */
import type { Chance } from '../../tape/chance.ts'

export interface PrimeOptions {
  readonly safe?: boolean
  readonly add?: bigint | undefined
  readonly rem?: bigint | undefined
}

/** Whether a number is prime; OpenSSL's answer. */
export type IsPrime = (candidate: bigint) => boolean

/** After so many candidates from one start, and so many starts, there is none. */
const CANDIDATES = 20_000
const STARTS = 50

/** Primes that were searched for: executions with the same seed ask for the same ones. */
const MOST_KNOWN = 64
const known = new Map<string, bigint>()

const SMALL = smallPrimes(2000)

/** A prime of exactly so many bits; undefined if none was found, as where the remainder allows none. */
export function drawPrime(
  bits: number,
  { safe = false, add, rem = 1n }: PrimeOptions,
  chance: Chance,
  isPrime: IsPrime,
): bigint | undefined {
  const size = BigInt(bits)
  const step = add ?? (bits > 2 ? 2n : 1n)
  for (let start = 0; start < STARTS; start++) {
    let candidate = chance.bigint(0n, (1n << size) - 1n) | (bits > 2 ? 3n << (size - 2n) : 1n << (size - 1n))
    candidate += add === undefined ? (bits > 2 && candidate % 2n === 0n ? 1n : 0n) : rem - (candidate % add)
    const key = `${candidate} ${step} ${safe}`
    const before = known.get(key)
    if (before !== undefined) return before
    const found = firstPrime(candidate, step, size, safe, isPrime)
    if (found === undefined) continue
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, found)
    return found
  }
  return undefined
}

/** The inverse of `value` modulo `modulus`; undefined if they have a common factor. */
export function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [r, next] = [modulus, value % modulus]
  let [t, nextT] = [0n, 1n]
  while (next !== 0n) {
    const quotient = r / next
    ;[r, next] = [next, r - quotient * next]
    ;[t, nextT] = [nextT, t - quotient * nextT]
  }
  if (r !== 1n) return undefined
  return t < 0n ? t + modulus : t
}

function firstPrime(from: bigint, step: bigint, size: bigint, safe: boolean, isPrime: IsPrime): bigint | undefined {
  let candidate = from
  for (let tried = 0; tried < CANDIDATES && candidate >> size === 0n; tried++, candidate += step) {
    if (!mayBePrime(candidate) || (safe && !mayBePrime(candidate / 2n))) continue
    if (isPrime(candidate) && (!safe || isPrime(candidate / 2n))) return candidate
  }
  return undefined
}

function mayBePrime(candidate: bigint): boolean {
  if (candidate < 2n) return false
  for (const prime of SMALL) if (candidate % prime === 0n) return candidate === prime
  return true
}

/** All primes below a bound (the sieve of Eratosthenes). */
function smallPrimes(bound: number): bigint[] {
  const composite = new Uint8Array(bound)
  const primes: bigint[] = []
  for (let n = 2; n < bound; n++) {
    if (composite[n]) continue
    primes.push(BigInt(n))
    for (let multiple = n * n; multiple < bound; multiple += n) composite[multiple] = 1
  }
  return primes
}
