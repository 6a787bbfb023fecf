/**
 * The metadata of a corpus entry: what its execution showed. Another process that searches the same
 * property with the same code can mutate the entry without running it first (after LibAFL, whose
 * brokers pass on the observations of new test cases).
 *
 * Features and sites of comparisons are numbered in the order in which files are loaded. Metadata
 * names that order, and a process with another order runs the execution instead. Metadata only
 * guides: wrong metadata slows a search down, and never decides a verdict.
 */
import { parse, stringify } from 'devalue'
import type { Lane } from '../contract/choice.ts'
import type { Choices, Product, Span } from '../contract/choices.ts'
import type { Moment, Numbering } from '../contract/observation.ts'
import type { OperandPair, Place } from './mutation.ts'

export interface EntryMetadata {
  /** The process that ran the execution. */
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

/** Beyond this size, running the execution costs less than sending its metadata. */
const MAX_TEXT = 256 * 1024

export function numberingOf({ counters, sites }: Numbering): Pick<EntryMetadata, 'counted' | 'sited'> {
  return { counted: [counters.length, counters.at(-1) ?? ''], sited: [sites.length, sites.at(-1) ?? ''] }
}

/** Whether the numbers in metadata mean the same in this process. */
export function isNumberedAlike({ counted, sited }: EntryMetadata, { counters, sites }: Numbering): boolean {
  const isAlike = ([files, digest]: readonly [number, string], own: readonly string[]) =>
    files === 0 || own[files - 1] === digest
  return isAlike(counted, counters) && isAlike(sited, sites)
}

/** @returns undefined beyond the maximum size */
export function metadataText(metadata: EntryMetadata): string | undefined {
  const text = stringify(metadata)
  return text.length > MAX_TEXT ? undefined : text
}

/** @returns undefined if the text is not metadata of an execution with these choices */
export function parseMetadata(text: string, choices: Choices): EntryMetadata | undefined {
  if (text.length > MAX_TEXT) return undefined
  try {
    const read: unknown = parse(text)
    return isMetadata(read) && fits(read, choices) ? read : undefined
  } catch {
    return undefined
  }
}

type Fields = Record<string, unknown>

function isMetadata(value: unknown): value is EntryMetadata {
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

/** Whether all positions are within the choices. */
function fits({ place, spans, products }: EntryMetadata, choices: Choices): boolean {
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
