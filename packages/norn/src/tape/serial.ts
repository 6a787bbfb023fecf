/**
 * The serial form of choices: JSON with a version, small and readable, parsed into types at the edge and refused there.
 *
 * A choice is `[label, min, max, value]`; bigints are written as strings ending in `n`.
 */
import type { Choice } from './choice.ts'
import { LANES, type Lane } from './lane.ts'
import type { Choices } from './replay.ts'
import { MAX_CHOICES, UNBOUNDED } from './tape.ts'

export const TAPE_VERSION = 1

type SerialNumber = number | string
type SerialChoice = readonly [label: string, min: SerialNumber, max: SerialNumber, value: SerialNumber, alias?: string]

export interface SerialTape {
  readonly version: number
  readonly length: number
  readonly input: readonly SerialChoice[]
  readonly schedule: readonly SerialChoice[]
  readonly fault: readonly SerialChoice[]
}

export class TapeFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TapeFormatError'
  }
}

export function serializeTape(choices: Choices): SerialTape {
  const lane = (name: Lane) =>
    choices[name].map((c): SerialChoice => {
      const [min, max, value] = [serializeNumber(c.min), serializeNumber(c.max), serializeNumber(c.value)]
      return c.alias === undefined ? [c.label, min, max, value] : [c.label, min, max, value, c.alias]
    })
  return {
    version: TAPE_VERSION,
    length: choices.length,
    input: lane('input'),
    schedule: lane('schedule'),
    fault: lane('fault'),
  }
}

/** Parses what `serializeTape` wrote; throws `TapeFormatError` naming the place that is wrong. */
export function parseTape(serial: unknown): Choices {
  if (typeof serial !== 'object' || serial === null) throw new TapeFormatError('the tape is not an object')
  const tape = serial as Record<string, unknown>
  if (tape.version !== TAPE_VERSION) {
    throw new TapeFormatError(
      `the tape has version ${JSON.stringify(tape.version)}; this norn reads version ${TAPE_VERSION}`,
    )
  }
  const length = tape.length
  if (typeof length !== 'number' || !(length >= 0 && length <= UNBOUNDED && Number.isInteger(length))) {
    throw new TapeFormatError('the length of the tape is not a whole number of 32 bits')
  }
  const [input, schedule, fault] = LANES.map((lane) => parseLane(lane, tape[lane]))
  return { input: input!, schedule: schedule!, fault: fault!, length }
}

function parseLane(lane: Lane, serial: unknown): Choice[] {
  if (!Array.isArray(serial)) throw new TapeFormatError(`lane "${lane}" of the tape is not an array`)
  if (serial.length > MAX_CHOICES) throw new TapeFormatError(`lane "${lane}" of the tape has ${serial.length} choices`)
  return serial.map((item: unknown, index) => {
    const where = `choice ${index} of lane "${lane}"`
    if (!Array.isArray(item) || item.length < 4 || item.length > 5 || typeof item[0] !== 'string') {
      throw new TapeFormatError(`${where} is not [label, min, max, value]`)
    }
    const [min, max, value] = [item[1], item[2], item[3]].map((part) => parseNumber(part, where))
    if (typeof min !== typeof max || typeof min !== typeof value || !(min! <= value! && value! <= max!)) {
      throw new TapeFormatError(`${where} has a value outside its range`)
    }
    const choice = { label: item[0], min: min!, max: max!, value: value! }
    if (item[4] === undefined) return choice
    if (typeof item[4] !== 'string') throw new TapeFormatError(`${where} has an alias that is no text`)
    return { ...choice, alias: item[4] }
  })
}

function serializeNumber(value: number | bigint): SerialNumber {
  return typeof value === 'bigint' ? `${value}n` : value
}

function parseNumber(value: unknown, where: string): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'string' && /^-?\d{1,4000}n$/.test(value)) return BigInt(value.slice(0, -1))
  throw new TapeFormatError(`${where} holds ${JSON.stringify(value)?.slice(0, 40)}, which is no integer`)
}
