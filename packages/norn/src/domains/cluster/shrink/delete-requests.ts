/**
 * Passes: delete a client's request together with the step that made it and the steps it caused.
 *
 * Neither can go alone: without the step, the request comes later or at another node; without the
 * request, the step makes the next one, and all later steps mean other messages. The log tells which
 * step made a request and what it caused.
 *
 * Generated requests are assumed to be the items of an array of the input; otherwise an attempt is
 * wasted. Requests that the cluster lists are left out by a choice each.
 */

import { withOmission } from '../../../cluster/omissions.ts'
import type { Choices } from '../../../contract/choices.ts'
import type { LogEntry } from '../../../contract/cluster-record.ts'
import { withoutRun } from '../../../shrink/delete.ts'
import type { Shrinker } from '../../../shrink/shrinker.ts'
import { siblings } from '../../../shrink/span-tree.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'

/** The number of requests that are tried, last first. */
const MAX_REQUESTS = 50

/** Deletes generated requests. */
export async function deleteRequests(shrinker: Shrinker): Promise<void> {
  if (shrinker.best.cluster?.leftOut !== undefined) return
  await deleteEach(shrinker, function* (id, choices) {
    for (const { members } of siblings(shrinker.spans)) {
      const item = members[id]
      if (item === undefined) continue
      for (const input of withoutRun(shrinker, [item])) yield { ...choices, input }
    }
  })
}

/** Leaves out fixed requests. */
export async function omitRequests(shrinker: Shrinker): Promise<void> {
  if (shrinker.best.cluster?.leftOut === undefined) return
  await deleteEach(shrinker, function* (id, choices) {
    yield withOmission(choices, fixedIndex(shrinker.best.cluster!.leftOut!, id))
  })
}

/** Candidates without the request of an id, with these choices otherwise. */
type Without = (id: number, choices: Choices) => Iterable<Choices>

async function deleteEach(shrinker: Shrinker, without: Without): Promise<void> {
  const count = Math.min(MAX_REQUESTS, requestsOf(shrinker).length)
  for (let tried = 0, kept = 0; tried < count && !shrinker.exhausted; tried++) {
    const request = requestsOf(shrinker).at(-1 - kept)
    if (request === undefined) return
    if (!(await deleteRequest(shrinker, request, without))) kept++
  }
}

interface MadeRequest {
  readonly id: number
  readonly step: number
}

function requestsOf(shrinker: Shrinker): readonly MadeRequest[] {
  return shrinker.best.cluster?.log.filter(({ kind }) => kind === 'request') ?? []
}

/** The index in the cluster's list of a request, which counts those that are made. */
function fixedIndex(leftOut: readonly number[], id: number): number {
  return leftOut.reduce((index, out) => (out <= index ? index + 1 : index), id)
}

async function deleteRequest(shrinker: Shrinker, { id, step }: MadeRequest, without: Without): Promise<boolean> {
  const steps = stepsOf(shrinker.choices)
  const caused = consequences(shrinker.best.cluster!.log, id)
  // Deleting more is simpler, but a step that the request caused may matter for other requests. A
  // default step does something else instead.
  for (const dropped of [caused, caused.filter((each) => steps[each] === 0 || each === step), [step], []]) {
    const choices = withSteps(
      shrinker.choices,
      steps.filter((_, ordinal) => !dropped.includes(ordinal)),
    )
    for (const candidate of without(id, choices)) if (await shrinker.accepts(candidate)) return true
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
