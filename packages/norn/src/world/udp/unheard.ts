/**
 * Groups that the program sent to and of which no socket of the program was a member: other machines
 * are, and may answer. A group with members of the program is taken to have no others. Pure.
 */
import { type Address, shown } from '../network/addresses.ts'
import type { Datagrams, Receiver } from '../network/datagrams.ts'

export interface UnheardGroup {
  readonly to: Address
  /** Where the program sent to it first. */
  readonly way: Error
}

export class Unheard {
  #groups: readonly (UnheardGroup & { readonly from: Address })[] = []

  /** The first one. */
  get first(): UnheardGroup | undefined {
    return this.#groups[0]
  }

  add(from: Address, to: Address, way: () => Error): void {
    if (!this.#groups.some((each) => shown(each.to) === shown(to)))
      this.#groups = [...this.#groups, { from, to, way: way() }]
  }

  /** A socket of the program joins a group, or binds. */
  joins<Socket extends Receiver>(datagrams: Datagrams<Socket>): void {
    if (this.#groups.length > 0)
      this.#groups = this.#groups.filter(({ from, to }) => datagrams.receivers(from, to).length === 0)
  }

  reset(): void {
    if (this.#groups.length > 0) this.#groups = []
  }
}
