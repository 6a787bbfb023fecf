/** A subject's property on stock Node, in this process: for the baselines, and for the tests. */
import type { Property } from '../../packages/norn/src/property/property.ts'
import { freshProperty } from '../stock.ts'
import type { Pool } from '../subjects/confuzz/pool.ts'
import { isPropertyOf } from '../subjects/confuzz/property-names.ts'
import type { StockSubject } from './stock-trials.ts'

/** A property whose body may take the thread pool as a parameter. */
export interface StockProperty extends Omit<Property, 'body'> {
  readonly body: (inputs: Record<string, unknown>, pool?: Pool) => unknown
}

/** Every call of the result evaluates the file afresh, so that executions share no state. */
export function stockProperty({
  file,
  subject,
  aliases = [],
}: Pick<StockSubject, 'file' | 'subject' | 'aliases'>): () => Promise<StockProperty> {
  const fresh = freshProperty(file, aliases)
  return () => fresh(({ name }) => subject === undefined || isPropertyOf(subject, name, false))
}
