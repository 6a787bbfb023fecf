/**
 * Fixed requests that an execution leaves out. Generated requests are shrunk as any input; where the
 * requests of a cluster are an array, the shrinker leaves some of them out by choices of their own,
 * which no search draws.
 */
import type { Choice } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'

/** The indices of the requests that are left out. */
export function omittedRequests(count: number, omits: (label: string) => boolean): number[] {
  return Array.from({ length: count }, (_, at) => at).filter((at) => omits(labelOf(at)))
}

/** The same choices with one more request left out. */
export function withOmission<Some extends Pick<Choices, 'schedule'>>(choices: Some, request: number): Some {
  const omission: Choice = { kind: 'omission', label: labelOf(request), min: 0, max: 1, value: 1 }
  return { ...choices, schedule: [omission, ...choices.schedule] }
}

export function isOmission({ kind }: Choice): boolean {
  return kind === 'omission'
}

function labelOf(request: number): string {
  return `request ${request} left out`
}
