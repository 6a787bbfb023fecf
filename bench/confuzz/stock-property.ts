/** A subject's property on stock Node, in this process: for the baselines that are not norn, and for the tests. */
import { Loader } from '../../packages/norn/src/loader/loader.ts'
import { collectProperties, type Property } from '../../packages/norn/src/property/property.ts'
import { sharedModules } from '../../packages/norn/src/execution/shared-modules.ts'
import type { Pool } from './pool.ts'
import { isPropertyOf } from './property-names.ts'

/** A property whose body takes the pool that it is to use. */
export interface StockProperty extends Omit<Property, 'body'> {
  readonly body: (inputs: Record<string, unknown>, pool?: Pool) => unknown
}

/**
 * Loads a file of properties; what it gives evaluates the file afresh, so that executions share no state.
 *
 * @param subject the name before the colon
 */
export function stockProperty(file: string, subject: string): () => Promise<StockProperty> {
  const loader = new Loader({
    shared: sharedModules(),
    aliases: new Map(),
    refuse: (what) => {
      throw new Error(`${what} is not for this bench`)
    },
  })
  return async () => {
    const collected = collectProperties()
    await loader.instantiate().import(file)
    const property = collected.finish().find(({ name }) => isPropertyOf(subject, name, false))
    if (property === undefined) throw new Error(`${file} declares no property for ${subject}`)
    return property
  }
}
