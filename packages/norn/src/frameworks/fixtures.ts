/**
 * `test.extend` of vitest: fixtures that a test receives in its context, made when it names them.
 *
 * Follows `withFixtures` of @vitest/runner: only what a test destructures is made, and what that needs. A
 * fixture of a file or worker is made for each test too, since each execution begins anew.
 */
import { isThenable } from '../property/suites.ts'
import type { Flavour } from './test-functions.ts'

type Context = Record<string, unknown>

interface Fixture {
  /** Makes the value and hands it over; the promise that it gets settles when the test has ended. */
  readonly make: (context: Context, use: (value: unknown) => Promise<void>) => unknown
  /** The fixtures that it names. */
  readonly needs: readonly string[]
  /** Whether it is made for each test. */
  readonly isAuto: boolean
}

export type Fixtures = ReadonlyMap<string, Fixture>

export const NO_FIXTURES: Fixtures = new Map()

interface FixtureOptions {
  readonly auto?: boolean
}

/**
 * Adds fixtures to others.
 *
 * @param given of a call of `test.extend`: an object of values and functions `(context, use)`, each alone or
 *   with options in an array; or a name, options and a function `(context, { onCleanup })` that returns it
 */
export function extended(before: Fixtures, given: readonly unknown[]): Fixtures {
  const [first, ...rest] = given
  if (typeof first === 'string') {
    const value = rest.at(-1)
    const options = rest.length > 1 ? (rest[0] as FixtureOptions) : {}
    return new Map([...before, [first, returned(value, options)]])
  }
  const added = Object.entries((first ?? {}) as Context).map(([name, each]) => {
    const [value, options = {}] = isTuple(each) ? (each as [unknown, FixtureOptions?]) : [each]
    return [name, handedOver(value, options)] as const
  })
  return new Map([...before, ...added])
}

/** An array whose second element has options of a fixture. */
function isTuple(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const options: unknown = value[1]
  return (
    typeof options === 'object' && options !== null && ['auto', 'scope', 'injected'].some((name) => name in options)
  )
}

function handedOver(value: unknown, { auto = false }: FixtureOptions): Fixture {
  if (typeof value !== 'function') return { make: (_context, use) => use(value), needs: [], isAuto: auto }
  return { make: value as Fixture['make'], needs: namedBy(value), isAuto: auto }
}

function returned(value: unknown, { auto = false }: FixtureOptions): Fixture {
  if (typeof value !== 'function') return handedOver(value, { auto })
  const make: Fixture['make'] = async (context, use) => {
    const cleanups: (() => unknown)[] = []
    const onCleanup = (cleanup: () => unknown) => void cleanups.unshift(cleanup)
    try {
      await use(await (value as Function)(context, { onCleanup }))
    } finally {
      for (const cleanup of cleanups) await cleanup()
    }
  }
  return { make, needs: namedBy(value), isAuto: auto }
}

/** The names that a function destructures from its first parameter. */
function namedBy(body: Function): readonly string[] {
  const text = Function.prototype.toString.call(body).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const [, inside = ''] =
    /^(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*|[\w$]+\s*(?=\())?\(?\s*\{([^}]*)\}/.exec(text) ?? []
  return inside
    .split(',')
    .map((part) => part.trim().split(/[:=\s]/, 1)[0]!)
    .filter((name) => /^[\w$]+$/.test(name))
}

/** Calls tests as a flavour does, with fixtures in their context. */
export function withFixtures(flavour: Flavour, fixtures: Fixtures): Flavour {
  return {
    ...flavour,
    call(call) {
      const { body } = call
      const autos = [...fixtures].filter(([, { isAuto }]) => isAuto).map(([name]) => name)
      const wanted = [...autos, ...namedBy(body)].filter((name) => fixtures.has(name))
      if (wanted.length === 0) return flavour.call(call)
      const given: Context = {}
      const run = (...args: unknown[]) => body(...args.slice(0, -1), Object.assign(args.at(-1) as Context, given))
      return made(fixtures, wanted, given, () => flavour.call({ ...call, body: run }))
    },
  }
}

/** Makes fixtures in the order of their needs around an action. */
async function made(
  fixtures: Fixtures,
  [name, ...others]: readonly string[],
  context: Context,
  action: () => unknown,
): Promise<unknown> {
  if (name === undefined) return action()
  if (name in context) return made(fixtures, others, context, action)
  const { make, needs } = fixtures.get(name)!
  const missing = needs.filter((need) => need !== name && fixtures.has(need) && !(need in context))
  if (missing.length > 0) return made(fixtures, [...missing, name, ...others], context, action)
  let result: unknown
  const given = make(context, async (value) => {
    context[name] = value
    result = await made(fixtures, others, context, action)
  })
  if (isThenable(given)) await given
  return result
}
