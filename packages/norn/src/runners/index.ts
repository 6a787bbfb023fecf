/**
 * `norn/vitest`: `fuzz`, and `cluster` of `norn/cluster`, in an ordinary file of vitest.
 *
 *     import { expect } from 'vitest'
 *     import { fc, fuzz } from 'norn/vitest'
 *
 *     fuzz('deposits are never lost', { amounts: fc.array(fc.nat()) }, async ({ amounts }) => { … })
 *
 * Here, in vitest's process, a property is a test that hunts it in a process of norn's own. There
 * norn loads the same file, this module is shared with norn's own `fuzz`, and the body runs; it
 * never runs here.
 */
import { type TestContext, test } from 'vitest'
import { printed } from '#shared/printable'
import { joinTitles } from '../property/suites.ts'
import { registered } from './registered.ts'
import { runProperty } from './run-property.ts'

async function runs({ task, signal, annotate }: TestContext): Promise<void> {
  const titles = [task.name]
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) titles.unshift(suite.name)
  await runProperty({
    file: task.file.filepath,
    name: joinTitles(titles),
    signal,
    // vitest pipes what its workers print, and says in FORCE_TTY where it goes.
    colours: process.env.FORCE_TTY === 'true' && process.env.NO_COLOR === undefined,
    excerpt: false,
    warn: (text) => console.warn(printed(text)),
    ran: (text) => void annotate(text, 'norn'),
  })
}

const declared = registered((name, options) => void test(name, options, runs))

/**
 * Declares a property as a test of the runner.
 *
 * @public
 */
export const fuzz = declared.fuzz
/**
 * Declares a cluster as a test of the runner.
 *
 * @public
 */
export const cluster = declared.cluster

export type { SearchLimits } from '../options/table.ts'
export { draw, fc, note, outOfEntropy, target, withoutFaults } from '../property/fuzz.ts'
export type { Arbitraries, Body, PropertyOptions } from '../property/property.ts'
