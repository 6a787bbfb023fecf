/**
 * The bodies of properties on stock Node: for baselines, in processes that start with
 * `--expose-internals`.
 */

import { sharedModules } from '../packages/norn/src/execution/shared-modules.ts'
import { Loader } from '../packages/norn/src/loader/loader.ts'
import { TapeRandom } from '../packages/norn/src/property/input/random.ts'
import { collectProperties, type Property } from '../packages/norn/src/property/property.ts'
import { proposeInput } from '../packages/norn/src/tape/bias.ts'
import type { Chance } from '../packages/norn/src/tape/chance.ts'
import { Tape } from '../packages/norn/src/tape/tape.ts'

/**
 * Loads a file of properties. Every call of the result evaluates the file afresh, so that
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
  const loader = new Loader({ shared: sharedModules(), aliases: new Map(aliases), refuse })
  return async (isWanted) => {
    const collected = collectProperties()
    await loader.instantiate().import(file)
    const property = collected.finish().find(isWanted)
    if (property === undefined) throw new Error(`${file} does not declare the property`)
    return property
  }
}

/** Inputs as norn draws them by chance. The first execution takes the simplest, as norn's does. */
export function randomInputs(
  { inputs }: Pick<Property, 'inputs'>,
  draws: Chance,
  isFirst: boolean,
): Record<string, unknown> {
  const tape = new Tape(({ min, max }) => (isFirst ? undefined : proposeInput(draws, min, max)))
  return Object.fromEntries(
    Object.entries(inputs).map(([name, arbitrary]) => [
      name,
      arbitrary.generate(TapeRandom.over(tape, name), undefined).value,
    ]),
  )
}

/** Rejects if the body does, or if it takes longer than that. */
export async function within(limitMs: number, body: () => unknown): Promise<void> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`the body does not settle within ${limitMs} ms`)), limitMs)
  try {
    await Promise.race([body(), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
