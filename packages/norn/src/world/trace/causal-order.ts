/** Which step of a trace follows from which: the label of a step is the path of its causes (loop/causality.ts). */
import type { TraceEvent } from '../../contract/trace.ts'

type Labelled = Pick<TraceEvent, 'label' | 'chain'>

/** Whether a step is, or follows from, another: `0/2.1:3` follows from `0:2`, as does `0:4`. */
export function follows(step: Labelled, cause: Labelled): boolean {
  if (step.chain === cause.chain) return indexOf(step) >= indexOf(cause)
  if (!step.chain.startsWith(`${cause.chain}/`)) return false
  return Number.parseInt(step.chain.slice(cause.chain.length + 1), 10) >= indexOf(cause)
}

/** The place of a step in its chain. */
export function indexOf({ label, chain }: Labelled): number {
  return Number(label.slice(chain.length + 1))
}

/** The step before one in its chain, or the one that began the chain; undefined of the first of all. */
export function causeOf(label: string, chain: string): Labelled | undefined {
  const index = indexOf({ label, chain })
  if (index > 1) return { label: `${chain}:${index - 1}`, chain }
  const [, above, begun] = /^(.*)\/(\d+)\.\d+$/.exec(chain) ?? []
  return above === undefined ? undefined : { label: `${above}:${begun}`, chain: above }
}
