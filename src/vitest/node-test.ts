/**
 * `norn/node-test`: `fuzz` in an ordinary file of `node:test`, as in `norn/vitest`.
 *
 *     import { fc, fuzz } from 'norn/node-test'
 *
 *     fuzz('deposits are never lost', { amounts: fc.array(fc.nat()) }, async ({ amounts }) => { … })
 */
import { type TestContext, test } from 'node:test'
import type { Fuzz } from '../property/fuzz.ts'
import { propertyTimeoutMs, runProperty } from './run-property.ts'

type Register = typeof test | typeof test.skip | typeof test.only

function registering(register: Register) {
  return (name: string): void => {
    void register(name, { timeout: propertyTimeoutMs() }, runs)
  }
}

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
  })
}

export const fuzz = Object.assign(registering(test), {
  skip: registering(test.skip),
  only: registering(test.only),
}) as Fuzz

export { draw, fc, outOfEntropy, withoutFaults } from '../property/fuzz.ts'
export type { Arbitraries, Body, PropertyOptions } from '../property/property.ts'
