/**
 * Decides which tests of a file are properties: those that assert a fast-check property. Only
 * running shows that, so listing a file runs each test once, in fresh modules, with the zero input
 * under the default schedule.
 *
 * A test that ends early, by a failure or as inconclusive, counts as a property if its source calls
 * fast-check, and is reported by the search. Other tests are left to the test runner, with a
 * reason.
 */

import { describeReason } from '../contract/inconclusive.ts'
import { NO_DEMANDS } from '../contract/plan.ts'
import { setCurrentExecution } from '../property/current.ts'
import { prepareInput } from '../property/input/input.ts'
import type { Property } from '../property/property.ts'
import { settingsOf } from '../property/suites.ts'
import { Tape } from '../tape/tape.ts'
import type { ExecutionReport } from '../world/execution.ts'
import type { World } from '../world/world.ts'
import { inMacrotask } from './macrotask.ts'

export interface Probed {
  /** The largest number of examples of an asserted property. */
  readonly examples: number
  /** Why the test is not a property; undefined if it is one. */
  readonly notRun?: string
}

/** Matches the source of a function that may assert a fast-check property. */
const ASSERTS = /\b(?:assert|check|prop)\s*\(/

/** @param load finds the property by name in fresh modules */
export async function probe(
  world: World,
  property: Property,
  load: () => Property | Promise<Property>,
): Promise<Probed> {
  const { test, options, mode } = property
  const examples = options.examples?.length ?? 0
  if (test === undefined || mode === 'skip') return { examples }
  if (settingsOf(test).fails) return { examples, notRun: 'expected to fail' }
  const tape = new Tape(() => undefined)
  const asserted = { count: 0, examples: 0 }
  const report = await inMacrotask(() => {
    const report = world.execute<Property>(tape, {
      load,
      body(fresh) {
        const prepared = prepareInput(fresh, { from: 'tape' }, tape, (reason) => world.refuse(reason))
        const current = prepared.current()
        setCurrentExecution(() => ({
          ...current,
          assert: (count) => {
            asserted.examples = Math.max(asserted.examples, count)
            asserted.count++
            return current.assert(count)
          },
          elapsedUs: () => world.nowUs,
          note: () => {},
          target: () => {},
          followsModel: true,
          demands: NO_DEMANDS,
          simulates: () => {},
          suspendFaults: () => world.suspendFaults(),
          fail: (error) => world.fail(error),
          refuse: (reason) => world.refuse(reason),
        }))
        return fresh.body({})
      },
    })
    setCurrentExecution(undefined)
    return report
  })
  if (asserted.count > 0) return { examples: asserted.examples }
  const notRun = reasonOf(report, test.text)
  return notRun === undefined ? { examples } : { examples, notRun }
}

function reasonOf({ ending }: ExecutionReport, text: string): string | undefined {
  if (ending.kind === 'passed') return 'asserts no fast-check property'
  if (ASSERTS.test(text)) return undefined
  return ending.kind === 'inconclusive'
    ? `inconclusive before it asserts a fast-check property (${describeReason(ending.reason)})`
    : `fails before it asserts a fast-check property (${String((ending.failure.error as Error)?.message ?? ending.failure.kind).split('\n')[0]})`
}
