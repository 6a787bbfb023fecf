/** The fields of a result in JSON lines. Only times (`timeMs`) vary between runs of one seed. */

import { isSimplest } from '../contract/choice.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Explanation } from '../contract/explanation.ts'
import { type InconclusiveReport, whatOf } from '../contract/inconclusive.ts'
import { instantText } from '../contract/wall-clock.ts'
import { isNote, partingOf, stepsOf, type TraceStep } from '../world/trace/trace-difference.ts'
import { sentenceOf } from './sentence.ts'

export function resultFields(result: ExecutionResult): Record<string, unknown> {
  const { verdict, failure, inputText, traceHash, choices, points, cluster, faults = [] } = result
  const departures = (choices?.schedule ?? []).filter((choice) => !isSimplest(choice))
  return {
    verdict,
    kind: failure?.kind ?? null,
    error: failure === undefined ? null : failure.errorName,
    message: failure?.message ?? null,
    frames: failure?.frames ?? [],
    ...(failure?.startedAt === undefined ? {} : { startedAt: failure.startedAt }),
    ...(failure?.waits === undefined ? {} : { waits: failure.waits }),
    input: inputText ?? null,
    schedule:
      cluster?.steps.map(([step, text]) => ({ step, text })) ??
      departures.map(({ kind, label, value }) =>
        kind === 'clock'
          ? { label, start: instantText(value) }
          : kind === 'phase'
            ? { label, phaseUs: Number(value) }
            : kind === 'correction'
              ? { label, setBackMs: Number(value) }
              : kind === 'pick'
                ? { label, pick: Number(value) }
                : { label, latencyUs: Number(value) },
      ),
    ...(cluster?.leftOut?.length ? { leftOut: cluster.leftOut } : {}),
    faults,
    points,
    traceHash: traceHash ?? null,
  }
}

/** The steps of an execution, and where the nearest passing one differs. */
export function stepFields(explanation: Explanation): Record<string, unknown> {
  const { nearest } = explanation
  const trace = stepsWithPlaces(explanation)
  if (nearest === undefined) return { sentence: null, trace }
  const difference = partingOf(explanation, nearest)
  const { lane, choice, value } = nearest.change
  const change = { lane, label: choice.label, from: Number(choice.value), to: Number(value), input: nearest.inputText }
  const instead = difference?.instead && withPlace(difference.instead, nearest)
  return {
    sentence: sentenceOf(explanation) ?? null,
    trace,
    nearest: { change, parting: difference?.parting ?? null, instead: instead ?? null },
  }
}

function stepsWithPlaces(explained: Pick<Explanation, 'trace' | 'notes' | 'origins'>): Record<string, unknown>[] {
  return stepsOf(explained).map((step) => withPlace(step, explained))
}

function withPlace(step: TraceStep, { origins }: Pick<Explanation, 'origins'>): Record<string, unknown> {
  const frame = origins.get(isNote(step) ? step.place : step.label)
  return frame === undefined ? { ...step } : { ...step, file: frame.file, line: frame.line }
}

/** The fields of an inconclusive execution. */
export function inconclusiveFields({ reason, frames }: InconclusiveReport): Record<string, unknown> {
  const divergence = reason.kind === 'nondeterminism' ? reason.divergence : undefined
  return { what: whatOf(reason), reason: reason.kind, frames, divergence }
}
