/**
 * Spans for the parts of an input: each item of an array, field of a record, alternative, dependent part, node of a
 * recursive structure, command.
 *
 * fast-check generates a part by calling `generate` of the arbitrary within, so that is where a span begins and ends.
 * The classes of fast-check's arbitraries are not exported, but their prototypes are shared by all instances: each is
 * given a `generate` of ours once, which calls the old one. The arbitraries of a file of properties are made anew for
 * each execution; walking through their instances would cost every execution, and would not see what a chain makes.
 *
 * Invariant: what is drawn, and what is made of it, is untouched; and for any random source but norn's own, so is the way
 * there. Which classes are known does not depend on what was generated before. One that is not (a user's own, or one whose
 * prototype is frozen) gets no spans, and those of its parts name its place less well: that is all.
 */
import fc from 'fast-check'
import type { Frame } from './nesting.ts'
import { TapeRandom } from './random.ts'

type Generate = (this: object, random: fc.Random, biasFactor: number | undefined) => fc.Value<unknown>

/** What an arbitrary adds to what it holds. */
type Kind =
  /** A part of its own: a span. */
  | 'part'
  /** Nothing that is drawn: it changes the value, or the way it shrinks. Its span would be that of what it holds. */
  | 'passing'

const marked = new WeakSet<object>()

const COMMANDS = fc.commands([fc.constant({ check: () => true, run: () => {}, toString: () => '' })])

/** An instance of each class of fast-check's arbitraries that draws. */
const INSTANCES: readonly (readonly [Kind, fc.Arbitrary<unknown>])[] = [
  ['part', fc.integer()],
  ['part', fc.bigInt()],
  ['part', fc.constantFrom(0, 1)],
  ['part', fc.tuple(fc.nat())],
  ['part', fc.array(fc.nat())],
  ['part', fc.oneof(fc.nat(), fc.nat())],
  ['part', fc.nat().chain(() => fc.nat())],
  ['part', fc.chainUntil(fc.nat(), () => undefined)],
  ['part', fc.nat().filter(() => true)],
  ['part', fc.clone(fc.nat(), 2)],
  ['part', fc.subarray([0, 1])],
  ['part', fc.mixedCase(fc.constant('a'))],
  ['part', COMMANDS],
  ['passing', fc.nat().map((value) => value)],
  ['passing', fc.letrec((tie) => ({ lazy: tie('lazy') })).lazy],
  ['passing', fc.noShrink(fc.nat())],
  ['passing', fc.noBias(fc.nat())],
  ['passing', fc.limitShrink(fc.nat(), 1)],
  // The length of commands, of a class that nothing public is made of alone.
  ['passing', (COMMANDS as unknown as { lengthArb?: fc.Arbitrary<unknown> }).lengthArb ?? fc.noShrink(fc.nat())],
]

for (const [kind, instance] of INSTANCES) markClass(Object.getPrototypeOf(instance) as object, kind)

/**
 * Generates a whole input, within a span that has its name.
 *
 * @param generator an arbitrary of any class, or what generates as one does
 */
export function generateInput<Value>(
  generator: { generate(random: fc.Random, biasFactor: undefined): Value },
  random: TapeRandom,
  label: string,
): Value {
  const { nesting } = random
  return nesting.tape.span('input', label, () => {
    nesting.frame = { arbitrary: generator, place: nesting.input, passing: false, named: true, outer: undefined }
    try {
      return generator.generate(random, undefined)
    } finally {
      nesting.frame = undefined
    }
  })
}

function markClass(prototype: object, kind: Kind): void {
  if (marked.has(prototype)) return
  marked.add(prototype)
  const found = Object.getOwnPropertyDescriptor(prototype, 'generate')
  if (typeof found?.value !== 'function' || !found.configurable) return
  Object.defineProperty(prototype, 'generate', { ...found, value: withSpan(found.value as Generate, kind) })
}

function withSpan(generate: Generate, kind: Kind): Generate {
  const passing = kind === 'passing'
  return function (random, biasFactor) {
    if (!(random instanceof TapeRandom)) return generate.call(this, random, biasFactor)
    const { nesting } = random
    const outer = nesting.frame
    // The length of an array is no part that could be copied elsewhere or left out.
    const isLength = (outer?.arbitrary as { lengthArb?: unknown } | undefined)?.lengthArb === this
    const place = nesting.placeOf(this)
    // The whole input is named by who asks for it; and what is passed on is within the span of whom it is for.
    const named = isLength || (outer?.named === true && (outer.passing || outer.arbitrary === this))
    const span = named || passing ? undefined : nesting.tape.beginSpan('input', place.label)
    const start = nesting.tape.count('input')
    nesting.frame = { arbitrary: this, place, passing: passing || isLength, named, outer } satisfies Frame
    try {
      const generated = generate.call(this, random, biasFactor)
      if (!isLength) nesting.tape.produced(start, generated.value)
      return generated
    } finally {
      nesting.frame = outer
      nesting.tape.endSpan(span)
    }
  }
}
