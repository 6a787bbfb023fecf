/**
 * Pass: deletes a client's request together with the step that made it and the steps it caused.
 *
 * Neither can go alone: without the step, the request comes later or at another node; without the
 * request, the step makes the next one, and all later steps mean other messages. The log tells which
 * step made a request and what it caused. The requests are assumed to be the items of an array of
 * the input; otherwise an attempt is wasted.
 */
import type { LogEntry } from '../../contract/cluster-record.ts'
import { withoutRun } from '../../shrink/delete.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { siblings } from '../../shrink/span-tree.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'

/** The number of requests that are tried, last first. */
const MAX_REQUESTS = 50

export async function deleteRequests(shrinker: Shrinker): Promise<void> {
  const count = Math.min(MAX_REQUESTS, requestsOf(shrinker).length)
  for (let last = 1; last <= count && !shrinker.exhausted; last++) {
    const request = requestsOf(shrinker).at(-last)
    if (request === undefined) return
    await deleteRequest(shrinker, request)
  }
}

interface MadeRequest {
  readonly id: number
  readonly step: number
}

function requestsOf(shrinker: Shrinker): readonly MadeRequest[] {
  return shrinker.best.cluster?.log.filter(({ kind }) => kind === 'request') ?? []
}

async function deleteRequest(shrinker: Shrinker, { id, step }: MadeRequest): Promise<boolean> {
  const steps = stepsOf(shrinker.choices)
  if (step < 0 || step >= steps.length) return false
  const caused = consequences(shrinker.best.cluster!.log, id)
  // Deleting more is simpler, but a step that the request caused may matter for other requests.
  for (const dropped of [caused, caused.filter((each) => steps[each] === 0 || each === step), [step]]) {
    const choices = withSteps(
      shrinker.choices,
      steps.filter((_, ordinal) => !dropped.includes(ordinal)),
    )
    for (const { members } of siblings(shrinker.spans)) {
      const item = members[id]
      if (item === undefined) continue
      for (const input of withoutRun(shrinker, [item])) if (await shrinker.accepts({ ...choices, input })) return true
    }
  }
  return false
}

/** The steps of a request and of all messages that it caused. */
function consequences(log: readonly LogEntry[], request: number): number[] {
  const messages = new Set<number>()
  const steps = new Set<number>()
  let node: string | undefined
  for (const entry of log) {
    const { kind, id, step } = entry
    if (kind === 'request' || kind === 'deliver' || kind === 'timeout' || kind === 'lost') {
      const follows = kind === 'request' ? id === request : kind !== 'timeout' && messages.has(id)
      if (follows) steps.add(step)
      // A node sends in reaction to what it handled last; a lost message is not handled.
      node = follows && kind !== 'lost' ? entry.node : undefined
    } else if (kind === 'send' && entry.node === node) messages.add(id)
  }
  return [...steps]
}
