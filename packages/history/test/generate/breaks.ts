/** Violations to plant: operations that no others can explain, as the values they write are new. */
import type { ModelInput, ModelName } from '../../src/models/inputs.ts'
import type { SimulatedObject } from './simulated-object.ts'

/**
 * `stale-read`: a read of what was overwritten before it. `lost-write`: a write that nobody sees.
 * `unwritten-read`: a read of what nobody wrote. `order-swapped`: reads of two writes, or dequeues of two
 * values, in the wrong order. `duplicate`: a value that comes out twice. `held-twice`: a mutex that is
 * acquired twice without a release.
 */
export type Break = 'stale-read' | 'lost-write' | 'unwritten-read' | 'order-swapped' | 'duplicate' | 'held-twice'

/** An operation of the first or second planted process; times count from the violation's beginning. */
interface Step {
  readonly process: 0 | 1
  readonly input: ModelInput
  readonly output?: unknown
  readonly from: number
  readonly to: number
}

/**
 * The kinds of violations that histories of a model can have.
 */
export function breaksOf(model: ModelName): readonly Break[] {
  return Object.keys(VIOLATIONS[FAMILIES[model]]) as Break[]
}

/**
 * The operations of a violation, ordered by call. Other operations see what they do to the object.
 *
 * @param number that no other operation of the history writes
 */
export function violation(model: ModelName, kind: Break, object: SimulatedObject, number: number): Step[] {
  return VIOLATIONS[FAMILIES[model]][kind]!({ model, object, number })
}

interface Site {
  readonly model: ModelName
  readonly object: SimulatedObject
  readonly number: number
}

type Family = 'cell' | 'sum' | 'elements' | 'sequence' | 'lock'
const FAMILIES: Readonly<Record<ModelName, Family>> = {
  register: 'cell',
  'cas-register': 'cell',
  kv: 'cell',
  counter: 'sum',
  set: 'elements',
  queue: 'sequence',
  stack: 'sequence',
  mutex: 'lock',
}

/** Numbers that generated operations do not reach. */
const NEW = 2 ** 40

/** Operations one after another, by one process. */
function inTurn(...steps: readonly (readonly [input: ModelInput, output?: unknown])[]): Step[] {
  return steps.map(([input, output], index) => ({ process: 0, input, output, from: 2 * index, to: 2 * index + 1 }))
}

function cell({ model, number }: Site) {
  const isStore = model === 'kv'
  const value = (index: number) => (isStore ? `<${number}.${index}>` : NEW + 2 * number + index)
  const read: ModelInput = { f: isStore ? 'get' : 'read' }
  const write = (written: unknown): ModelInput => ({ f: isStore ? 'put' : 'write', value: written })
  return { older: value(0), newer: value(1), read, write }
}

function ends(model: ModelName, number: number) {
  const isStack = model === 'stack'
  const take: ModelInput = { f: isStack ? 'pop' : 'dequeue' }
  const put = (value: unknown): ModelInput => ({ f: isStack ? 'push' : 'enqueue', value })
  return { first: NEW + 2 * number, second: NEW + 2 * number + 1, take, put, isStack }
}

const VIOLATIONS: Readonly<Record<Family, Partial<Record<Break, (site: Site) => Step[]>>>> = {
  cell: {
    'stale-read'(site) {
      const { older, newer, read, write } = cell(site)
      site.object.run(write(newer))
      return inTurn([write(older)], [write(newer)], [read, older])
    },
    'lost-write'(site) {
      const { older, newer, read, write } = cell(site)
      site.object.run(write(older))
      return inTurn([write(older)], [write(newer)], [read, older])
    },
    'unwritten-read'(site) {
      const { newer, read } = cell(site)
      return inTurn([read, newer])
    },
    'order-swapped'(site) {
      const { older, newer, read, write } = cell(site)
      site.object.run(write(newer))
      return [
        { process: 0, input: write(older), from: 0, to: 1 },
        { process: 0, input: write(newer), from: 2, to: 7 },
        { process: 1, input: read, output: newer, from: 3, to: 4 },
        { process: 1, input: read, output: older, from: 5, to: 6 },
      ]
    },
  },
  sum: {
    'stale-read'({ object }) {
      const before = sumOf(object)
      object.run({ f: 'add', value: NEW })
      return inTurn([{ f: 'add', value: NEW }], [{ f: 'read' }, before])
    },
    'lost-write': ({ object }) => inTurn([{ f: 'add', value: NEW }], [{ f: 'read' }, sumOf(object)]),
    'unwritten-read': ({ object }) => inTurn([{ f: 'read' }, sumOf(object) + NEW]),
  },
  elements: {
    'stale-read'({ object, number }) {
      const before = elementsOf(object)
      object.run({ f: 'add', value: NEW + number })
      return inTurn([{ f: 'add', value: NEW + number }], [{ f: 'read' }, before])
    },
    'lost-write': ({ object, number }) =>
      inTurn([{ f: 'add', value: NEW + number }], [{ f: 'read' }, elementsOf(object)]),
    'unwritten-read': ({ object, number }) => inTurn([{ f: 'read' }, [...elementsOf(object), NEW + number]]),
  },
  sequence: {
    'unwritten-read'({ model, number }) {
      const { first, take } = ends(model, number)
      return inTurn([take, first])
    },
    'order-swapped'({ model, number }) {
      const { first, second, take, put, isStack } = ends(model, number)
      const wrong = isStack ? [first, second] : [second, first]
      return inTurn([put(first)], [put(second)], [take, wrong[0]], [take, wrong[1]])
    },
    duplicate({ model, number }) {
      const { first, take, put } = ends(model, number)
      return inTurn([put(first)], [take, first], [take, first])
    },
  },
  lock: {
    'held-twice'({ object }) {
      object.run({ f: 'acquire' })
      return inTurn([{ f: 'acquire' }], [{ f: 'acquire' }])
    },
  },
}

function sumOf(object: SimulatedObject): number {
  return (object.run({ f: 'read' }) as { readonly output: number }).output
}

function elementsOf(object: SimulatedObject): readonly unknown[] {
  return (object.run({ f: 'read' }) as { readonly output: readonly unknown[] }).output
}
