/**
 * The codec of choice sequences: failure files, corpus entries, the journal and the flight recorder store this form.
 *
 * A choice is `[label, min, max, value, alias?]`; a bigint is a string of digits that ends in `n`. What is read comes
 * from outside, so decoding checks all of it and names the place that is wrong.
 */
import type { Choice } from './choice.ts'
import { LANES, type Lane } from './lane.ts'
import type { Choices } from './replay.ts'
import { MAX_CHOICES, UNBOUNDED } from './tape.ts'

export const CHOICES_VERSION = 1

type EncodedNumber = number | string

/** A choice as plain JSON. */
export type EncodedChoice = readonly [
  label: string,
  min: EncodedNumber,
  max: EncodedNumber,
  value: EncodedNumber,
  alias?: string,
]

/** A choice sequence as plain JSON. */
export interface EncodedChoices extends Readonly<Record<Lane, readonly EncodedChoice[]>> {
  readonly version: number
  readonly length: number
}

export class ChoicesFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChoicesFormatError'
  }
}

export function encodeChoices({ length, input, schedule, fault }: Choices): EncodedChoices {
  const encode = (lane: readonly Choice[]) => lane.map(encodeChoice)
  return {
    version: CHOICES_VERSION,
    length,
    input: encode(input),
    schedule: encode(schedule),
    fault: encode(fault),
  }
}

export function encodeChoice({ label, min, max, value, alias }: Choice): EncodedChoice {
  const low = encodeNumber(min)
  const high = encodeNumber(max)
  const chosen = encodeNumber(value)
  return alias === undefined ? [label, low, high, chosen] : [label, low, high, chosen, alias]
}

function encodeNumber(value: number | bigint): EncodedNumber {
  return typeof value === 'bigint' ? `${value}n` : value
}

/**
 * The choices that `encodeChoices` encoded.
 *
 * @throws ChoicesFormatError for anything else; its message names the place
 */
export function decodeChoices(encoded: unknown): Choices {
  if (typeof encoded !== 'object' || encoded === null) throw new ChoicesFormatError('the tape is not an object')
  const { version, length, ...lanes } = encoded as Record<string, unknown>
  if (version !== CHOICES_VERSION) {
    throw new ChoicesFormatError(
      `the tape has version ${JSON.stringify(version)}; this norn reads version ${CHOICES_VERSION}`,
    )
  }
  if (typeof length !== 'number' || !(length >= 0 && length <= UNBOUNDED && Number.isInteger(length))) {
    throw new ChoicesFormatError('the length of the tape is not an unsigned 32-bit integer')
  }
  const [input, schedule, fault] = LANES.map((lane) => decodeLane(lane, lanes[lane]))
  return { input: input!, schedule: schedule!, fault: fault!, length }
}

function decodeLane(lane: Lane, encoded: unknown): Choice[] {
  if (!Array.isArray(encoded)) throw new ChoicesFormatError(`lane "${lane}" of the tape is not an array`)
  if (encoded.length > MAX_CHOICES) {
    throw new ChoicesFormatError(
      `lane "${lane}" of the tape has ${encoded.length} choices; the maximum is ${MAX_CHOICES}`,
    )
  }
  return encoded.map((choice: unknown, index) => decodeChoice(choice, `choice ${index} of lane "${lane}"`))
}

/**
 * The choice that `encodeChoice` encoded.
 *
 * @param where names the choice in an error
 * @throws ChoicesFormatError for anything else
 */
export function decodeChoice(encoded: unknown, where: string): Choice {
  if (!Array.isArray(encoded) || encoded.length < 4 || encoded.length > 5 || typeof encoded[0] !== 'string') {
    throw new ChoicesFormatError(`${where} is not [label, min, max, value]`)
  }
  const [label, low, high, chosen, alias] = encoded as [string, unknown, unknown, unknown, unknown]
  const [min, max, value] = [decodeNumber(low, where), decodeNumber(high, where), decodeNumber(chosen, where)]
  if (typeof min !== typeof max || typeof min !== typeof value || !(min <= value && value <= max)) {
    throw new ChoicesFormatError(`${where} has a value outside its range`)
  }
  if (alias === undefined) return { label, min, max, value }
  if (typeof alias !== 'string') throw new ChoicesFormatError(`${where} has an alias that is not a string`)
  return { label, min, max, value, alias }
}

function decodeNumber(encoded: unknown, where: string): number | bigint {
  if (typeof encoded === 'number' && Number.isSafeInteger(encoded)) return encoded
  if (typeof encoded === 'string' && /^-?\d{1,4000}n$/.test(encoded)) return BigInt(encoded.slice(0, -1))
  throw new ChoicesFormatError(`${where} holds ${JSON.stringify(encoded)?.slice(0, 40)}, which is not an integer`)
}

/** `JSON.stringify(encodeChoices(choices))`, in a third of the time: the flight recorder writes it each execution. */
export function choicesText({ length, input, schedule, fault }: Choices): string {
  const lanes = `"input":${laneText(input)},"schedule":${laneText(schedule)},"fault":${laneText(fault)}`
  return `{"version":${CHOICES_VERSION},"length":${length},${lanes}}`
}

function laneText(choices: readonly Choice[]): string {
  let text = ''
  for (let at = 0; at < choices.length; at++) text += `${at === 0 ? '' : ','}${choiceText(choices[at]!)}`
  return `[${text}]`
}

function choiceText({ label, min, max, value, alias }: Choice): string {
  const numbers = typeof min === 'bigint' ? `"${min}n","${max}n","${value}n"` : `${min},${max},${value}`
  return `[${quoted(label)},${numbers}${alias === undefined ? '' : `,${quoted(alias)}`}]`
}

const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}
