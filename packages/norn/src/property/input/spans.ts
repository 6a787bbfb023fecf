/**
 * Spans for the parts of an input: items of an array, fields of a record, alternatives, dependent
 * parts, nodes of a recursive structure, commands.
 *
 * fast-check generates a part by calling `generate` of the inner arbitrary, so a span wraps that
 * call. fast-check does not export the classes of its arbitraries, so `generate` is replaced once
 * on each prototype. (Wrapping instances would cost every execution, and would miss those that a
 * chain makes.)
 *
 * Invariant: draws and values do not change, and other random sources than norn's take the original
 * path. An unknown class (a user's own, or one with a frozen prototype) gets no spans.
 */
import fc from 'fast-check'
import type { FastCheck } from '../fast-check/copies.ts'
import type { Frame } from './nesting.ts'
import { TapeRandom } from './random.ts'

type Generate = (this: object, random: fc.Random, biasFactor: number | undefined) => fc.Value<unknown>

/** The role of a class of arbitraries. */
type Kind =
  /** Draws a part: gets a span. */
  | 'part'
  /**
   * Draws nothing itself: it changes the value, or the way it shrinks. Its span would be that of
   * its inner one.
   */
  | 'passing'

const marked = new WeakSet<object>()

/** An instance of each class of fast-check's arbitraries that draws; older versions lack some. */
const INSTANCES: readonly (readonly [Kind, (copy: FastCheck) => unknown])[] = [
  ['part', (fc) => fc.integer()],
  ['part', (fc) => fc.bigInt()],
  ['part', (fc) => fc.constantFrom(0, 1)],
  ['part', (fc) => fc.tuple(fc.nat())],
  ['part', (fc) => fc.array(fc.nat())],
  ['part', (fc) => fc.oneof(fc.nat(), fc.nat())],
  ['part', (fc) => fc.nat().chain(() => fc.nat())],
  ['part', (fc) => fc.chainUntil(fc.nat(), () => undefined)],
  ['part', (fc) => fc.nat().filter(() => true)],
  ['part', (fc) => fc.clone(fc.nat(), 2)],
  ['part', (fc) => fc.subarray([0, 1])],
  ['part', (fc) => fc.mixedCase(fc.constant('a'))],
  ['part', commandsOf],
  ['passing', (fc) => fc.nat().map((value) => value)],
  ['passing', (fc) => fc.letrec((tie) => ({ lazy: tie('lazy') })).lazy],
  ['passing', (fc) => fc.noShrink(fc.nat())],
  ['passing', (fc) => fc.noBias(fc.nat())],
  ['passing', (fc) => fc.limitShrink(fc.nat(), 1)],
  // The class of the length of commands has no public constructor.
  ['passing', (fc) => (unwrapped(fc, commandsOf(fc)) as { lengthArb?: unknown }).lengthArb],
]

function commandsOf(fc: FastCheck): fc.Arbitrary<unknown> {
  return fc.commands([fc.constant({ check: () => true, run: () => {}, toString: () => '' })])
}

type Converters = { convertToNext?: (arbitrary: unknown) => unknown; convertFromNext?: (arbitrary: unknown) => unknown }

/** Fast-check 2 wraps its arbitraries; other arbitraries call the wrapped one. */
function unwrapped(copy: FastCheck, arbitrary: unknown): unknown {
  return (copy as Converters).convertToNext?.(arbitrary) ?? arbitrary
}

/** Marks the classes of a copy; once in a process. */
export function markClasses(copy: FastCheck): void {
  for (const [kind, make] of INSTANCES) {
    let instance: unknown
    try {
      instance = make(copy)
    } catch {
      continue // This version has no such arbitrary.
    }
    if (typeof instance !== 'object' || instance === null) continue
    const inner = unwrapped(copy, instance)
    markClass(Object.getPrototypeOf(inner) as object, kind)
    if (inner !== instance) markClass(Object.getPrototypeOf(instance) as object, 'passing')
  }
}

markClasses(fc)

/**
 * Generates a whole input, in a span with its name.
 *
 * @param generator an arbitrary of any class, or an object with its `generate`
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
    // The length of an array is not a part: it cannot be copied or removed.
    const isLength = (outer?.arbitrary as { lengthArb?: unknown } | undefined)?.lengthArb === this
    const place = nesting.placeOf(this)
    // `generateInput` has named the whole input; an arbitrary that passes draws on shares the span
    // around it.
    const named = isLength || (outer?.named === true && (outer.passing || outer.arbitrary === this))
    const span = named || passing ? undefined : nesting.tape.beginSpan('input', place.label)
    const start = nesting.tape.count('input')
    nesting.frame = { arbitrary: this, place, passing: passing || isLength, named, outer } satisfies Frame
    try {
      const generated = generate.call(this, random, biasFactor)
      // Not `value`, whose first reading is the last that does not clone.
      if (!isLength) nesting.tape.produced(start, (generated as { readonly value_?: unknown }).value_)
      return generated
    } finally {
      nesting.frame = outer
      nesting.tape.endSpan(span)
    }
  }
}
