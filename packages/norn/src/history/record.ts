/** `record(client)` of norn-history, with a check that ends the execution. */
import { type RecordedMethods, type Recording, type RecordOptions, record as recordHistory } from 'norn-history'
import { type HistoryOracle, watchWith } from './oracle.ts'

/**
 * The options of `record`.
 *
 * @public
 */
export interface CheckedRecordOptions extends Pick<RecordOptions, 'outcome'> {
  /** Checks the history after each operation, and ends the execution at the first illegal one. */
  readonly check?: HistoryOracle
}

/**
 * Wraps an object so that calls of its methods become operations of a history.
 *
 * ```ts
 * const { client } = record(cache, { get: …, set: … }, { check: linearizable(MODELS.kv) })
 * await Promise.all([client.set('a', 1), client.get('a')])
 * ```
 *
 * @param methods the input of each method that is recorded, as the model takes it; the others are
 *   called without a record. By default those with the names of operations of the built-in models
 * @throws TypeError if there is no such method
 * @public
 */
export function record<Client extends object, Input = unknown>(
  client: Client,
  methods?: RecordedMethods<Client, Input>,
  { check, outcome }: CheckedRecordOptions = {},
): Recording<Client, Input> {
  const watch = check && watchWith(check, () => recording.history())
  const recording: Recording<Client, Input> = recordHistory<Client, Input>(client, methods, { outcome, watch })
  return recording
}
