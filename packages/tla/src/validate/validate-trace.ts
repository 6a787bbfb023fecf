/** A whole validation, from entries to the verdict and its report. */

import { plural } from '#shared/text'
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { DataError } from '../follow/from-data.ts'
import { cut } from '../follow/refusal-text.ts'
import { type TraceEntry, TraceFileError } from '../follow/trace-file.ts'
import { changes } from './changes.ts'
import { depthFirst } from './depth-first.ts'
import { type Reason, reasons } from './divergence.ts'
import type { LogMap } from './log-map.ts'
import { readEvents } from './map-events.ts'
import { NotInTrace } from './reach.ts'
import { repairText } from './repair.ts'
import { behaviourText, brokenText, divergenceText, openText } from './report.ts'
import { Stepper } from './stepper.ts'
import { Validator } from './validate.ts'

export interface TraceOptions {
  /** How messages name the specification, the trace and the map. */
  readonly specification: string
  readonly path: string
  readonly mapPath: string
  readonly map: LogMap
  /** Bound on the states open at once; depth-first tries up to a hundred times as many. */
  readonly width: number
  readonly depthFirst: boolean
}

export type Verdict = 'behaviour' | 'divergence' | 'broken invariant' | 'undecided'

export interface TraceResult {
  readonly verdict: Verdict
  /** The line that validation ended at; undefined for a behaviour. */
  readonly line: number | undefined
  /** For a person. */
  readonly text: readonly string[]
  /** For a program. */
  readonly json: Readonly<Record<string, unknown>>
}

const NOTHING_VALIDATED = 'the mapper returned no event for any line: nothing was validated'

/**
 * Validates a trace.
 *
 * @throws TraceFileError for an invalid trace or map; TlaError of the initial states
 */
export function validateTrace(machine: Machine, entries: readonly TraceEntry[], options: TraceOptions): TraceResult {
  const at: { line: number | undefined } = { line: undefined }
  try {
    return validate(machine, entries, options, at)
  } catch (error) {
    // The error is the entry's, or the specification's at that entry: report its line in both cases.
    if (
      at.line === undefined ||
      !(error instanceof TlaError || error instanceof DataError || error instanceof NotInTrace)
    ) {
      throw error
    }
    const text = error instanceof TlaError ? error.describe() : error.message
    throw new TraceFileError(options.path, at.line, text)
  }
}

/** @param at updated with the current line */
function validate(
  machine: Machine,
  entries: readonly TraceEntry[],
  options: TraceOptions,
  at: { line: number | undefined },
): TraceResult {
  const { path, mapPath, map, width } = options
  const { events, skipped } = readEvents(machine, path, entries, map, mapPath)
  const counts = { entries: entries.length, events: events.length, skipped }
  if (events.length === 0)
    return undecided(undefined, [`${path}: ${NOTHING_VALIDATED}`], { ...counts, why: NOTHING_VALIDATED })
  const validator = new Validator(new Stepper(machine, map), {
    width,
    silent: map.silent,
    initial: map.initial,
    onEvent: (event) => {
      at.line = events[event]?.entry.line
    },
  })
  const validation = options.depthFirst ? depthFirst(validator, events, width) : validator.run(events)
  const { outcome, steps, widest } = validation
  const told = { machine, specification: options.specification, path, events }
  const json = { ...counts, steps, widest }
  if (outcome.verdict === 'behaviour') {
    const text = behaviourText(told, validation)
    const note =
      validation.broken === 0
        ? []
        : [
            `  ${plural(validation.broken, 'matching state was', 'matching states were')} dropped: an invariant is violated`,
          ]
    return {
      verdict: 'behaviour',
      line: undefined,
      text: [...text, ...note],
      json: { ...json, result: 'behaviour', states: outcome.frontier.length, brokenStates: validation.broken },
    }
  }
  const { line } = events[outcome.event]!.entry
  if (outcome.verdict === 'undecided') {
    const { why, open } = outcome
    const text = [`${path}:${line}: undecided: ${why}`, ...(open === undefined ? [] : openText(told, open))]
    return undecided(line, text, { ...json, line, why })
  }
  if (outcome.verdict === 'broken invariant') {
    const { broken, states } = outcome
    return {
      verdict: 'broken invariant',
      line,
      text: brokenText(told, outcome.event, broken, states),
      json: { ...json, result: 'invariant', line, invariant: broken.invariant.name, states },
    }
  }
  const why = reasons(validator, outcome.before, events[outcome.event]!, outcome.event)
  const { event: diverged, before } = outcome
  const repair = { stepper: validator.stepper, events, at: diverged, before, reasons: why, options: { ...map, width } }
  const hint = repairText(repair)
  const text = divergenceText({ ...told, rest: hint }, diverged, before, why)
  const entry = events[diverged]!.entry.data
  const divergence = { line, entry, states: before.length, ...(hint === undefined ? {} : { hint }) }
  const reasonsJson = why.map((reason) => reasonJson(machine, reason))
  if (validation.silentBound === undefined) {
    return {
      verdict: 'divergence',
      line,
      text,
      json: { ...json, result: 'divergence', ...divergence, reasons: reasonsJson },
    }
  }
  // The bound on silent steps limits the search, not the specification: undecided.
  const bound = `nothing fits with at most ${map.silent.atMost} silent steps between entries, and more were possible from line ${events[validation.silentBound]!.entry.line} on: raise \`silent.atMost\``
  return undecided(line, [`${path}:${line}: undecided: ${bound}`, ...text], {
    ...json,
    ...divergence,
    why: bound,
    reasons: reasonsJson,
  })
}

function undecided(
  line: number | undefined,
  text: readonly string[],
  json: Readonly<Record<string, unknown>>,
): TraceResult {
  return { verdict: 'undecided', line, text, json: { ...json, result: 'undecided' } }
}

const MAX_JSON_TEXT = 10_000

function reasonJson({ variables }: Machine, reason: Reason) {
  const { kind, call, differences, refusal, message, from, to, attempts } = reason
  return {
    kind,
    action: to?.by === undefined ? call?.replace(/\(.*$/s, '') : to.by.action,
    call,
    attempts,
    ...(differences.length === 0
      ? {}
      : { differences: differences.map(({ what, specification, log }) => ({ what, specification, log })) }),
    ...(refusal === undefined
      ? {}
      : {
          conjunct: refusal.conjunct,
          at: `${refusal.at.source.path}:${refusal.at.line}:${refusal.at.column}`,
          values: refusal.values,
        }),
    ...(message === undefined ? {} : { message }),
    ...(to === undefined
      ? {}
      : { changes: changes(variables, from.state, to.state).map((change) => cut(change, MAX_JSON_TEXT)) }),
  }
}
