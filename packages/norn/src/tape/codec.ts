/**
 * The codec of choice sequences for failure files, corpus entries, the journal and the flight
 * recorder.
 *
 * A choice is `[label, min, max, value, alias?, kind?]`; a bigint is a string of digits with the
 * suffix `n`; the default kind of the lane is omitted. Version 1 has no kinds: this codec alone
 * derives them from labels. Decoding validates everything and reports the position of an error.
 */
import { type Choice, type ChoiceKind, DEFAULT_KIND, LANES, type Lane } from '../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import { subjectOf } from '../contract/subject.ts'
import { MAX_CHOICES } from './tape.ts'

export const CHOICES_VERSION = 2
const VERSION_WITHOUT_KINDS = 1

type EncodedNumber = number | string

/** A choice as plain JSON. */
export type EncodedChoice = readonly [
  label: string,
  min: EncodedNumber,
  max: EncodedNumber,
  value: EncodedNumber,
  alias?: string | null,
  kind?: ChoiceKind,
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
  const encode = (lane: Lane, choices: readonly Choice[]) => choices.map((choice) => encodeChoice(lane, choice))
  return {
    version: CHOICES_VERSION,
    length,
    input: encode('input', input),
    schedule: encode('schedule', schedule),
    fault: encode('fault', fault),
  }
}

/** A key of a choice sequence: its form in version 1, so that corpora of all versions agree. */
export function choicesKey(choices: Choices): string {
  const { length, ...lanes } = encodeChoices(choices)
  const withoutKinds = (lane: readonly EncodedChoice[]) =>
    lane.map(([label, min, max, value, alias]) =>
      typeof alias === 'string' ? [label, min, max, value, alias] : [label, min, max, value],
    )
  return JSON.stringify({
    version: VERSION_WITHOUT_KINDS,
    length,
    input: withoutKinds(lanes.input),
    schedule: withoutKinds(lanes.schedule),
    fault: withoutKinds(lanes.fault),
  })
}

export function encodeChoice(lane: Lane, { kind, label, min, max, value, alias }: Choice): EncodedChoice {
  const low = encodeNumber(min)
  const high = encodeNumber(max)
  const chosen = encodeNumber(value)
  if (kind !== DEFAULT_KIND[lane]) return [label, low, high, chosen, alias ?? null, kind]
  return alias === undefined ? [label, low, high, chosen] : [label, low, high, chosen, alias]
}

