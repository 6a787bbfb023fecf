/** What clients must see of the streams of Maelstrom's workload `kafka`. */
import assert from 'node:assert/strict'
import type { ClusterView } from 'norn/cluster'
import { type Exchange, exchangesOf } from './checks.ts'

type Polled = Readonly<Record<string, readonly (readonly [offset: number, message: number])[]>>

/**
 * Offsets are unique and grow; each has one message; no poll skips a message that is known to be
 * there; committed offsets are ones that a client committed.
 */
export function checkKafka(view: ClusterView): void {
  const exchanges = exchangesOf(view)
  const known = messagesOf(exchanges)
  for (const { request, reply } of exchanges) {
    if (reply?.type === 'poll_ok') checkPoll(request.offsets as Record<string, number>, reply.msgs as Polled, known)
    if (reply?.type === 'list_committed_offsets_ok') checkCommitted(reply.offsets as Record<string, number>, exchanges)
  }
}

/** The message at each offset of each key, as sends and polls tell. */
function messagesOf(exchanges: readonly Exchange[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const known = new Map<string, Map<number, number>>()
  const note = (key: string, offset: number, message: number) => {
    const stream = known.get(key) ?? new Map<number, number>()
    known.set(key, stream)
    const before = stream.get(offset)
    assert.ok(
      before === undefined || before === message,
      `offset ${offset} of ${key} has two messages: ${before} and ${message}`,
    )
    stream.set(offset, message)
  }
  for (const { request, reply } of exchanges) {
    if (reply?.type === 'send_ok') note(request.key as string, reply.offset as number, request.msg as number)
    if (reply?.type !== 'poll_ok') continue
    for (const [key, messages] of Object.entries(reply.msgs as Polled)) {
      for (const [offset, message] of messages) note(key, offset, message)
    }
  }
  return known
}

function checkPoll(
  asked: Readonly<Record<string, number>>,
  polled: Polled,
  known: ReadonlyMap<string, ReadonlyMap<number, number>>,
): void {
  for (const [key, messages] of Object.entries(polled)) {
    assert.ok(Object.hasOwn(asked, key), `a poll returned messages of ${key}, which it did not ask for`)
    let next = asked[key]!
    for (const [offset] of messages) {
      assert.ok(
        offset >= next,
        `a poll of ${key} from ${asked[key]} returned offset ${offset} where ${next} or more was due`,
      )
      const skipped = [...(known.get(key)?.keys() ?? [])].find((other) => other >= next && other < offset)
      assert.equal(
        skipped,
        undefined,
        `a poll of ${key} from ${asked[key]} returned offset ${offset} and skipped ${skipped}`,
      )
      next = offset + 1
    }
  }
}

function checkCommitted(offsets: Readonly<Record<string, number>>, exchanges: readonly Exchange[]): void {
  const commits = exchanges.filter(({ request }) => request.type === 'commit_offsets')
  for (const [key, offset] of Object.entries(offsets)) {
    assert.ok(
      commits.some(({ request }) => (request.offsets as Record<string, number>)[key] === offset),
      `the committed offset of ${key} is ${offset}, which no client committed`,
    )
  }
}
