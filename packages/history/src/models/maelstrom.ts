/**
 * The messages of Maelstrom's services (github.com/jepsen-io/maelstrom, doc/protocol.md and
 * doc/workloads.md) as operations of the built-in models, and as transactions.
 */
import type { End } from '../history/history-recorder.ts'

/**
 * The body of a request or of a reply.
 *
 * @public
 */
export interface MaelstromBody {
  readonly type: string
  readonly [field: string]: unknown
}

/** Errors after which the operation surely had no effect. All others are unknown, also 0 and 13. */
const DEFINITE: ReadonlySet<unknown> = new Set([1, 10, 11, 12, 14, 20, 21, 22, 30])

/**
 * The input that a request is to a model: `{ f: 'read', key }` for `{ type: 'read', key }`, the steps
 * of a `txn`, `{ f: 'add', value }` for an element, a delta or a message to broadcast.
 *
 * @public
 */
export function maelstromInput(body: MaelstromBody): unknown {
  const { type, key, value, element, delta, message, from, to } = body
  if (type === 'txn') return body.txn
  const f = type === 'broadcast' ? 'add' : type
  const argument = value ?? element ?? delta ?? message
  return {
    f,
    ...(key !== undefined && { key }),
    ...(argument !== undefined && { value: argument }),
    ...(type === 'cas' && { from, to }),
  }
}

/**
 * What a reply says of its operation. The errors 0 (timeout) and 13 (crash) leave the outcome
 * unknown, and so do those that Maelstrom does not define.
 *
 * @public
 */
export function maelstromEnd(body: MaelstromBody): End {
  if (body.type === 'error') return { outcome: DEFINITE.has(body.code) ? 'fail' : 'unknown' }
  return { outcome: 'ok', output: body.txn ?? body.value ?? body.messages }
}

/** @public */
export function isMaelstromBody(value: unknown): value is MaelstromBody {
  return typeof (value as { readonly type?: unknown } | null | undefined)?.type === 'string'
}
