/**
 * The labels of schedule choices: the step that is decided about, what it does, and which moment of it.
 *
 * `0/0.1:2 unlink effect`: the second step of chain `0/0.1`, an unlink, takes effect.
 */
import type { SchedulePointKind } from '../schedule/strategy.ts'
import type { Step } from './causality.ts'

export function scheduleLabel(step: Step, kind: string, point: SchedulePointKind): string {
  return `${step.label} ${kind} ${point}`
}

/** Takes a label apart; undefined for choices of the lane that are no latencies (the seed of chance). */
export function parseScheduleLabel(
  label: string,
): { chain: string; step: string; kind: string; point: SchedulePointKind } | undefined {
  const match = /^((\S+):\d+) (.*) (effect|callback|timer|start|tear|stall)(?:#\d+)?$/.exec(label)
  if (match === null) return undefined
  const [, step, chain, kind, point] = match
  return { chain: chain!, step: step!, kind: kind!, point: point as SchedulePointKind }
}
