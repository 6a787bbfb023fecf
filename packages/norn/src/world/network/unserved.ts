/**
 * Addresses that refused a connection of the program and where nothing has listened: a failure that
 * follows from such a refusal says only that a server is missing, such as a database or a broker.
 *
 * A failure follows if its error holds the refusal, if nothing ended the waiting of a program, or if
 * the program tried again and again. A program that probes ports fails by itself. Pure.
 */
import { holding } from '../realm/held.ts'
import { type Address, shown } from './addresses.ts'

/** A program that tries an address so often wants a server there. */
const MANY_TRIES = 3

export interface Refused {
  readonly to: Address
  /** Where the program connected first. */
  readonly way: Error
  tries: number
}

export class Unserved {
  readonly #served = new Set<number>()
  readonly #refused = new Map<string, Refused>()

  /** A socket listens at the port. */
  listens(port: number): void {
    this.#served.add(port)
  }

  refuses(to: Address, way: () => Error): void {
    const key = shown(to)
    const refused = this.#refused.get(key)
    if (refused === undefined) this.#refused.set(key, { to, way: way(), tries: 1 })
    else refused.tries++
  }

  /**
   * The refusal from which a failure follows; undefined if there is none.
   *
   * @param waits whether the failure is that the program waits without end
   */
  behind(error: unknown, waits: boolean): Refused | undefined {
    const missing = [...this.#refused.values()].filter(({ to }) => !this.#served.has(to.port))
    if (missing.length === 0) return undefined
    const held = holding(error, (object) => missing.find(({ to }) => isRefusal(object, to)))
    return held ?? missing.find(({ tries }) => waits || tries >= MANY_TRIES)
  }

  reset(): void {
    if (this.#served.size > 0) this.#served.clear()
    if (this.#refused.size > 0) this.#refused.clear()
  }
}

/** Whether an object is an error of a connection to an address: Node's, or one with its code alone. */
function isRefusal(error: object, { address, port }: Address): boolean {
  const value = (name: string) => Object.getOwnPropertyDescriptor(error, name)?.value
  const isSame = (name: string, wanted: unknown) => [undefined, wanted].includes(value(name))
  return value('code') === 'ECONNREFUSED' && isSame('port', port) && isSame('address', address)
}
