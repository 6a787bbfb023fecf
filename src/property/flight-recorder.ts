/**
 * The flight recorder: a file that always holds the execution under way, so that a process that dies loses no tape.
 *
 * Invariants: what stands in it is on its way before the execution begins: it is handed to the operating system, and so
 * outlives the process, however that dies (not the machine). The record is the file's first line, as JSON; a shorter one
 * is written over a longer one, whose rest stands behind it. A plan too large for it leaves the one before.
 *
 * Written once for each execution, so it has to cost little beside the system call: the text goes through a buffer that
 * is kept, as writing a string makes a copy and asks for its size first.
 */
import { openSync, readFileSync, writeSync } from 'node:fs'
import type { Plan } from '../explore/execution.ts'
import { LANES } from '../tape/lane.ts'
import type { FlightRecord } from './protocol.ts'

const MAX_CHARACTERS = 4 * 1024 * 1024
const BUFFER_BYTES = 64 * 1024
/** What one character of a JavaScript text can take as UTF-8. */
const MAX_CHARACTER_BYTES = 3

export class FlightRecorder {
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  record(flight: FlightRecord): void {
    // A replacer makes it five times slower.
    const text = hasBigints(flight.plan) ? JSON.stringify(flight, bigintsAsText) : JSON.stringify(flight)
    if (text.length >= MAX_CHARACTERS) return
    const line = `${text}\n`
    if (line.length * MAX_CHARACTER_BYTES > BUFFER_BYTES) writeSync(this.#file, line, 0)
    else writeSync(this.#file, this.#buffer, 0, this.#buffer.write(line), 0)
  }
}

/** The record in a file; undefined if there is none, or it is being written. */
export function readFlight(path: string): FlightRecord | undefined {
  try {
    const [line = ''] = readFileSync(path, 'utf8').split('\n', 1)
    return JSON.parse(line, textsAsBigints) as FlightRecord
  } catch {
    return undefined
  }
}

/** Only recorded choices can be bigints. */
function hasBigints({ choices }: Plan): boolean {
  if (choices.from === 'strategy' || choices.from === 'bytes') return false
  for (const lane of LANES) for (const { min } of choices.choices[lane]) if (typeof min === 'bigint') return true
  return false
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** The numbers of a choice. A saved draw has a `value` too, in a form that never looks like this. */
const NUMBERS = new Set(['min', 'max', 'value'])
const BIGINT = /^-?\d+n$/

function textsAsBigints(key: string, value: unknown): unknown {
  return typeof value === 'string' && NUMBERS.has(key) && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value
}
