/**
 * A command sequence: a ring of two slots whose `take` forgets to wrap round, so that the third
 * take misses its element. The bug needs three puts and three takes in an order that the ring
 * allows; all other commands are superfluous.
 */
import fc from 'fast-check'
import { failOn } from './cases.ts'

const SLOTS = 2

interface Model {
  readonly items: number[]
}

interface Ring {
  readonly slots: number[]
  write: number
  read: number
  /** The commands that ran. */
  readonly log: [string, ...number[]][]
}

class Put implements fc.Command<Model, Ring> {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  check = ({ items }: Readonly<Model>) => items.length < SLOTS
  run({ items }: Model, ring: Ring): void {
    ring.log.push(['put', this.value])
    items.push(this.value)
    ring.slots[ring.write++ % SLOTS] = this.value
  }
  toString = () => `put ${this.value}`
}

class Take implements fc.Command<Model, Ring> {
  check = ({ items }: Readonly<Model>) => items.length > 0
  run({ items }: Model, ring: Ring): void {
    ring.log.push(['take'])
    if (ring.slots[ring.read++] !== items.shift()) failOn(ring.log)
  }
  toString = () => 'take'
}

class Size implements fc.Command<Model, Ring> {
  check = () => true
  run({ items }: Model, ring: Ring): void {
    ring.log.push(['size'])
    if (ring.write - ring.read !== items.length) failOn(ring.log)
  }
  toString = () => 'size'
}

export const ringCommands = () =>
  fc.commands<Model, Ring>([fc.nat(100).map((n) => new Put(n)), fc.constant(new Take()), fc.constant(new Size())])

export function runRing(commands: Iterable<fc.Command<Model, Ring>>): void {
  fc.modelRun(() => ({ model: { items: [] }, real: { slots: [], write: 0, read: 0, log: [] } }), commands)
}
