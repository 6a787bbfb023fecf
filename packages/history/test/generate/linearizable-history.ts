/**
 * Histories that are linearizable by construction: each operation takes effect on a simulated object at
 * a point that is drawn between its call and its return.
 */
import type { History, Operation } from '../../src/history/operation.ts'
import type { ModelInput, ModelName } from '../../src/models/inputs.ts'
import { type Break, breaksOf, violation } from './breaks.ts'
import type { Random } from './random.ts'
import { type SimulatedObject, simulatedObject } from './simulated-object.ts'

/**
 * What histories of an object are generated.
 */
export interface HistoryOptions {
  readonly model: ModelName
  /** How many. */
  readonly operations: number
  /** How many run at once at most. Default: 4. */
  readonly processes?: number
  /** How many independent objects. Default: one, and no key in the inputs, but `kv` always has keys. */
  readonly keys?: number
  /** From how many values writes draw; 0 for values that are written once. Default: 5. */
  readonly values?: number
  /** The probability that an outcome is unknown. Default: 0. */
  readonly unknown?: number
  /** The probability that an operation fails. Default: 0. */
  readonly failed?: number
}

type ModelOperation = Operation<ModelInput, unknown>

/**
 * A history that is linearizable by construction: each operation takes effect between its call and
 * its return.
 */
export function linearizableHistory(random: Random, options: HistoryOptions): History<ModelInput, unknown> {
  return new Generation(random, options).history(undefined)
}

/**
 * A history that is linearizable but for a violation of a known kind: no other operation of it, whatever
 * it did, can explain what is planted.
 *
 * @throws RangeError if the model cannot be broken like this, see `breaksOf`
 */
export function brokenHistory(random: Random, options: HistoryOptions, kind: Break): History<ModelInput, unknown> {
  if (!breaksOf(options.model).includes(kind)) throw new RangeError(`${options.model} has no violation ${kind}`)
  // An unknown release may explain that a mutex is acquired twice.
  const unknown = options.model === 'mutex' ? 0 : options.unknown
  return new Generation(random, { ...options, unknown }).history(kind)
}

/** A call that has not returned. */
interface Open {
  readonly index: number
  readonly input: ModelInput
  readonly process: number
  readonly call: number
  readonly end: Operation['outcome']
  effect: { readonly output: unknown } | undefined
}

class Generation {
  readonly #random: Random
  readonly #options: HistoryOptions
  readonly #objects: SimulatedObject[]
  readonly #hasKeys: boolean
  readonly #operations: (ModelOperation | undefined)[] = []
  readonly #slots: { process: number; open: Open | undefined }[]
  /** Of unknown outcome; they may still take effect. */
  readonly #floating: Open[] = []
  #nextProcess: number
  #clock = 0
  #written = 0

  constructor(random: Random, options: HistoryOptions) {
    this.#random = random
    this.#options = options
    const { model, processes = 4, keys } = options
    this.#objects = Array.from({ length: keys ?? 1 }, () => simulatedObject(model))
    this.#hasKeys = keys !== undefined || model === 'kv'
    this.#slots = Array.from({ length: processes }, (_, process) => ({ process, open: undefined }))
    this.#nextProcess = processes
  }

  history(kind: Break | undefined): History<ModelInput, unknown> {
    const { operations } = this.#options
    const at = kind === undefined ? undefined : this.#random.below(operations + 1)
    let isPlanted = at === undefined
    while (this.#operations.length < operations || !isPlanted || this.#slots.some(({ open }) => open !== undefined)) {
      if (!isPlanted && this.#operations.length >= at! && this.#isQuietEnough()) {
        this.#plant(kind!)
        isPlanted = true
      }
      const isWaiting = !isPlanted && this.#operations.length >= at!
      this.#turn(this.#random.pick(this.#slots), this.#operations.length < operations && !isWaiting)
    }
    return { operations: this.#operations as ModelOperation[] }
  }

  /** Whether no open operation could explain the violation. */
  #isQuietEnough(): boolean {
    return this.#options.model !== 'mutex' || this.#slots.every(({ open }) => open === undefined)
  }

  #turn(slot: { process: number; open: Open | undefined }, canCall: boolean): void {
    const random = this.#random
    if (this.#floating.length > 0 && random.coin(0.2)) {
      const late = this.#floating.splice(random.below(this.#floating.length), 1)[0]!
      if (random.coin(0.5)) this.#object(late.input).run(late.input)
    }
    const { open } = slot
    if (open === undefined) {
      if (canCall) slot.open = this.#call(slot.process)
    } else if (open.effect === undefined && open.end === 'ok') {
      const effect = this.#object(open.input).run(open.input)
      if (effect !== 'blocked') open.effect = effect
      else if (random.coin(0.5)) this.#end(slot, open, 'fail')
    } else this.#end(slot, open, open.end)
  }

  #call(process: number): Open {
    const random = this.#random
    const { unknown = 0, failed = 0 } = this.#options
    const key = random.below(this.#objects.length)
    const drawn = this.#objects[key]!.draw(random, () => this.#value())
    const input = this.#hasKeys ? { ...drawn, key } : drawn
    const end = random.coin(unknown) ? 'unknown' : random.coin(failed) ? 'fail' : 'ok'
    return { index: this.#operations.push(undefined) - 1, input, process, call: this.#clock++, end, effect: undefined }
  }

  #end(slot: { process: number; open: Open | undefined }, open: Open, outcome: Operation['outcome']): void {
    slot.open = undefined
    const { input, process, call, effect } = open
    this.#operations[open.index] = {
      process,
      input,
      output: effect?.output,
      outcome,
      call,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : this.#clock++,
    }
    if (outcome !== 'unknown') return
    this.#floating.push(open)
    // As in Jepsen, whose processes do not call again after that.
    slot.process = this.#nextProcess++
  }

  #plant(kind: Break): void {
    const key = this.#random.below(this.#objects.length)
    const object = this.#objects[key]!
    const first = this.#nextProcess
    const steps = violation(this.#options.model, kind, object, ++this.#written)
    this.#nextProcess += 2
    const base = this.#clock
    for (const { process, input, output, from, to } of steps) {
      this.#operations.push({
        process: first + process,
        input: this.#hasKeys ? { ...input, key } : input,
        output,
        outcome: 'ok',
        call: base + from,
        return: base + to,
      })
      this.#clock = Math.max(this.#clock, base + to + 1)
    }
  }

  #object(input: ModelInput): SimulatedObject {
    return this.#objects[this.#hasKeys ? (input.key as number) : 0]!
  }

  #value(): number {
    const { values = 5 } = this.#options
    return values === 0 ? ++this.#written : this.#random.below(values)
  }
}
