/**
 * The labels of choices: the step that is decided about, what it does, and of a latency which
 * moment of it.
 *
 * `0/0.1:2 unlink effect`: the second step of chain `0/0.1`, an unlink, takes effect.
 */
import type { SchedulePointKind } from '../schedule/strategy.ts'
import type { Step } from './causality.ts'

export function scheduleLabel(step: Step, kind: string, point: SchedulePointKind): string {
  return `${step.label} ${kind} ${point}`
}

/**
 * The label of a fault: the step, and the system call; an operation of several calls names both.
 * `0/0.1:2 write`, `0:0 copyfile open`.
 */
export function faultLabel(step: Step, what: string): string {
  return `${step.label} ${what}`
}

/** The system call that a fault choice is about, without its step. */
export function operationOfFault(label: string): string {
  return label.replace(/^\S+ /, '').replace(/#\d+$/, '')
}

/**
 * Takes a label apart; undefined for choices of the lane that are no latencies (the seed of
 * chance).
 */
export function parseScheduleLabel(
  label: string,
): { chain: string; step: string; kind: string; point: SchedulePointKind } | undefined {
  const match = /^((\S+):\d+) (.*) (effect|callback|timer|start|tear|stall)(?:#\d+)?$/.exec(label)
  if (match === null) return undefined
  const [, step, chain, kind, point] = match
  return { chain: chain!, step: step!, kind: kind!, point: point as SchedulePointKind }
}
