/** The printed report of a validation, in at most 40 lines: where it ended, why, the last steps. */

import { plural } from '#shared/text'
import { place } from '../error/error.ts'
import type { Machine, Refusal } from '../evaluate/machine.ts'
import { cut, refusalText } from '../follow/refusal-text.ts'
import { changes } from './changes.ts'
import { callText, type Reason } from './divergence.ts'
import type { Event } from './event.ts'
import type { Reached } from './frontier.ts'
import { differenceText } from './observation.ts'
import type { Broken, Validation } from './validate.ts'

const MAX_ENTRY = 300
const MAX_TEXT = 160
/** Of one reason. */
const MAX_DIFFERENCES = 4
const MAX_CHANGES = 5
const MAX_STEP_CHANGES = 2
/** Of a whole report. */
const MAX_LINES = 39
/** Steps reported before the end. */
const MAX_STEPS = 3

export interface Told {
  readonly machine: Machine
  readonly specification: string
  readonly path: string
  readonly events: readonly Event[]
  /** The suggested repair (repair.ts). */
  readonly rest?: string
}

/** The report of a trace that is a behaviour. */
export function behaviourText(
  { events, path, specification }: Told,
  { outcome, widest }: Validation,
): readonly string[] {
  const open = outcome.verdict === 'behaviour' ? outcome.frontier.length : 0
  return [
    `${path} is a behaviour of ${specification}: ${plural(events.length, 'entry', 'entries')}`,
    `  ${plural(open, 'possible state')} at the end, at most ${widest} at once`,
  ]
}

/** The report of a divergence. */
export function divergenceText(
  told: Told,
  at: number,
  before: readonly Reached[],
  reasons: readonly Reason[],
): readonly string[] {
  const { path, events, specification } = told
  const { line } = events[at]!.entry
  const [first, ...others] = reasons
  const nearest = first?.to
  const changed = nearest === undefined ? [] : changesText(told, nearest, MAX_CHANGES)
  const from = before.length === 1 ? 'the only possible state' : `any of the ${before.length} possible states`
  const header = [
    `${path}:${line}: ${specification} does not allow this entry`,
    `  ${entryText(events[at]!)}`,
    `  no step from ${from} before it matches`,
  ]
  // In reading order; the numbers rank them by importance.
  return fitting([
    [0, header],
    [1, first === undefined ? [] : ['', ...reasonText(first)]],
    ...others.map((reason, place) => [place === 0 ? 4 : 6 + place, ['', ...reasonText(reason)]] as const),
    [3, changed.length === 0 ? [] : ['', `Changes by ${callText(nearest!.by!)} in the specification:`, ...changed]],
    [5, stepsText(told, first?.from ?? before[0])],
    [2, told.rest === undefined ? [] : ['', told.rest]],
  ])
}

/** What the trace leaves open, shown by two of the states that match it. */
export function openText(told: Told, [one, other]: readonly [Reached, Reached]): readonly string[] {
  const all = changes(told.machine.variables, one.state, other.state)
  const shown = all.slice(0, MAX_CHANGES).map((change) => `  ${cut(change, MAX_TEXT)}`)
  if (all.length > MAX_CHANGES) shown.push(`  and ${all.length - MAX_CHANGES} more`)
  const led = divergingSteps(one, other).map((step) => {
    if (step === undefined) return 'taking no step'
    const line = told.events[step.event]?.entry.line
    const call = step.by === undefined ? 'another initial state' : cut(callText(step.by), MAX_TEXT)
    return line === undefined ? call : `${call} (line ${line})`
  })
  const isSame = led[0] === led[1]
  const how = isSame ? [`${led[0]} leads to both`] : [`${led[0]} leads to the first`, `${led[1]} leads to the second`]
  return ['', 'Two of these states differ:', ...shown, 'They diverge here:', ...how.map((text) => `  ${text}`)]
}

/** The first steps in which two behaviours differ; undefined for one that is a prefix. */
function divergingSteps(one: Reached, other: Reached): readonly [Reached | undefined, Reached | undefined] {
  /** The ancestors of `one`, each with its successor. */
  const after = new Map<Reached, Reached | undefined>()
  let next: Reached | undefined
  for (let at: Reached | undefined = one; at !== undefined; at = at.from) {
    after.set(at, next)
    next = at
  }
  const first = next
  let last: Reached | undefined
  for (let at: Reached | undefined = other; at !== undefined; at = at.from) {
    if (after.has(at)) return [after.get(at), last]
    last = at
  }
  return [first, last]
}

