/**
 * The input of an execution: what a plan asks for, and what the body draws while it runs.
 *
 * A saved value stands in for what its arbitrary would give. The arbitrary is asked all the same, for the tape's sake:
 * when the tape runs out depends on every draw, and a body may ask (`outOfEntropy`).
 */
import { inspect } from 'node:util'
import { parse, stringify } from 'devalue'
import fc from 'fast-check'
import type { InputPlan, SavedInput } from '../../contract/plan.ts'
import type { Tape } from '../../tape/tape.ts'
import type { CurrentExecution, Generator } from '../current.ts'
import type { Property } from '../property.ts'
import { forgetRefusals } from './filters.ts'
import { type Refuse, TapeRandom } from './random.ts'
import { type LiveInput, loadInput } from './saved-input.ts'
import { generateInput } from './spans.ts'

const MAX_TEXT = 4000

export interface PreparedInput {
  /** The values that the body gets, and those that it draws; it may change them. */
  readonly live: LiveInput
  /** The values as they were made, for as long as the execution's modules are there: made again. */
  pristine(): LiveInput
  /** Properties that the body asserted, and the largest number of examples that one has. */
  readonly asserted: { count: number; examples: number }
  /** Whether the body called its input unfit. No getter: one of a literal lets V8 keep all of the execution alive. */
  discarded(): boolean
  /** Real time that generating took, in milliseconds. */
  generationMs(): number
  readonly current: Omit<CurrentExecution, 'calm' | 'note' | 'target' | 'simulates'>
}

/** A value, and how it is made again. */
interface Made<Value = unknown> {
  readonly value: Value
  readonly again: () => Value
}

/**
 * @param refuse called when a generation does not end; throws
 * @param nowMs real time, by which generating is measured; it is not unless given
 */
export function prepareInput(
  property: Property,
  plan: InputPlan,
  tape: Tape,
  refuse: Refuse,
  nowMs?: () => number,
): PreparedInput {
  let generationMs = 0
  const timed = <Result>(generation: () => Result): Result => {
    if (nowMs === undefined) return generation()
    const began = nowMs()
    const result = generation()
    generationMs += nowMs() - began
    return result
  }
  const saved = plan.from === 'saved' ? loadInput(plan.input) : undefined
  const draws: { label: string; value: unknown; argument: boolean }[] = []
  const makers: (() => unknown)[] = []
  if (saved !== undefined) generateForLength(() => generateAll(property, tape))
  const made = saved === undefined ? timed(() => inputsFor(property, plan, tape, refuse)) : undefined
  const values = saved?.values ?? valuesOf(made!)
  const asserted = { count: 0, examples: 0 }
  let discarded = false
  const generateOne = <Value>(
    generator: Generator<Value>,
    label: string,
    argument: boolean,
    example?: { readonly value: unknown },
  ): Value => {
    const ordinal = draws.length
    const earlier = saved?.draws[ordinal]
    const known = earlier?.label === label ? earlier : example
    if (known === earlier && earlier !== undefined) {
      generateForLength(() => generate(generator, tape, label, undefined, ordinal))
    }
    const { value, again } =
      known === undefined
        ? timed(() => generate(generator, tape, label, refuse, ordinal))
        : remade(known.value as Value)
    draws.push({ label, value, argument })
    makers.push(again)
    return value
  }
  const current: PreparedInput['current'] = {
    outOfEntropy: () => tape.outOfEntropy,
    schedule: (label, max, suggest) => tape.draw('schedule', label, 0, max, { kind: 'step', suggest }),
    draw: (arbitrary, label) => generateOne(arbitrary, label, false),
    generate: (generator, label, example) => generateOne(generator, label, true, example),
    example: plan.from === 'example' ? plan.index : undefined,
    assert(examples) {
      asserted.examples = Math.max(asserted.examples, examples)
      return ++asserted.count
    },
    seed: (label) => generateOne(SEEDS, label, false),
    discard: () => {
      discarded = true
    },
  }
  return {
    live: { values, draws },
    pristine: () => ({
      values: made === undefined ? loadInput((plan as { input: SavedInput }).input).values : againOf(made),
      draws: draws.map((draw, index) => ({ ...draw, value: makers[index]!() })),
    }),
    asserted,
    discarded: () => discarded,
    generationMs: () => generationMs,
    current,
  }
}

