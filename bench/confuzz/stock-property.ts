/** A subject's property on stock Node, in this process: for the baselines, and for the tests. */
import type { Property } from '../../packages/norn/src/property/property.ts'
import { freshProperty } from '../stock.ts'
import type { Pool } from './pool.ts'
import { isPropertyOf } from './property-names.ts'

/** A property whose body takes the thread pool as a parameter. */
export interface StockProperty extends Omit<Property, 'body'> {
  readonly body: (inputs: Record<string, unknown>, pool?: Pool) => unknown
}

/**
 * Every call of the result evaluates the file afresh, so that executions share no state.
 *
 * @param subject the name before the colon
 */
export function stockProperty(file: string, subject: string): () => Promise<StockProperty> {
  const fresh = freshProperty(file, [])
  return () => fresh(({ name }) => isPropertyOf(subject, name, false))
}
