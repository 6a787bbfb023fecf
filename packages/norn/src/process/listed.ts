import { withAsyncOrigins } from '../execution/async-origins.ts'
import { listProperties, PropertiesNotLoaded } from '../execution/declared.ts'
import { frameLine, framesOf, type Positions } from '../execution/frames.ts'
import type { Loader } from '../loader/loader.ts'
import type { World } from '../world/world.ts'
import type { ListedProperty } from './protocol.ts'

/** An alias of a failure file leads out of the project. */
export class AliasRefused extends Error {
  readonly why = 'leading out'
}

/**
 * The properties that a file declares.
 *
 * @throws AliasRefused
 * @throws PropertiesNotLoaded
 */
export async function listed(
  world: World,
  loader: Loader,
  file: string,
  positions: Positions,
): Promise<ListedProperty[]> {
  const [refused] = loader.leadingOut(file)
  if (refused !== undefined) {
    const { from, to, found } = refused
    const allow = `to allow it, pass --alias ${from}=${to}`
    throw new AliasRefused(`its alias ${from}=${to} leads outside the project, to ${found}; ${allow}`)
  }
  const list = () => listProperties(world, loader, file, positions)
  const properties = await list().catch(async (error) => {
    if (!(error instanceof PropertiesNotLoaded) || error.why !== 'void' || error.located) throw error
    const { stack } = await withAsyncOrigins(() => list().catch(() => {}))
    const lines = stack === undefined ? [] : framesOf(stack, positions).map(frameLine)
    throw new PropertiesNotLoaded('void', error.message, lines)
  })
  return properties.map(
    ({ name, mode, kind, hasModel, inputs, examples, notRun, options: { examples: all, commands, ...options } }) => ({
      name,
      ...(kind === undefined ? {} : { kind }),
      ...(hasModel === undefined ? {} : { hasModel }),
      mode,
      examples,
      inputs: Object.keys(inputs),
      options,
      ...(notRun === undefined ? {} : { notRun }),
    }),
  )
}
