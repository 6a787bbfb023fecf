/**
 * Where the choices of an execution came from: told with a failure, so that a person can have it
 * again.
 */

import type { ExecutionName, Plan } from '../contract/plan.ts'
import { strategyChooser } from '../schedule/portfolio.ts'
import { scheduleOrdinal } from '../tape/name.ts'

export interface Provenance {
  /** The strategy that was proposing latencies. */
  readonly strategy: string
  /** The number that names the execution, if it was made by chance alone. */
  readonly name: ExecutionName | undefined
}

export function provenance({ input, choices }: Plan): Provenance {
  if (choices.from === 'record') return { strategy: 'natural', name: undefined }
  if (choices.from === 'bytes') return { strategy: 'bytes', name: undefined }
  if (choices.from === 'mutation') return { strategy: 'guided', name: undefined }
  const strategy = strategyChooser(choices.strategy)(scheduleOrdinal(choices.name.seed))
  return { strategy: strategy.name, name: strategy.byChance && input.from === 'tape' ? choices.name : undefined }
}
