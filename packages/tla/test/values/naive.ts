/**
 * Values in the simplest form that could be right, to compare the interned ones with: a set is the
 * list of its elements, a function the list of its pairs, and two of them are equal if they are
 * written the same once sorted.
 */
import fc from 'fast-check'
import type { Arena } from '../../src/values/arena.ts'
import type { Canonical } from '../../src/values/value.ts'

// The same cases in every run.
fc.configureGlobal({ seed: 20 })

export type Naive =
  | number
  | boolean
  | { readonly string: string }
  | { readonly model: string }
  | { readonly set: readonly Naive[] }
  | { readonly pairs: readonly (readonly [Naive, Naive])[] }

/** Equal values have equal keys. */
export function keyOf(value: Naive): string {
  if (typeof value !== 'object') return String(value)
  if ('string' in value) return JSON.stringify(value.string)
  if ('model' in value) return `model ${value.model}`
  if ('set' in value) return `{${[...new Set(value.set.map(keyOf))].sort().join()}}`
  return `(${value.pairs
    .map(([key, element]) => `${keyOf(key)}:${keyOf(element)}`)
    .sort()
    .join()})`
}

export function make(arena: Arena, value: Naive): Canonical {
  if (typeof value !== 'object') return value
  if ('string' in value) return arena.string(value.string)
  if ('model' in value) return arena.modelValue(value.model)
  if ('set' in value) return arena.set(value.set.map((element) => make(arena, element)))
  const elements = new Map(value.pairs.map(([key, element]) => [make(arena, key), make(arena, element)]))
  const domain = arena.set([...elements.keys()])
  return arena.function(
    domain,
    domain.elements.map((key) => elements.get(key)!),
  )
}

/** What a printed value says. */
export function read(text: string): Naive {
  let at = 0
  const value = next()
  if (at !== text.length) throw new Error(`${text.slice(at)} is left`)
  return value

  function skip(token: string): boolean {
    const found = text.startsWith(token, at)
    if (found) at += token.length
    return found
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  function items<Item>(close: string, item: () => Item, separator = ', '): Item[] {
    const found: Item[] = []
    while (!skip(close)) {
      if (found.length > 0 && !skip(separator)) throw new Error(`no ${separator} in ${text} at ${at}`)
      found.push(item())
    }
    return found
  }

  function next(): Naive {
    if (skip('TRUE')) return true
    if (skip('FALSE')) return false
    if (skip('<<')) return { pairs: items('>>', next).map((element, place) => [place + 1, element]) }
    if (skip('{')) return { set: items('}', next) }
    if (skip('[')) return { pairs: items(']', () => pair({ string: match(/\w+/y)! }, ' |-> ')) }
    if (skip('(')) return { pairs: items(')', () => pair(next(), ' :> '), ' @@ ') }
    if (text[at] === '"') return { string: JSON.parse(match(/"(?:[^"\\]|\\.)*"/y)!) as string }
    const number = match(/-?\d+/y)
    return number === undefined ? { model: match(/\w+/y)! } : Number(number)
  }

  function pair(key: Naive, arrow: string): [Naive, Naive] {
    if (!skip(arrow)) throw new Error(`no ${arrow} in ${text} at ${at}`)
    return [key, next()]
  }
}

const integers = fc.integer({ min: -3, max: 9 })
const strings = fc
  .constantFrom('a', 'b', 'ab', 'a2', 'a10', 'a1x', 'with "quotes" and \\', 'tab\t')
  .map((string) => ({ string }))
const models = fc.constantFrom('r1', 'r2', 'r10').map((model) => ({ model }))
const names = fc.constantFrom('a', 'b', 'c_d', 'e1')

/**
 * Arbitraries whose values all compare with each other: those of one type, in which model values
 * may stand in for others.
 */
export const types: fc.Arbitrary<fc.Arbitrary<Naive>> = typesOf(3)

function typesOf(depth: number): fc.Arbitrary<fc.Arbitrary<Naive>> {
  const simple = fc.constantFrom<fc.Arbitrary<Naive>>(
    integers,
    fc.boolean(),
    strings,
    models,
    fc.oneof(models, integers),
  )
  if (depth === 0) return simple
  const inner = typesOf(depth - 1)
  return fc.oneof(
    simple,
    inner.map((of) => fc.array(of, { maxLength: 5 }).map((set): Naive => ({ set }))),
    inner.map((of) => fc.array(of, { maxLength: 4 }).map(sequence)),
    fc.tuple(inner, inner).map(([one, other]) => fc.tuple(one, other).map(sequence)),
    fc
      .tuple(fc.uniqueArray(names, { minLength: 1, maxLength: 4 }), inner)
      .map(([fields, of]) =>
        fc
          .array(of, { minLength: fields.length, maxLength: fields.length })
          .map((values): Naive => ({ pairs: fields.map((string, at) => [{ string }, values[at]!]) })),
      ),
    fc
      .tuple(fc.constantFrom<fc.Arbitrary<Naive>>(integers, models, strings), inner)
      .map(([keys, of]) =>
        fc
          .uniqueArray(fc.tuple(keys, of), { selector: ([key]) => keyOf(key), maxLength: 4 })
          .map((pairs): Naive => ({ pairs })),
      ),
  )
}

function sequence(elements: readonly Naive[]): Naive {
  return { pairs: elements.map((element, at) => [at + 1, element]) }
}

/** Some values of one type. */
export function someOfOneType(minLength: number, maxLength: number): fc.Arbitrary<Naive[]> {
  return types.chain((type) => fc.array(type, { minLength, maxLength }))
}
