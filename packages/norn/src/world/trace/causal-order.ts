/** Which step of a trace follows from which: the label of a step is the path of its causes (loop/causality.ts). */
import type { TraceEvent } from '../../contract/trace.ts'

type Labelled = Pick<TraceEvent, 'label' | 'chain'>

/** Whether a step is, or follows from, another: `0/2.1:3` follows from `0:2`, as does `0:4`. */
export function follows(step: Labelled, cause: Labelled): boolean {
  if (step.chain === cause.chain) return indexOf(step) >= indexOf(cause)
  if (!step.chain.startsWith(`${cause.chain}/`)) return false
  return Number.parseInt(step.chain.slice(cause.chain.length + 1), 10) >= indexOf(cause)
}

function indexOf({ label, chain }: Labelled): number {
  return Number(label.slice(chain.length + 1))
}
