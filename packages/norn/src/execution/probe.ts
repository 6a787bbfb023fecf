/**
 * Which tests of a file are properties: those that assert one of fast-check's, which shows only
 * when they run. So each is run once when the file is listed, in fresh modules, with the zero input
 * under the natural schedule.
 *
 * A test that fails or loses control before it has asserted anything may have been about to: it
 * counts as a property if its text says so, and is then told of as what it is. The others are not
 * run: they are the test runner's, and get the reason why.
 */

import { describeReason } from '../contract/inconclusive.ts'
import { setCurrentExecution } from '../property/current.ts'
import { prepareInput } from '../property/input/input.ts'
import type { Property } from '../property/property.ts'
import { Tape } from '../tape/tape.ts'
import type { ExecutionReport } from '../world/execution.ts'
import type { World } from '../world/world.ts'
import { inMacrotask } from './macrotask.ts'

/** What a test turned out to be. */
export interface Probed {
  /** Largest number of examples that a property has which it asserts. */
  readonly examples: number
  /** Why it is no property; undefined if it is one. */
  readonly notRun?: string
}

/** Text of a function that runs a property of fast-check. */
const ASSERTS = /\b(?:assert|check|prop)\s*\(/

/** @param load finds the property by its name among those of fresh modules */
export async function probe(
  world: World,
  property: Property,
  load: () => Property | Promise<Property>,
): Promise<Probed> {
  const { test, asserted: certain, options, mode } = property
  const examples = options.examples?.length ?? 0
  if (test === undefined || certain || mode === 'skip') return { examples }
  if (test.excluded !== undefined) return { examples, notRun: test.excluded }
  const tape = new Tape(() => undefined)
  const asserted = { count: 0, examples: 0 }
  const report = await inMacrotask(() => {
    const report = world.execute<Property>(tape, {
      load,
      body(fresh) {
        const prepared = prepareInput(fresh, { from: 'tape' }, tape, (reason) => world.refuse(reason))
        const { current } = prepared
        setCurrentExecution({
          ...current,
          assert: (count) => {
            asserted.examples = Math.max(asserted.examples, count)
            asserted.count++
            return current.assert(count)
          },
          note: () => {},
          target: () => {},
          simulates: () => {},
          suspendFaults: () => world.suspendFaults(),
        })
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
  if (ending.kind === 'passed') return 'it asserts no property of fast-check'
  if (ASSERTS.test(text)) return undefined
  return ending.kind === 'inconclusive'
    ? `it asserts no property of fast-check before it becomes inconclusive (${describeReason(ending.reason)})`
    : `it asserts no property of fast-check before it fails (${String((ending.failure.error as Error)?.message ?? ending.failure.kind).split('\n')[0]})`
}
