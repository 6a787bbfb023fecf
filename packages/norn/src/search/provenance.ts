/** Where the choices of an execution came from, for the report of a failure. */

import type { Provenance } from '../contract/events.ts'
import type { Plan } from '../contract/plan.ts'
import { strategyOf } from '../schedule/portfolio.ts'

export function provenance({ input, choices }: Plan): Provenance {
  if (choices.from === 'record') return { strategy: 'natural', name: undefined }
  if (choices.from === 'bytes') return { strategy: 'bytes', name: undefined }
  if (choices.from === 'mutation') return { strategy: 'guided', name: undefined }
  const strategy = strategyOf(choices)
  return { strategy: strategy.name, name: strategy.fromSeedAlone && input.from === 'tape' ? choices.name : undefined }
}
