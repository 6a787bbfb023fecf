/**
 * The bodies of properties on stock Node: for baselines, in processes that start with
 * `--expose-internals`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedModules } from '../packages/norn/src/execution/shared-modules.ts'
import { Loader } from '../packages/norn/src/loader/loader.ts'
import { TapeRandom } from '../packages/norn/src/property/input/random.ts'
import { collectProperties, type Property } from '../packages/norn/src/property/property.ts'
import { proposeInput } from '../packages/norn/src/tape/bias.ts'
import type { Chance } from '../packages/norn/src/tape/chance.ts'
import { Tape } from '../packages/norn/src/tape/tape.ts'

/**
 * Loads a file of properties. Every call of the result evaluates the file again, so that
 * executions share no state.
 *
 * @param aliases [import, replacement]
 */
export function freshProperty(
  file: string,
  aliases: readonly (readonly [string, string])[],
): (isWanted: (property: Property) => boolean) => Promise<Property> {
  const refuse = (what: string) => {
    throw new Error(`${what} is not supported in a baseline`)
  }
  const loader = new Loader({ shared: sharedModules().modules, aliases: new Map(aliases), refuse })
  return async (isWanted) => {
    const collected = collectProperties()
    await loader.instantiate().import(file)
    const property = collected.finish().find(isWanted)
    if (property === undefined) throw new Error(`${file} does not declare the property`)
    return property
  }
}

/** Random inputs as norn draws them; the first execution takes the simplest. */
function randomInputs({ inputs }: Pick<Property, 'inputs'>, draws: Chance, isFirst: boolean): Record<string, unknown> {
  const tape = new Tape(({ min, max }) => (isFirst ? undefined : proposeInput(draws, min, max)))
  return Object.fromEntries(
    Object.entries(inputs).map(([name, arbitrary]) => [
      name,
      arbitrary.generate(TapeRandom.over(tape, name), undefined).value,
    ]),
  )
}

/** The largest random delay in front of a body, in milliseconds. */
const MAX_DELAY_MS = 50

/**
 * Runs a body under stress: with modules of its own, a random input, and a random delay in front.
 *
 * @param draws of this execution alone
 * @param limitMs a body that takes longer fails
 * @returns whether it passed
 */
export async function passesUnderStress(
  fresh: () => Promise<Pick<Property, 'inputs' | 'body'>>,
  draws: Chance,
  isFirst: boolean,
  limitMs: number,
): Promise<boolean> {
  await sleep(draws.unit() * MAX_DELAY_MS)
  const property = await fresh()
  const inputs = randomInputs(property, draws, isFirst)
  try {
    await within(limitMs, () => property.body(inputs))
    return true
  } catch {
    return false
  }
}

/** The real ones: a body may install fake timers. */
const { setInterval, clearInterval } = globalThis

/** A limit is so many waits, so that time in which this process does not run counts as one. */
const WAITS = 20

/** Rejects if the body does, or if it takes longer than that. */
export async function within(limitMs: number, body: () => unknown): Promise<void> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  let waits = 0
  const timer = setInterval(() => {
    if (++waits === WAITS) reject(new Error(`the body does not settle within ${limitMs} ms`))
  }, limitMs / WAITS)
  try {
    await Promise.race([body(), timedOut])
  } finally {
    clearInterval(timer)
  }
}
