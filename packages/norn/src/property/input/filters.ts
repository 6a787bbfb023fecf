/**
 * Counts what filters accept and reject, so that a message can quote a filter that rejects
 * everything.
 *
 * Invariant: the results of filters do not change. The counts are of this process.
 */
import type { FastCheck } from '../fast-check/copies.ts'

type Refinement = (value: unknown) => boolean

/** A filter that rejects as many values in a row counts as rejecting every value. */
export const MAX_REFUSALS = 20_000

export interface FilterCount {
  tried: number
  refused: number
}

const total: FilterCount = { tried: 0, refused: 0 }
let refusals = 0
let latest: Refinement | undefined

/** Instruments `filter` of the arbitraries of a copy; once in a process. */
export function countFilters(copy: FastCheck): void {
  // In fast-check 2, arbitraries that a project makes and built-in ones have different base classes.
  const { Arbitrary, NextArbitrary } = copy as FastCheck & { NextArbitrary?: FastCheck['Arbitrary'] }
  for (const base of [Arbitrary, NextArbitrary]) if (base !== undefined) countIn(base.prototype as never)
}

function countIn(prototype: { filter(refinement: Refinement): unknown }): void {
  const { filter } = prototype
  if ('counts' in filter) return
  const counting = function (this: unknown, refinement: Refinement): unknown {
    return filter.call(this as never, (value) => {
      const passes = refinement(value)
      total.tried++
      if (passes) refusals = 0
      else {
        total.refused++
        refusals = latest === refinement ? refusals + 1 : 1
        latest = refinement
      }
      return passes
    })
  }
  prototype.filter = Object.assign(counting, { counts: true })
}

/** The counts since the last call. */
export function takeFilterCount(): FilterCount {
  const taken = { ...total }
  total.tried = total.refused = 0
  return taken
}

/** Begins a generation: none of its values was rejected yet. */
export function forgetRefusals(): void {
  refusals = 0
  latest = undefined
}

const MAX_TEXT = 120

/** The filter that rejects every value at present; undefined if no filter is the cause. */
export function exhaustedFilter(): { readonly filter?: string; readonly rejected: number } | undefined {
  if (latest === undefined || refusals < 100) return undefined
  const text = ownText(Function.prototype.toString.call(latest))?.replaceAll(/\s+/g, ' ')
  if (text === undefined) return { rejected: refusals }
  return { filter: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text, rejected: refusals }
}

/**
 * The source of a function without norn's branch counters and comparison tracers; undefined if
 * other instrumentation remains.
 */
function ownText(source: string): string | undefined {
  let text = source.replaceAll(/_norn_\w+\[[^\]]*\]\+\+[,;]\s*/g, '')
  for (let traced = TRACED.exec(text); traced !== null; traced = TRACED.exec(text)) {
    const start = traced.index + traced[0].length
    const end = closing(text, start)
    if (end < 0) return undefined
    text = text.slice(0, traced.index) + text.slice(start, end) + text.slice(end + 1)
  }
  return text.includes('_norn_') ? undefined : text
}

const TRACED = /_norn_\w+\.noted\(\d+,\s*/

/**
 * The index of the bracket that closes the one before `start`; -1 if there is none, or several
 * arguments in it.
 */
function closing(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === ',' && depth === 0) return -1
    if (')]}'.includes(character) && depth-- === 0) return at
    if ('([{'.includes(character)) depth++
  }
  return -1
}

export function refusedInARow(): number {
  return refusals
}