function encodeNumber(value: number | bigint): EncodedNumber {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** @throws ChoicesFormatError for anything that `encodeChoices` cannot produce */
export function decodeChoices(encoded: unknown): Choices {
  if (typeof encoded !== 'object' || encoded === null) throw new ChoicesFormatError('the tape is not an object')
  const { version, length, ...lanes } = encoded as Record<string, unknown>
  if (version !== CHOICES_VERSION && version !== VERSION_WITHOUT_KINDS) {
    throw new ChoicesFormatError(
      `the tape has version ${JSON.stringify(version)}; this norn reads versions ${VERSION_WITHOUT_KINDS} and ${CHOICES_VERSION}`,
    )
  }
  const hasKinds = version === CHOICES_VERSION
  if (typeof length !== 'number' || !(length >= 0 && length <= UNBOUNDED && Number.isInteger(length))) {
    throw new ChoicesFormatError('the length of the tape is not an unsigned 32-bit integer')
  }
  const [input, schedule, fault] = LANES.map((lane) => decodeLane(lane, lanes[lane], hasKinds))
  return { input: input!, schedule: schedule!, fault: fault!, length }
}

function decodeLane(lane: Lane, encoded: unknown, hasKinds: boolean): Choice[] {
  if (!Array.isArray(encoded)) throw new ChoicesFormatError(`lane "${lane}" of the tape is not an array`)
  if (encoded.length > MAX_CHOICES) {
    throw new ChoicesFormatError(
      `lane "${lane}" of the tape has ${encoded.length} choices; the maximum is ${MAX_CHOICES}`,
    )
  }
  return encoded.map((choice: unknown, index) =>
    decodeChoice(lane, choice, `choice ${index} of lane "${lane}"`, hasKinds),
  )
}

/**
 * @param where names the choice in an error
 * @throws ChoicesFormatError for anything that `encodeChoice` cannot produce
 */
export function decodeChoice(lane: Lane, encoded: unknown, where: string, hasKinds = true): Choice {
  if (!Array.isArray(encoded) || encoded.length < 4 || encoded.length > 6 || typeof encoded[0] !== 'string') {
    throw new ChoicesFormatError(`${where} is not [label, min, max, value]`)
  }
  const [label, low, high, chosen, alias = null, stored] = encoded as [string, ...unknown[]]
  const [min, max, value] = [decodeNumber(low, where), decodeNumber(high, where), decodeNumber(chosen, where)]
  if (typeof min !== typeof max || typeof min !== typeof value || !(min <= value && value <= max)) {
    throw new ChoicesFormatError(`${where} has a value outside its range`)
  }
  const kind = hasKinds ? KINDS[lane].find((each) => each === (stored ?? DEFAULT_KIND[lane])) : kindOf(lane, label)
  if (kind === undefined) throw new ChoicesFormatError(`${where} has an unknown kind: ${JSON.stringify(stored)}`)
  if (alias !== null && typeof alias !== 'string')
    throw new ChoicesFormatError(`${where} has an alias that is not a string`)
  const subject = kind === 'latency' || kind === 'fault' ? subjectOf(kind, label) : undefined
  const choice = { kind, label, min, max, value }
  return { ...choice, ...(alias === null ? {} : { alias }), ...(subject === undefined ? {} : { subject }) }
}

const KINDS: Readonly<Record<Lane, readonly ChoiceKind[]>> = {
  input: ['value'],
  schedule: ['latency', 'pick', 'step', 'seed', 'clock', 'phase', 'correction', 'omission'],
  fault: ['fault'],
}

/** The kind of a choice of version 1. */
function kindOf(lane: Lane, label: string): ChoiceKind {
  if (lane !== 'schedule') return DEFAULT_KIND[lane]
  if (/^(?:0|[1-9]\d*)$/.test(label)) return 'step'
  if (label.startsWith('pick ')) return 'pick'
  return label === 'chance seed' ? 'seed' : 'latency'
}

function decodeNumber(encoded: unknown, where: string): number | bigint {
  if (typeof encoded === 'number' && Number.isSafeInteger(encoded)) return encoded
  if (typeof encoded === 'string' && /^-?\d{1,4000}n$/.test(encoded)) return BigInt(encoded.slice(0, -1))
  throw new ChoicesFormatError(`${where} holds ${JSON.stringify(encoded)?.slice(0, 40)}, which is not an integer`)
}

/**
 * `JSON.stringify(encodeChoices(choices))` in a third of the time, for the flight recorder, which
 * writes it in each execution.
 */
export function choicesText({ length, input, schedule, fault }: Choices): string {
  const lanes = `"input":${laneText('input', input)},"schedule":${laneText('schedule', schedule)},"fault":${laneText('fault', fault)}`
  return `{"version":${CHOICES_VERSION},"length":${length},${lanes}}`
}

function laneText(lane: Lane, choices: readonly Choice[]): string {
  let text = ''
  for (let at = 0; at < choices.length; at++) text += `${at === 0 ? '' : ','}${choiceText(lane, choices[at]!)}`
  return `[${text}]`
}

function choiceText(lane: Lane, { kind, label, min, max, value, alias }: Choice): string {
  const numbers = typeof min === 'bigint' ? `"${min}n","${max}n","${value}n"` : `${min},${max},${value}`
  if (kind !== DEFAULT_KIND[lane])
    return `[${quoted(label)},${numbers},${alias === undefined ? 'null' : quoted(alias)},"${kind}"]`
  return `[${quoted(label)},${numbers}${alias === undefined ? '' : `,${quoted(alias)}`}]`
}

const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}
