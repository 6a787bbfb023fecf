/** The fields of a result in JSON lines. Only times (`timeMs`) vary between runs of one seed. */

import { isSimplest } from '../contract/choice.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import { type InconclusiveReport, whatOf } from '../contract/inconclusive.ts'

export function resultFields(result: ExecutionResult): Record<string, unknown> {
  const { verdict, failure, inputText, traceHash, choices, points, cluster, faults = [] } = result
  const departures = (choices?.schedule ?? []).filter((choice) => !isSimplest(choice))
  return {
    verdict,
    kind: failure?.kind ?? null,
    error: failure === undefined ? null : failure.errorName,
    message: failure?.message ?? null,
    frames: failure?.frames ?? [],
    input: inputText ?? null,
    schedule:
      cluster?.steps.map(([step, text]) => ({ step, text })) ??
      departures.map(({ kind, label, value }) =>
        kind === 'pick' ? { label, pick: Number(value) } : { label, latencyUs: Number(value) },
      ),
    faults,
    points,
    traceHash: traceHash ?? null,
  }
}

/** The fields of an inconclusive execution. */
export function inconclusiveFields({ reason, frames }: InconclusiveReport): Record<string, unknown> {
  const divergence = reason.kind === 'nondeterminism' ? reason.divergence : undefined
  return { what: whatOf(reason), reason: reason.kind, frames, divergence }
}
