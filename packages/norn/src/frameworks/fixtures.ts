/**
 * `test.extend` of vitest: values that tests and hooks receive in their context, made when they name them.
 *
 * Follows `withFixtures` of vitest 5: only what a function destructures is made, and what that needs. A
 * fixture of a test ends behind its hooks; one of a file or worker is made once in an execution, and
 * ends with it.
 */
import { chainOf, type Suite } from '../property/suites.ts'

export type Context = Record<string, unknown>

type Scope = 'test' | 'file' | 'worker'

interface Fixture {
  readonly name: string
  /** A value, or a function `(context, use)`. */
  readonly value: unknown
  readonly isAuto: boolean
  readonly scope: Scope
  /** The names that it destructures. */
  readonly needs: ReadonlySet<string>
  /** What it replaces. */
  readonly parent: Fixture | undefined
}

type Registrations = ReadonlyMap<string, Fixture>

interface FixtureOptions {
  readonly auto?: boolean
  readonly scope?: Scope
}

/** What ends the fixtures of a context, the first first. */
const ends = new WeakMap<Context, (() => unknown)[]>()

/** The fixtures of a context that are there. */
const present = new WeakMap<Context, Set<Fixture>>()

/** How many fixtures of a context have begun. */
export function begun(context: Context): number {
  return ends.get(context)?.length ?? 0
}

