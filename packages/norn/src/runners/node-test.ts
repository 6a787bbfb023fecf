/**
 * `norn/node-test`: `fuzz` and `cluster` in an ordinary file of `node:test`, as in `norn/vitest`.
 *
 *     import { fc, fuzz } from 'norn/node-test'
 *
 *     fuzz('deposits are never lost', { amounts: fc.array(fc.nat()) }, async ({ amounts }) => { … })
 */
import { type TestContext, test } from 'node:test'
import { registered } from './registered.ts'
import { runProperty } from './run-property.ts'

/** Node joins the titles around a test as norn does. */
async function runs(context: TestContext): Promise<void> {
  const { fullName, filePath, signal } = context
  await runProperty({
    file: filePath!,
    name: fullName,
    signal,
    colours: process.stdout.isTTY && process.env.NO_COLOR === undefined,
    excerpt: true,
    warn: (text) => context.diagnostic(text),
    ran: (text) => context.diagnostic(text),
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