type Section = readonly [rank: number, lines: readonly string[]]

/** As many sections as there is room for, lowest ranks first. */
function fitting(sections: readonly Section[]): readonly string[] {
  const kept = new Set<Section>()
  let room = MAX_LINES
  for (const section of [...sections].sort(([left], [right]) => left - right)) {
    if (section[1].length > room) continue
    kept.add(section)
    room -= section[1].length
  }
  return sections.filter((section) => kept.has(section)).flatMap(([, lines]) => lines)
}

/** The report of a violated invariant. */
export function brokenText(told: Told, at: number, broken: Broken, states: number): readonly string[] {
  const { path, events } = told
  const { invariant } = broken
  const refusal = invariant.explain()
  const inAll = states === 1 ? '' : `, in all ${states} possible states`
  return [
    `${path}:${events[at]!.entry.line}: the invariant ${invariant.name} is false after this entry${inAll}`,
    `  ${entryText(events[at]!)}`,
    `  ${refusal === undefined ? place(invariant.at) : refusalText(refusal)}`,
    ...stepsText(told, broken.at, 'last'),
  ]
}

function reasonText({ call, kind, differences, refusal, message, compared, attempts }: Reason): readonly string[] {
  const often = attempts === 1 ? '' : ` (and ${attempts - 1} similar)`
  const differ = differences
    .slice(0, MAX_DIFFERENCES)
    .map((difference) => `  ${differenceText(difference, (text) => cut(text, MAX_TEXT))}`)
  if (differences.length > MAX_DIFFERENCES) differ.push(`  and ${differences.length - MAX_DIFFERENCES} more`)
  const by = refusal && `  required by ${cut(assignmentText(refusal), MAX_TEXT)} (${place(refusal.at)})`
  const values = compared.map(([text, value]) => `${cut(text, MAX_TEXT)} is ${cut(value, MAX_TEXT)}`)
  const where = values.length === 0 ? '' : `, where ${values.join(', ')}`
  const unmet = message === undefined ? [] : [`  ${cut(message, 2 * MAX_TEXT)} is false${where}`]
  switch (kind) {
    case 'elsewhere':
      if (call === undefined) return [`The state after it differs from the log${often}:`, ...differ]
      return [`${call} leads to another state${often}:`, ...differ, ...unmet, ...(by === undefined ? [] : [by])]
    case 'before':
      return [`The state before it differs from the log${often}:`, ...differ]
    case 'disabled':
      return [`${call} is disabled${often}:`, `  ${refusalText(refusal!)}`]
    case 'parameters':
      return [
        `${nameOf(call!)} is never taken with these parameters${often}; the nearest call:`,
        `  ${cut(call!, MAX_TEXT)}`,
        ...differ,
        ...unmet,
      ]
    default:
      return [`${call} cannot be taken${often}:`, `  ${cut(message!, 2 * MAX_TEXT)}`]
  }
}

function nameOf(call: string): string {
  return call.replace(/\(.*$/s, '')
}

/** The conjunct of an UNCHANGED is the variable alone. */
function assignmentText({ conjunct }: Refusal): string {
  return /^[\w!]+$/.test(conjunct) ? `UNCHANGED ${conjunct}` : conjunct
}

/** The last steps before a state, and their changes. */
function stepsText(told: Told, last: Reached | undefined, which: 'last' | 'before' = 'before'): readonly string[] {
  const steps: Reached[] = []
  for (let at = last; at?.by !== undefined && steps.length < MAX_STEPS; at = at.from) steps.unshift(at)
  if (steps.length === 0) return []
  const [one, several] =
    which === 'last' ? ['The last step:', 'The last steps:'] : ['The step before:', 'The steps before:']
  const lines = ['', steps.length === 1 ? one : several]
  for (const step of steps) {
    const line = told.events[step.event]?.entry.line
    lines.push(`  ${line === undefined ? '' : `line ${line}: `}${cut(callText(step.by!), MAX_TEXT)}`)
    lines.push(...changesText(told, step, MAX_STEP_CHANGES).map((change) => `  ${change}`))
  }
  return lines
}

function changesText({ machine }: Told, { state, from }: Reached, most: number): readonly string[] {
  if (from === undefined) return []
  const all = changes(machine.variables, from.state, state)
  const shown = all.slice(0, most).map((change) => `  ${cut(change, MAX_TEXT)}`)
  return all.length > most ? [...shown, `  and ${all.length - most} more`] : shown
}

function entryText({ entry }: Event): string {
  return cut(JSON.stringify(entry.data), MAX_ENTRY)
}
