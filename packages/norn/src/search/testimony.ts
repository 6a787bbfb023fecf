/**
 * What an execution showed, told to other processes that search the same property with the same code: who
 * has it need not run the execution to mutate it.
 *
 * Numbers of features and of sites of comparisons come from the order in which files are loaded. So a
 * testimony names that order, and who has loaded others runs the execution instead. It only guides: a
 * wrong one makes a search slower, and no failure is believed on its word.
 */
import { parse, stringify } from 'devalue'
import type { Lane } from '../contract/choice.ts'
import type { Choices, Product, Span } from '../contract/choices.ts'
import type { Moment, Numbering } from '../contract/observation.ts'
import type { OperandPair, Place } from './mutation.ts'

export interface Testimony {
  /** Who tells; unique for a search. */
  readonly by: string
  /** The number of the execution in that search. */
  readonly at: number
  /** How many files gave counters and sites their numbers, with the digests of both lists. */
  readonly counted: readonly [files: number, digest: string]
  readonly sited: readonly [files: number, digest: string]
  readonly features: readonly number[]
  readonly happensBefore: number
  readonly work: number
  readonly place: Place | undefined
  readonly spans: readonly Span[]
  readonly products: readonly Product[]
  readonly operands: readonly OperandPair[]
  readonly moments: readonly Moment[]
  /** The objectives to which it was among the nearest, with the distances. */
  readonly distances: readonly (readonly [key: number | string, distance: number])[]
}

/** Longer ones are not told: it costs less to run the execution. */
const MAX_TEXT = 256 * 1024

export function numberingOf({ counters, sites }: Numbering): Pick<Testimony, 'counted' | 'sited'> {
  return { counted: [counters.length, counters.at(-1) ?? ''], sited: [sites.length, sites.at(-1) ?? ''] }
}

/** Whether numbers of a testimony mean here what they meant there. */
export function isNumberedAlike({ counted, sited }: Testimony, { counters, sites }: Numbering): boolean {
  const isAlike = ([files, digest]: readonly [number, string], own: readonly string[]) =>
    files === 0 || own[files - 1] === digest
  return isAlike(counted, counters) && isAlike(sited, sites)
}

/** @returns undefined if it is too long to tell */
export function testimonyText(testimony: Testimony): string | undefined {
  const text = stringify(testimony)
  return text.length > MAX_TEXT ? undefined : text
}

/** @returns undefined for a text that is not a testimony of an execution with these choices */
export function parseTestimony(text: string, choices: Choices): Testimony | undefined {
  if (text.length > MAX_TEXT) return undefined
  try {
    const read: unknown = parse(text)
    return isTestimony(read) && fits(read, choices) ? read : undefined
  } catch {
    return undefined
  }
}

type Fields = Record<string, unknown>

function isTestimony(value: unknown): value is Testimony {
  if (!isObject(value)) return false
  const { by, at, counted, sited, features, happensBefore, work, place, distances } = value
  const isFiles = (given: unknown) => Array.isArray(given) && isCount(given[0]) && typeof given[1] === 'string'
  return (
    typeof by === 'string' &&
    [at, happensBefore, work].every(isCount) &&
    [counted, sited].every(isFiles) &&
    every(features, isCount) &&
    (place === undefined || (isObject(place) && typeof place.lane === 'string' && isCount(place.index))) &&
    every(value.spans, (each) => isObject(each) && isCount(each.start) && isCount(each.end)) &&
    every(value.products, (each) => isObject(each) && isCount(each.start) && isCount(each.end)) &&
    every(value.operands, isObject) &&
    every(value.moments, (each) => isObject(each) && isCount(each.atUs) && isCount(each.dueUs)) &&
    every(distances, (each) => Array.isArray(each) && typeof each[1] === 'number' && !Number.isNaN(each[1]))
  )
}

/** Whether it speaks only of choices that there are. */
function fits({ place, spans, products }: Testimony, choices: Choices): boolean {
  const isIn = (part: { start: number; end: number }, lane: Lane) =>
    Number.isInteger(part.start) && part.start <= part.end && part.end <= (choices[lane]?.length ?? -1)
  return (
    (place === undefined || place.index < (choices[place.lane]?.length ?? 0)) &&
    spans.every((span) => isIn(span, span.lane)) &&
    products.every((product) => isIn(product, 'input'))
  )
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function every(value: unknown, is: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
