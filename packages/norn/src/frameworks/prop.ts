/**
 * Replaces `@fast-check/vitest` and `@fast-check/jest`, which depend on their test runner:
 * `test.prop` declares a test whose body is the predicate of a property.
 *
 *     test.prop([fc.string(), fc.nat()])('title', (text, n) => { ... })
 *     test.prop({ text: fc.string() })('title', ({ text }) => { ... })
 *
 * Each link of a chain has `prop` (`test.only.prop`). Inputs in an object are named by its keys.
 */
import fc from 'fast-check'
import type { AssertParameters, RunnableProperty } from '../property/fast-check/assertion.ts'
import { falseError, withNames } from '../property/fast-check/assertion.ts'
import { assert, fastCheckModule } from '../property/fast-check/module.ts'
import type { Exports } from './installed.ts'
import type { Declaring } from './test-functions.ts'

type Arbitraries = readonly fc.Arbitrary<unknown>[] | Readonly<Record<string, fc.Arbitrary<unknown>>>

/** The exports of the package, given those of its framework. */
export function withProp(framework: Exports): Exports {
  const test = withPropOn(framework.test as Declaring)
  return { fc: fastCheckModule(), test, it: test }
}

function withPropOn(declaring: Declaring): Declaring {
  return new Proxy(declaring, {
    get(target, name) {
      if (name === 'prop')
        return (inputs: Arbitraries, parameters?: Parameters_) => declarer(target, inputs, parameters)
      const link: unknown = Reflect.get(target, name)
      const chains =
        typeof link === 'function' && !['each', 'for', 'skipIf', 'runIf', 'extend'].includes(name as string)
      return chains ? withPropOn(link as Declaring) : link
    },
  })
}

type Parameters_ = AssertParameters & Parameters<typeof assert>[1]

function declarer(test: Declaring, inputs: Arbitraries, parameters: Parameters_ = {}) {
  return (title: string, predicate: (...values: unknown[]) => unknown) => {
    const returnedFalse = falseError()
    test(title, () => assert(propertyOf(inputs, predicate, returnedFalse), parametersFor(inputs, parameters)))
  }
}

function propertyOf(
  inputs: Arbitraries,
  predicate: (...values: unknown[]) => unknown,
  returnedFalse: Error,
): RunnableProperty {
  const isList = Array.isArray(inputs)
  const names = isList ? undefined : Object.keys(inputs)
  const arbitraries = (isList ? inputs : Object.values(inputs)) as fc.Arbitrary<unknown>[]
  const call = isList
    ? predicate
    : (...values: unknown[]) => predicate(Object.fromEntries(names!.map((name, index) => [name, values[index]])))
  const property = fc.asyncProperty(fc.tuple(...arbitraries), async (values) => (await call(...values)) as boolean)
  return withNames(
    {
      isAsync: () => true,
      generate: (random) => fc.tuple(...arbitraries).generate(random, undefined),
      run: (values) => property.run([values as unknown[]]),
      runBeforeEach: () => property.runBeforeEach(),
      runAfterEach: () => property.runAfterEach(),
    },
    arbitraries,
    names ?? predicate,
    returnedFalse,
  )
}

/** Turns examples given as objects into tuples. */
function parametersFor(inputs: Arbitraries, parameters: Parameters_): Parameters_ {
  const { examples } = parameters
  if (Array.isArray(inputs) || examples === undefined) return parameters
  const asTuple = (example: unknown) => Object.keys(inputs).map((name) => (example as Record<string, unknown>)[name])
  return { ...parameters, examples: examples.map(asTuple) } as Parameters_
}