/** Ends fixtures of a context, the last first, down to one. @throws the first error, when all have ended */
export async function endFixtures(context: Context, down = 0): Promise<void> {
  const errors: unknown[] = []
  for (const end of ends.get(context)?.splice(down).reverse() ?? []) {
    try {
      await end()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** The fixtures of a `test` function. */
export class Fixtures {
  readonly #registrations: Registrations
  readonly #overrides = new WeakMap<Suite, Registrations>()
  /** By the root of the tests of a file. */
  readonly #contexts = new WeakMap<Suite, Context>()

  constructor(registrations: Registrations = new Map()) {
    this.#registrations = registrations
  }

  get isEmpty(): boolean {
    return this.#registrations.size === 0
  }

  /** Whether one of them outlives a test. */
  get hasShared(): boolean {
    return [...this.#registrations.values()].some(({ scope }) => scope !== 'test')
  }

  /** @param given of a call of `test.extend`, in any of its forms */
  extended(given: readonly unknown[], suite: Suite | undefined): Fixtures {
    return new Fixtures(added(this.#in(suite), given))
  }

  /** Replaces fixtures for the tests of a suite: `test.override`. */
  override(given: readonly unknown[], suite: Suite): void {
    this.#overrides.set(suite, added(this.#in(suite), given))
  }

  /** What fixtures of a file and worker, and hooks of its suites, receive. */
  contextOf(suite: Suite): Context {
    const [root] = chainOf(suite)
    const known = this.#contexts.get(root!)
    if (known !== undefined) return known
    const context: Context = {}
    this.#contexts.set(root!, context)
    return context
  }

  /**
   * Puts into a context what a function names, and what is automatic.
   *
   * @param place of the context among its arguments
   * @returns undefined if there is nothing to make
   */
  provide(context: Context, body: Function, place: number, suite: Suite | undefined): Promise<void> | undefined {
    const registrations = this.#in(suite)
    const isOfSuite = suite !== undefined && context === this.contextOf(suite)
    if (registrations.size === 0) {
      if (isOfSuite && namedBy(body, place).size > 0)
        throw new Error('a hook of a suite uses fixtures, which it has only as a function of their test')
      return undefined
    }
    const named = namedBy(body, place)
    const wanted = [...registrations.values()].filter(
      ({ name, isAuto, scope }) => named.has(name) || (isAuto && !(isOfSuite && scope === 'test')),
    )
    return wanted.length === 0 ? undefined : this.#make(context, inOrder(wanted, registrations), suite)
  }

  async #make(context: Context, fixtures: readonly Fixture[], suite: Suite | undefined): Promise<void> {
    for (const fixture of fixtures) {
      const isOfTest = fixture.scope === 'test' || suite === undefined
      const home = isOfTest ? context : this.contextOf(suite)
      if (isOfTest && suite !== undefined && context === this.contextOf(suite))
        throw new Error(`the fixture '${fixture.name}' of a test is used in a hook of a suite`)
      const made = presentIn(home)
      if (!made.has(fixture)) {
        made.add(fixture)
        try {
          home[fixture.name] = await begin(fixture, home)
        } catch (error) {
          made.delete(fixture)
          throw error
        }
        endsOf(home).push(() => made.delete(fixture))
      }
      context[fixture.name] = home[fixture.name]
    }
  }

  #in(suite: Suite | undefined): Registrations {
    const chain = suite === undefined ? [] : chainOf(suite).reverse()
    const near = chain.find((each) => this.#overrides.has(each))
    return near === undefined ? this.#registrations : this.#overrides.get(near)!
  }
}

function presentIn(context: Context): Set<Fixture> {
  const known = present.get(context) ?? new Set()
  present.set(context, known)
  return known
}

function endsOf(context: Context): (() => unknown)[] {
  const known = ends.get(context) ?? []
  ends.set(context, known)
  return known
}

/** The value of a fixture: what it hands to `use`, which returns when the fixture shall end. */
async function begin({ name, value }: Fixture, context: Context): Promise<unknown> {
  if (typeof value !== 'function') return value
  const handed = Promise.withResolvers<unknown>()
  let isHanded = false
  const use = async (given: unknown) => {
    isHanded = true
    handed.resolve(given)
    const ending = Promise.withResolvers<void>()
    endsOf(context).push(async () => {
      ending.resolve()
      await returned
    })
    await ending.promise
  }
  const returned: Promise<void> = (value(context, use) as Promise<void>).then(
    () => {
      if (!isHanded) handed.reject(new Error(`the fixture '${name}' returned without calling use()`))
    },
    (error) => {
      // Later errors belong to its end.
      if (isHanded) throw error
      handed.reject(error)
    },
  )
  return handed.promise
}

/** Fixtures behind those that they need. */
function inOrder(
  wanted: readonly Fixture[],
  registrations: Registrations,
  around: readonly Fixture[] = [],
  ordered: Fixture[] = [],
): Fixture[] {
  for (const each of wanted) {
    if (ordered.includes(each)) continue
    if (around.includes(each)) {
      const names = [...around.slice(around.indexOf(each)), each].map(({ name }) => name)
      throw new Error(`fixtures need each other: ${names.join(' → ')}`)
    }
    const needs = [...each.needs].flatMap((name) => (name === each.name ? each.parent : registrations.get(name)) ?? [])
    inOrder(needs, registrations, [...around, each], ordered)
    ordered.push(each)
  }
  return ordered
}

function added(before: Registrations, given: readonly unknown[]): Registrations {
  const all = new Map(before)
  for (const [name, each] of Object.entries(objectOf(given))) {
    const [value, options] = isTuple(each) ? (each as [unknown, FixtureOptions]) : [each, {}]
    const parent = all.get(name)
    const { auto: isAuto = parent?.isAuto ?? false, scope = parent?.scope ?? 'test' } = options
    const needs = typeof value === 'function' ? namedBy(value, 0) : new Set<string>()
    all.set(name, { name, value, isAuto, scope, needs, parent })
  }
  return all
}

/** An array whose second element has options of a fixture. */
function isTuple(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && isOptions(value[1])
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ['auto', 'scope', 'injected'].some((name) => name in value)
}

/** The object form of a call; the other one has a name, options and a function that returns the value. */
function objectOf([first, ...rest]: readonly unknown[]): Context {
  if (typeof first !== 'string') return (first ?? {}) as Context
  const hasOptions = rest.length > 1 || (isOptions(rest[0]) && !Array.isArray(rest[0]))
  const value = rest.length > 1 ? rest[1] : hasOptions ? {} : rest[0]
  const fixture = typeof value === 'function' ? handing(value) : value
  return { [first]: hasOptions ? [fixture, rest[0]] : fixture }
}

/** Functions in place of those that return the value. */
const originals = new WeakMap<Function, Function>()

function handing(value: Function): Function {
  const fixture = async (context: Context, use: (value: unknown) => Promise<void>) => {
    let cleanup: (() => unknown) | undefined
    const onCleanup = (action: () => unknown) => {
      if (cleanup !== undefined) throw new Error('onCleanup can only be called once per fixture')
      cleanup = action
    }
    await use(await value(context, { onCleanup }))
    await cleanup?.()
  }
  originals.set(fixture, value)
  return fixture
}

/** The names that a function destructures from an argument. */
function namedBy(body: Function, place: number): ReadonlySet<string> {
  const original = originals.get(body) ?? body
  const text = Function.prototype.toString.call(original).replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g, '')
  const parameter = partsOf(listIn(text))[place]
  if (parameter === undefined) return new Set()
  if (!parameter.startsWith('{'))
    throw new Error(`a test with fixtures, or a fixture, has to destructure its context: it takes '${parameter}'`)
  const names = partsOf(parameter.slice(1, parameter.lastIndexOf('}'))).map((part) => part.split(/[:=\s]/, 1)[0]!)
  if (names.some((name) => name.startsWith('...'))) throw new Error('fixtures cannot be taken as a rest')
  return new Set(names)
}

/** The list of parameters of a function, without its brackets; empty for `x => y`. */
function listIn(text: string): string {
  const start = text.indexOf('(')
  if (start === -1 || /^(?:async\s+)?[\w$]+\s*=>/.test(text)) return ''
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    if (')]}'.includes(text[at]!) && --depth === 0) return text.slice(start + 1, at)
  }
  return ''
}

/** Parts between the commas that are in no brackets. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if ('([{'.includes(letter)) depth++
    if (')]}'.includes(letter)) depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
