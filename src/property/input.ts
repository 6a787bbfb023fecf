/**
 * The input of an execution: what a plan asks for, and what the body draws while it runs.
 *
 * A saved value stands in for what its arbitrary would give. The arbitrary is asked all the same, for the tape's sake:
 * when the tape runs out depends on every draw, and a body may ask (`outOfEntropy`).
 */
import { inspect } from 'node:util'
import fc from 'fast-check'
import type { InputPlan } from '../explore/execution.ts'
import type { Tape } from '../tape/tape.ts'
import type { CurrentExecution } from './current.ts'
import type { Property } from './property.ts'
import { TapeRandom } from './random.ts'
import { type LiveInput, loadInput } from './saved-input.ts'
import { markSpans } from './spans.ts'

const MAX_TEXT = 4000

export interface PreparedInput {
  readonly live: LiveInput
  readonly current: Pick<CurrentExecution, 'draw' | 'outOfEntropy'>
}

/** @param refuse called when a generation does not end; throws */
export function prepareInput(
  property: Property,
  plan: InputPlan,
  tape: Tape,
  refuse: (what: string) => never,
): PreparedInput {
  const saved = plan.from === 'saved' ? loadInput(plan.input) : undefined
  const draws: { label: string; value: unknown }[] = []
  if (saved !== undefined) generateForLength(() => generateAll(property, tape))
  const values =
    saved?.values ?? (plan.from === 'example' ? example(property, plan.index) : generateAll(property, tape, refuse))
  const current: PreparedInput['current'] = {
    outOfEntropy: () => tape.outOfEntropy,
    draw(arbitrary, label) {
      const ordinal = draws.length
      const earlier = saved?.draws[ordinal]
      const isSaved = earlier?.label === label
      if (isSaved) generateForLength(() => generate(arbitrary, tape, label, undefined, ordinal))
      const value = isSaved ? (earlier.value as never) : generate(arbitrary, tape, label, refuse, ordinal)
      draws.push({ label, value })
      return value
    },
  }
  return { live: { values, draws }, current }
}

function generateAll(property: Property, tape: Tape, refuse?: (what: string) => never): Record<string, unknown> {
  const entries = Object.entries(property.inputs)
  return Object.fromEntries(entries.map(([name, arbitrary]) => [name, generate(arbitrary, tape, name, refuse)]))
}

function generate<Value>(
  arbitrary: fc.Arbitrary<Value>,
  tape: Tape,
  label: string,
  refuse?: (what: string) => never,
  ordinal?: number,
): Value {
  markSpans(arbitrary)
  const random = TapeRandom.over(tape, label, refuse, ordinal)
  return tape.span('input', label, () => arbitrary.generate(random, undefined).value)
}

/** The arbitraries may have changed since the input was saved, and need not fit the tape any more. */
function generateForLength(generation: () => unknown): void {
  try {
    generation()
  } catch {}
}

function example(property: Property, index: number): Record<string, unknown> {
  const found = property.options.examples?.[index]
  if (found === undefined) throw new Error(`the property '${property.name}' has no example ${index}`)
  return found
}

/** An input as a person reads it, one line a name. */
export function describeInput({ values, draws }: LiveInput): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} = ${describeValue(value)}`)
  for (const { label, value } of draws) parts.push(`draw ${label} = ${describeValue(value)}`)
  return parts.join('\n').slice(0, MAX_TEXT)
}

/** A value as a person reads it; what fast-check made to describe itself (functions, commands) does. */
function describeValue(value: unknown): string {
  if (fc.hasToStringMethod(value)) return fc.stringify(value)
  return inspect(value, { depth: 6, compact: 3, breakLength: 100, maxArrayLength: 100, maxStringLength: 500 })
}
