/**
 * The flight recorder: a file that always holds the current execution, so that a process that dies
 * loses no tape.
 *
 * Invariants: the record is handed to the operating system before the execution begins, so it
 * outlives the process, however that dies (not the machine). The record is numbers (NaN for one that
 * is not there), then a line of JSON; a shorter record overwrites a longer one, whose rest stays
 * behind it. A plan too large for it leaves the record before. The file has its usual size from the
 * start, so that a disk that fills up later does not end the search.
 *
 * What changes with each execution is numbers, and the line is encoded only where it differs from
 * the one before: most of the time that a record takes is then the system call.
 */
import { constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import type { ExecutionCounts } from '../contract/campaign-summary.ts'
import { TemporaryFilesError } from '../storage/files.ts'
import { PLAN_NUMBERS, planText, readPlan } from './plan-text.ts'
import type { FlightRecord } from './protocol.ts'

const MAX_CHARACTERS = 4 * 1024 * 1024
const BUFFER_BYTES = 64 * 1024
/** Most bytes that one UTF-16 code unit takes in UTF-8. */
const MAX_CHARACTER_BYTES = 3

/** The sequence while norn looks at what an execution left: equal to none, so that no look of a watch sees it twice. */
export const OWN_WORK = Number.NaN

/** Behind the numbers of the plan: the sequence, the execution, and five counts. */
const OWN_NUMBERS = 7
const NUMBERS_BYTES = (PLAN_NUMBERS + OWN_NUMBERS) * Float64Array.BYTES_PER_ELEMENT
const LINE_END = 0x0a

export class FlightRecorder {
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  readonly #numbers = numbersOf(this.#buffer)
  /** The line in the buffer, and where it ends. */
  #line = ''
  #end = NUMBERS_BYTES

  constructor(path: string) {
    this.#file = openSync(path, constants.O_CREAT | constants.O_WRONLY)
  }

  record({ sequence, execution, plan, counts }: FlightRecord): void {
    const line = planText(plan, this.#numbers)
    if (line.length >= MAX_CHARACTERS) return
    setNumbers(this.#numbers, sequence, execution, counts)
    try {
      if (line.length * MAX_CHARACTER_BYTES >= BUFFER_BYTES - NUMBERS_BYTES) this.#writeLarge(line)
      else {
        if (line !== this.#line) this.#encode(line)
        writeSync(this.#file, this.#buffer, 0, this.#end, 0)
      }
    } catch (error) {
      throw TemporaryFilesError.from(error)
    }
  }

  #encode(line: string): void {
    this.#end = NUMBERS_BYTES + this.#buffer.write(line, NUMBERS_BYTES)
    this.#buffer[this.#end++] = LINE_END
    this.#line = line
  }

  #writeLarge(line: string): void {
    writeSync(
      this.#file,
      Buffer.concat([this.#buffer.subarray(0, NUMBERS_BYTES), Buffer.from(`${line}\n`)]),
      undefined,
      undefined,
      0,
    )
  }
}

function numbersOf({ buffer, byteOffset }: Buffer): Float64Array {
  return new Float64Array(buffer, byteOffset, PLAN_NUMBERS + OWN_NUMBERS)
}

function setNumbers(numbers: Float64Array, sequence: number, execution: number, counts?: ExecutionCounts): void {
  numbers[PLAN_NUMBERS] = sequence
  numbers[PLAN_NUMBERS + 1] = execution
  numbers[PLAN_NUMBERS + 2] = counts?.passed ?? Number.NaN
  numbers[PLAN_NUMBERS + 3] = counts?.discarded ?? Number.NaN
  numbers[PLAN_NUMBERS + 4] = counts?.failed ?? Number.NaN
  numbers[PLAN_NUMBERS + 5] = counts?.voided ?? Number.NaN
  numbers[PLAN_NUMBERS + 6] = counts?.flaky ?? Number.NaN
}

/** Makes the file of a recorder, with room for most records. */
export function reserveFlight(path: string): void {
  writeFileSync(path, Buffer.alloc(BUFFER_BYTES, LINE_END))
}

/** The record in a file; undefined if there is none, or if it was cut off. */
export function readFlight(path: string): FlightRecord | undefined {
  try {
    // In memory of its own, so that the numbers are aligned.
    const bytes = Buffer.from(new Uint8Array(readFileSync(path)).buffer)
    const numbers = numbersOf(bytes)
    const plan = readPlan(bytes.toString('utf8', NUMBERS_BYTES, bytes.indexOf(LINE_END, NUMBERS_BYTES)), numbers)
    const [sequence, execution, passed, discarded, failed, voided, flaky] = [...numbers.subarray(PLAN_NUMBERS)] as [
      number,
      number,
      ...number[],
    ]
    const counts = { passed, discarded, failed, voided, flaky } as ExecutionCounts
    return { sequence, execution, plan, ...(Number.isNaN(passed) ? {} : { counts }) }
  } catch {
    return undefined
  }
}
