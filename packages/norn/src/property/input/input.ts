/**
 * The input of an execution: the values of its plan, and the values that the body draws.
 *
 * A saved value replaces the generated one. Its arbitrary generates all the same, since every draw
 * decides when the tape runs out, and which choices later draws get. A value of an example draws
 * nothing, neither when it is first used nor when it is replayed.
 */
import { inspect } from 'node:util'
import { parse, stringify } from 'devalue'
import fc from 'fast-check'
import { visible } from '#shared/printable'
import type { FromExample, InputPlan, SavedInput } from '../../contract/plan.ts'
import type { Tape } from '../../tape/tape.ts'
import type { CurrentExecution, Generator } from '../current.ts'
import { copyOf } from '../fast-check/copies.ts'
import type { Property } from '../property.ts'
import { forgetRefusals } from './filters.ts'
import { type Refuse, TapeRandom } from './random.ts'
import { type LiveInput, loadInput, markOf } from './saved-input.ts'
import { generateInput } from './spans.ts'

const MAX_TEXT = 4000

export interface PreparedInput {
  /** The values that the body gets and draws; the body may mutate them. */
  readonly live: LiveInput
  /**
   * The values before any mutation, generated again; only while the modules of the execution are in
   * place.
   */
  pristine(): LiveInput
  /** The number of properties that the body asserted, and the largest number of examples of one. */
  readonly asserted: { count: number; examples: number }
  /**
   * Whether the body discarded its input. Not a getter: V8 would keep the whole execution alive.
   */
  discarded(): boolean
  /** Real time spent generating, in milliseconds. */
  generationMs(): number
  /** Made at each call. */
  current(): Omit<
    CurrentExecution,
    | 'suspendFaults'
    | 'elapsedUs'
    | 'elapsedUs'
    | 'fail'
    | 'refuse'
    | 'note'
    | 'target'
    | 'simulates'
    | 'followsModel'
    | 'demands'
    | 'explains'
  >
}

/** A value, and a function that makes it again. */
interface Generated<Value = unknown> {
  readonly value: Value
  readonly again: () => Value
}

/**
 * @param refuse called when a generation does not end; throws
 * @param nowMs real time in milliseconds, to measure generation; not measured unless given
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
  const draws: LiveInput['draws'][number][] = []
  const makers: (() => unknown)[] = []
  if (saved !== undefined && saved.example === undefined) generateForLength(() => generateAll(property, tape))
  const generated = saved === undefined ? timed(() => inputsFor(property, plan, tape, refuse)) : undefined
  const values = saved?.values ?? valuesOf(generated!)
  const mark = markOf(saved ?? (usesExample(property, plan) ? EXAMPLE : {}))
  const asserted = { count: 0, examples: 0 }
  let discarded = false
  const current: PreparedInput['current'] = () => {
    const generateOne = <Value>(
      generator: Generator<Value>,
      label: string,
      argument: boolean,
      example?: { readonly value: unknown },
    ): Value => {
      const ordinal = draws.length
      const earlier = saved?.draws[ordinal]
      const known = earlier?.label === label ? earlier : example
      const mark = known === undefined ? {} : known === earlier ? markOf(earlier) : EXAMPLE
      if (known !== undefined && mark.example === undefined) {
        generateForLength(() => generate(generator, tape, label, undefined, ordinal))
      }
      const { value, again } =
        known === undefined
          ? timed(() => generate(generator, tape, label, refuse, ordinal))
          : remade(known.value as Value)
      draws.push({ label, value, argument, ...mark })
      makers.push(again)
      return value
    }
    return {
      outOfEntropy: () => tape.outOfEntropy,
      schedule: (label, max, suggest) => tape.draw('schedule', label, 0, max, { kind: 'step', suggest }),
      omits: (label) => tape.omits(label),
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
  }
  return {
    live: { values, draws, ...mark },
    pristine: () => ({
      values: generated === undefined ? loadInput((plan as { input: SavedInput }).input).values : againOf(generated),
      draws: draws.map((draw, index) => ({ ...draw, value: makers[index]!() })),
      ...mark,
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
interface AllGenerated {
  readonly names: readonly string[]
  readonly generated: readonly Generated[]
}

const EXAMPLE: FromExample = { example: true }

/** The example of an asserted property is an argument of its assertion. */
function usesExample(property: Property, plan: InputPlan): plan is Extract<InputPlan, { from: 'example' }> {
  return plan.from === 'example' && property.test === undefined && !property.asserted
}

function inputsFor(property: Property, plan: InputPlan, tape: Tape, refuse: Refuse): AllGenerated {
  if (!usesExample(property, plan)) return generateAll(property, tape, refuse)
  const values = example(property, plan.index)
  const names = Object.keys(values)
  return { names, generated: names.map((name) => remade(values[name])) }
}

function valuesOf({ names, generated }: AllGenerated): Record<string, unknown> {
  return record(names, (at) => generated[at]!.value)
}

function againOf({ names, generated }: AllGenerated): Record<string, unknown> {
  return record(names, (at) => generated[at]!.again())
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

/** A value that no arbitrary generated; made again as a copy, if it can be copied. */
function remade<Value>(value: Value): Generated<Value> {
  try {
    const text = stringify(value)
    return { value, again: () => parse(text) as Value }
  } catch {
    return { value, again: () => value }
  }
}

function generateAll({ inputs }: Property, tape: Tape, refuse?: Refuse): AllGenerated {
  const names = Object.keys(inputs)
  const generated: Generated[] = []
  for (let at = 0; at < names.length; at++) generated.push(generate(inputs[names[at]!]!, tape, names[at]!, refuse))
  return { names, generated }
}

function generate<Value>(
  generator: Generator<Value>,
  tape: Tape,
  label: string,
  refuse?: Refuse,
  ordinal?: number,
): Generated<Value> {
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

/** Ignores errors: the arbitraries may have changed since the input was saved. */
function generateForLength(generation: () => unknown): void {
  try {
    generation()
  } catch {}
}

/**
 * Whether a value records its own use: a scheduler, commands, a context, a function. Made again, it
 * would be unused.
 */
function isStateful(value: unknown): boolean {
  return typeof value === 'function' || copyOf(value) !== undefined
}

function example(property: Property, index: number): Record<string, unknown> {
  const found = property.options.examples?.[index]
  if (found === undefined) throw new Error(`property '${property.name}' has no example ${index + 1}`)
  return found
}

/** An input as text, one line a name. */
export function describeInput({ values, draws }: LiveInput): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} = ${describeValue(value)}`)
  for (const { label, value, argument } of draws) {
    parts.push(`${argument ? '' : 'draw '}${label} = ${describeValue(value)}`)
  }
  return visible(parts.join('\n').slice(0, MAX_TEXT))
}

/** A value as text; functions and commands of fast-check describe themselves. */
function describeValue(value: unknown): string {
  const copy = copyOf(value)
  if (copy !== undefined) return copy.stringify(value)
  return inspect(value, { depth: 6, compact: 3, breakLength: 100, maxArrayLength: 100, maxStringLength: 500 })
}
