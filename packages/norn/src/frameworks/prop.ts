/**
 * Replaces `@fast-check/vitest` and `@fast-check/jest`, which depend on their test runner:
 * `test.prop` declares a test whose body is the predicate of a property.
 *
 *     test.prop([fc.string(), fc.nat()])('title', (text, n) => { ... })
 *     test.prop({ text: fc.string() })('title', ({ text }) => { ... })
 *
 * Each link of a chain has `prop` (`test.only.prop`). Inputs in an object are named by its keys.
 */
import type fc from 'fast-check'
import type { AssertParameters, RunnableProperty } from '../property/fast-check/assertion.ts'
import { falseError, withNames } from '../property/fast-check/assertion.ts'
import { type FastCheckModule, fastCheckModule } from '../property/fast-check/module.ts'
import { evaluation } from '../property/property.ts'
import { projectFastCheck } from './fast-check.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import { type Exports, placeOf } from './installed.ts'
import { jestModule } from './jest.ts'
import type { Declaring } from './test-functions.ts'
import { vitestModule } from './vitest.ts'

type Arbitraries = readonly fc.Arbitrary<unknown>[] | Readonly<Record<string, fc.Arbitrary<unknown>>>

/**
 * The exports of a package, given those of its framework. Its `fc` is the fast-check that it depends
 * on.
 *
 * @param specifier of the package
 * @param from absolute path of the file of tests
 */
function withProp(specifier: string, framework: Exports, from: string): Exports {
  const place = placeOf(specifier, from) ?? from
  const fc =
    (projectFastCheck('fast-check', place) ?? projectFastCheck('fast-check', from))?.exports ?? fastCheckModule()
  const test = withPropOn(framework.test as Declaring, fc)
  const testProp = testPropOn(framework.test as Declaring, fc)
  return { fc, test, it: test, testProp, itProp: testProp }
}

/** The packages of fast-check for a framework. */
const withProps = (specifier: string, framework: (host: FrameworkHost) => Exports): Framework => ({
  specifier,
  module: (host) => withProp(specifier, framework(host), host.file),
})

export const FAST_CHECK_FRAMEWORKS: readonly Framework[] = [
  withProps('@fast-check/vitest', vitestModule),
  { ...withProps('@fast-check/jest', jestModule), definesJest: true },
  { ...withProps('jest-fast-check', jestModule), definesJest: true },
]

/** The older form: `testProp('title', [fc.nat()], (n) => { ... }, parameters)`. */
function testPropOn(declaring: Declaring, fc: FastCheckModule): Declaring {
  return new Proxy(declaring, {
    apply: (target, _, [title, inputs, predicate, parameters]) =>
      declarer(fc, target, inputs as Arbitraries, parameters as Parameters_)(title as string, predicate as Predicate),
    get: (target, name) => testPropOn(Reflect.get(target, name) as Declaring, fc),
  })
}

function withPropOn(declaring: Declaring, fc: FastCheckModule): Declaring {
  /** What the program has assigned in this evaluation. */
  let assigned = new Map<PropertyKey, unknown>()
  let seen = evaluation()
  const current = () => {
    if (seen !== evaluation()) assigned = new Map()
    seen = evaluation()
    return assigned
  }
  return new Proxy(declaring, {
    set(_, name, value) {
      current().set(name, value)
      return true
    },
    get(target, name) {
      if (current().has(name)) return assigned.get(name)
      if (name === 'prop')
        return (inputs: Arbitraries, parameters?: Parameters_) => declarer(fc, target, inputs, parameters)
      const link: unknown = Reflect.get(target, name)
      const chains =
        typeof link === 'function' && !['each', 'for', 'skipIf', 'runIf', 'extend'].includes(name as string)
      return chains ? withPropOn(link as Declaring, fc) : link
    },
  })
}

type Predicate = (...values: unknown[]) => unknown
type Parameters_ = AssertParameters & NonNullable<Parameters<FastCheckModule['assert']>[1]>

function declarer(fc: FastCheckModule, test: Declaring, inputs: Arbitraries, parameters: Parameters_ = {}) {
  return (title: string, predicate: Predicate) => {
    const returnedFalse = falseError()
    test(title, () =>
      fc.assert(propertyOf(fc, inputs, predicate, returnedFalse) as never, parametersFor(inputs, parameters) as never),
    )
  }
}

function propertyOf(
  fc: FastCheckModule,
  inputs: Arbitraries,
  predicate: Predicate,
  returnedFalse: Error,
): RunnableProperty {
  const isList = Array.isArray(inputs)
  const names = isList ? undefined : Object.keys(inputs)
  const arbitraries = (isList ? inputs : Object.values(inputs)) as fc.Arbitrary<unknown>[]
  const call = isList
    ? predicate
    : (...values: unknown[]) => predicate(Object.fromEntries(names!.map((name, index) => [name, values[index]])))
  const property = fc.asyncProperty(
    ...(arbitraries as [fc.Arbitrary<unknown>]),
    async (...values: unknown[]) => (await call(...values)) as boolean,
  )
  return withNames(property, names ?? predicate, returnedFalse)
}

/** Turns examples given as objects into tuples. */
function parametersFor(inputs: Arbitraries, parameters: Parameters_): Parameters_ {
  const { examples } = parameters
  if (Array.isArray(inputs) || examples === undefined) return parameters
  const asTuple = (example: unknown) => Object.keys(inputs).map((name) => (example as Record<string, unknown>)[name])
  return { ...parameters, examples: examples.map(asTuple) } as Parameters_
}