/** Seeds of fast-check. */
const SEEDS = fc.integer({ min: 0, max: 0x7fff_ffff })

/** The values of a property's inputs, in the order of their names. */
interface AllMade {
  readonly names: readonly string[]
  readonly made: readonly Made[]
}

function inputsFor(property: Property, plan: InputPlan, tape: Tape, refuse: Refuse): AllMade {
  if (plan.from !== 'example' || property.test !== undefined) return generateAll(property, tape, refuse)
  const values = example(property, plan.index)
  const names = Object.keys(values)
  return { names, made: names.map((name) => remade(values[name])) }
}

function valuesOf({ names, made }: AllMade): Record<string, unknown> {
  return record(names, (at) => made[at]!.value)
}

function againOf({ names, made }: AllMade): Record<string, unknown> {
  return record(names, (at) => made[at]!.again())
}

/** `Object.fromEntries` would make an array for each entry. */
function record(names: readonly string[], valueAt: (at: number) => unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!
    const value = valueAt(at)
    if (name === '__proto__')
      Object.defineProperty(values, name, { value, configurable: true, enumerable: true, writable: true })
    else values[name] = value
  }
  return values
}

/** A value that no arbitrary made: a copy of it, where it can be copied. */
function remade<Value>(value: Value): Made<Value> {
  try {
    const text = stringify(value)
    return { value, again: () => parse(text) as Value }
  } catch {
    return { value, again: () => value }
  }
}

function generateAll({ inputs }: Property, tape: Tape, refuse?: Refuse): AllMade {
  const names = Object.keys(inputs)
  const made: Made[] = []
  for (let at = 0; at < names.length; at++) made.push(generate(inputs[names[at]!]!, tape, names[at]!, refuse))
  return { names, made }
}

function generate<Value>(
  generator: Generator<Value>,
  tape: Tape,
  label: string,
  refuse?: Refuse,
  ordinal?: number,
): Made<Value> {
  forgetRefusals()
  const random = TapeRandom.over(tape, label, refuse, ordinal)
  const from = (source: TapeRandom) => generator.generate(source, undefined).value as Value
  const value = generateInput(generator, random, label).value as Value
  return {
    value,
    again() {
      try {
        return isStateful(value) ? value : from(random.again())
      } catch {
        return value
      }
    },
  }
}

/** The arbitraries may have changed since the input was saved, and need not fit the tape any more. */
function generateForLength(generation: () => unknown): void {
  try {
    generation()
  } catch {}
}

/** What tells of its own use: a scheduler, commands, a context, a function. Made again, it would have nothing to tell. */
function isStateful(value: unknown): boolean {
  return typeof value === 'function' || fc.hasCloneMethod(value) || fc.hasToStringMethod(value)
}

function example(property: Property, index: number): Record<string, unknown> {
  const found = property.options.examples?.[index]
  if (found === undefined) throw new Error(`the property '${property.name}' has no example ${index}`)
  return found
}

/** An input as a person reads it, one line a name. */
export function describeInput({ values, draws }: LiveInput): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} = ${describeValue(value)}`)
  for (const { label, value, argument } of draws) {
    parts.push(`${argument ? '' : 'draw '}${label} = ${describeValue(value)}`)
  }
  return parts.join('\n').slice(0, MAX_TEXT)
}

/** A value as a person reads it; what fast-check made to describe itself (functions, commands) does. */
function describeValue(value: unknown): string {
  if (fc.hasToStringMethod(value) || fc.hasCloneMethod(value)) return fc.stringify(value)
  return inspect(value, { depth: 6, compact: 3, breakLength: 100, maxArrayLength: 100, maxStringLength: 500 })
}
