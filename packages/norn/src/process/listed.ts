import { relative } from 'node:path'
import { withAsyncOrigins } from '../execution/async-origins.ts'
import { listProperties, PropertiesNotLoaded } from '../execution/declared.ts'
import { frameLine, framesOf, type Positions } from '../execution/frames.ts'
import type { Loader } from '../loader/loader.ts'
import { settingsOf, type Test } from '../property/suites.ts'
import type { World } from '../world/world.ts'
import type { ListedProperty, ListedTest } from './protocol.ts'

/** An alias of a failure file leads out of the project. */
export class AliasRefused extends Error {
  readonly why = 'leading out'
}

/**
 * The properties that a file declares.
 *
 * @param asTheyAre whether to list the tests of frameworks instead, each as its runner has it
 * @throws AliasRefused
 * @throws PropertiesNotLoaded
 */
export async function listed(
  world: World,
  loader: Loader,
  file: string,
  positions: Positions,
  asTheyAre = false,
): Promise<ListedProperty[]> {
  const [refused] = loader.leadingOut(file)
  if (refused !== undefined) {
    const { from, to, found } = refused
    const allow = `to allow it, pass --alias ${from}=${to}`
    throw new AliasRefused(`its alias ${from}=${to} leads outside the project, to ${found}; ${allow}`)
  }
  const list = () => listProperties(world, loader, file, positions, asTheyAre)
  const properties = await list().catch(async (error) => {
    if (!(error instanceof PropertiesNotLoaded) || error.why !== 'void' || error.located) throw error
    const { stack } = await withAsyncOrigins(() => list().catch(() => {}))
    const lines = stack === undefined ? [] : framesOf(stack, positions).map(frameLine)
    throw new PropertiesNotLoaded('void', error.message, lines)
  })
  return properties.map(
    ({
      name,
      mode,
      kind,
      hasModel,
      inputs,
      examples,
      notRun,
      test,
      options: { examples: all, commands, ...options },
    }) => ({
      name,
      ...(kind === undefined ? {} : { kind }),
      ...(hasModel === undefined ? {} : { hasModel }),
      mode,
      examples,
      inputs: Object.keys(inputs),
      options,
      ...(notRun === undefined ? {} : { notRun }),
      ...(asTheyAre ? asItIs(test!, file, positions) : {}),
    }),
  )
}

/** What is listed of an ordinary test. Its bounds are its own: tests are longer than properties. */
function asItIs(test: Test, file: string, positions: Positions): Omit<ListedTest, keyof ListedProperty> & ListedRun {
  const frames = framesOf(test.declaredAt ?? '', positions)
  const own = relative(positions.root(), file)
  const { line = 1, column = 1 } = frames.find((frame) => frame.file === own) ?? {}
  const { fails = false, retry = 0 } = settingsOf(test)
  return { testNames: [test.name], wholeWrites: true, options: TEST_BOUNDS, line, column, fails, retry }
}

type ListedRun = Pick<ListedProperty, 'testNames' | 'wholeWrites' | 'options'>

const TEST_BOUNDS = { maxSteps: 200_000, maxVirtualMs: 600_000 }
