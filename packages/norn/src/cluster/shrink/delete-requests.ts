/**
 * Pass: deletes a request of a cluster's clients together with the step that made it, and with
 * those that came of it.
 *
 * Alone neither goes: without the step the request comes later or at another node, without the
 * request the step makes the next one, and all steps after it mean other messages. Which step made
 * which request, and what came of it, the log says. The requests are taken for the items of some
 * array of the input; where they are not, a try is wasted.
 */
import type { LogEntry } from '../../contract/cluster-record.ts'
import { withoutRun } from '../../shrink/delete.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { siblings } from '../../shrink/span-tree.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'

/** Requests that are tried, the last first. */
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
  // The more goes, the simpler; but what came of a request may have done something for others.
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

/** The steps of a request and of all messages that it led to. */
function consequences(log: readonly LogEntry[], request: number): number[] {
  const messages = new Set<number>()
  const steps = new Set<number>()
  let node: string | undefined
  for (const entry of log) {
    const { kind, id, step } = entry
    if (kind === 'request' || kind === 'deliver' || kind === 'timeout' || kind === 'lost') {
      const follows = kind === 'request' ? id === request : kind !== 'timeout' && messages.has(id)
      if (follows) steps.add(step)
      // What a node sends comes of what it handled last; what is lost nobody handles.
      node = follows && kind !== 'lost' ? entry.node : undefined
    } else if (kind === 'send' && entry.node === node) messages.add(id)
  }
  return [...steps]
}
