/**
 * Objects that operations are run on one by one, to generate histories. They change in place and know
 * nothing of the models, so that each can be held against the other.
 */
import type { ModelInput, ModelName } from '../../src/models/inputs.ts'
import type { Random } from './random.ts'

/** What an operation returned, or that it cannot take effect now. */
type Effect = { readonly output: unknown } | 'blocked'

export interface SimulatedObject {
  /** A call that makes sense now. @param value a value to write */
  draw(random: Random, value: () => number): ModelInput
  /** The call takes effect. */
  run(input: ModelInput): Effect
}

const NOTHING: Effect = { output: undefined }

class SimulatedRegister implements SimulatedObject {
  readonly #hasCas: boolean
  #value: unknown = null

  constructor(hasCas: boolean) {
    this.#hasCas = hasCas
  }

  draw(random: Random, value: () => number): ModelInput {
    if (this.#hasCas && random.coin(0.3))
      return { f: 'cas', from: random.coin(0.7) ? this.#value : value(), to: value() }
    return random.coin(0.5) ? { f: 'read' } : { f: 'write', value: value() }
  }

  run(input: ModelInput): Effect {
    if (input.f === 'read') return { output: this.#value }
    if (input.f === 'cas') {
      if (this.#value !== input.from) return { output: false }
      this.#value = input.to
    } else if (input.f === 'write') this.#value = input.value
    return NOTHING
  }
}

class SimulatedCounter implements SimulatedObject {
  #sum = 0

  draw(random: Random): ModelInput {
    return random.coin(0.5) ? { f: 'read' } : { f: 'add', value: 1 + random.below(3) }
  }

  run(input: ModelInput): Effect {
    if (input.f === 'read') return { output: this.#sum }
    if (input.f === 'add') this.#sum += input.value as number
    return NOTHING
  }
}

class SimulatedSet implements SimulatedObject {
  readonly #elements = new Set<unknown>()

  draw(random: Random, value: () => number): ModelInput {
    if (random.coin(0.4)) return { f: 'read' }
    if (this.#elements.size > 0 && random.coin(0.4)) return { f: 'remove', value: random.pick([...this.#elements]) }
    return { f: 'add', value: value() }
  }

  run(input: ModelInput): Effect {
    if (input.f === 'read') return { output: [...this.#elements] }
    if (input.f === 'add') this.#elements.add(input.value)
    if (input.f === 'remove') this.#elements.delete(input.value)
    return NOTHING
  }
}

/** A queue, or a stack. */
class SimulatedQueue implements SimulatedObject {
  readonly #isStack: boolean
  readonly #values: unknown[] = []
  #first = 0

  constructor(isStack: boolean) {
    this.#isStack = isStack
  }

  draw(random: Random, value: () => number): ModelInput {
    if (random.coin(0.5)) return { f: this.#isStack ? 'pop' : 'dequeue' }
    return { f: this.#isStack ? 'push' : 'enqueue', value: value() }
  }

  run(input: ModelInput): Effect {
    if ('value' in input) {
      this.#values.push(input.value)
      return NOTHING
    }
    if (this.#values.length === this.#first) return { output: null }
    return { output: this.#isStack ? this.#values.pop() : this.#values[this.#first++] }
  }
}

class SimulatedStore implements SimulatedObject {
  #value: string | null = null

  draw(random: Random, value: () => number): ModelInput {
    const kind = random.below(4)
    if (kind < 2) return { f: 'get' }
    return { f: kind === 2 ? 'put' : 'append', value: `${value()};` }
  }

  run(input: ModelInput): Effect {
    if (input.f === 'get') return { output: this.#value }
    if (input.f === 'put') this.#value = input.value as string
    if (input.f === 'append') this.#value = `${this.#value ?? ''}${input.value}`
    return NOTHING
  }
}

class SimulatedMutex implements SimulatedObject {
  #isHeld = false

  draw(random: Random): ModelInput {
    return { f: random.coin(this.#isHeld ? 0.3 : 0.8) ? 'acquire' : 'release' }
  }

  run(input: ModelInput): Effect {
    const acquires = input.f === 'acquire'
    if (acquires === this.#isHeld) return 'blocked'
    this.#isHeld = acquires
    return NOTHING
  }
}

const OBJECTS: Readonly<Record<ModelName, () => SimulatedObject>> = {
  register: () => new SimulatedRegister(false),
  'cas-register': () => new SimulatedRegister(true),
  counter: () => new SimulatedCounter(),
  set: () => new SimulatedSet(),
  queue: () => new SimulatedQueue(false),
  stack: () => new SimulatedQueue(true),
  kv: () => new SimulatedStore(),
  mutex: () => new SimulatedMutex(),
}

export function simulatedObject(model: ModelName): SimulatedObject {
  return OBJECTS[model]()
}
