/**
 * A specification that is compiled once and followed by any number of models.
 *
 * Values accumulate in its arena; so now and then a model asks for a new machine of the same
 * specification, and moves the values that it still needs. The other models go on with the old
 * machine until they do the same.
 */
import type { Machine } from 'norn-tla/engine'

export class SharedMachine {
  #machine: Machine
  #firstSize: number

  constructor(machine: Machine) {
    this.#machine = machine
    this.#firstSize = machine.arena.size
  }

  get machine(): Machine {
    return this.#machine
  }

  /** How many values the arena had before anything was evaluated. */
  get firstSize(): number {
    return this.#firstSize
  }

  /** A newer machine than one whose arena has grown too large. */
  renewed(grown: Machine): Machine {
    if (this.#machine === grown) {
      this.#machine = grown.renewed()
      this.#firstSize = this.#machine.arena.size
    }
    return this.#machine
  }
}
