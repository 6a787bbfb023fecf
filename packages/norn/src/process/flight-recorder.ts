/**
 * The flight recorder: a file that always holds the current execution, so that a process that dies
 * loses no tape.
 *
 * Invariants: the record is handed to the operating system before the execution begins, so it
 * outlives the process, however that dies (not the machine). The record is the file's first line,
 * as JSON; a shorter record overwrites a longer one, whose rest stays behind it. A plan too large
 * for it leaves the record before. The file has its usual size from the start, so that a disk that
 * fills up later does not end the search.
 */
import { constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import type { ExecutionCounts } from '../contract/campaign-summary.ts'
import { TemporaryFilesError } from '../storage/files.ts'
import { planText, readPlan } from './plan-text.ts'
import type { FlightRecord } from './protocol.ts'

const MAX_CHARACTERS = 4 * 1024 * 1024
const BUFFER_BYTES = 64 * 1024
/** Most bytes that one UTF-16 code unit takes in UTF-8. */
const MAX_CHARACTER_BYTES = 3

export class FlightRecorder {
  readonly #file: number
  /** Kept, because writing a string to a file copies it and computes its size first. */
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)

  constructor(path: string) {
    this.#file = openSync(path, constants.O_CREAT | constants.O_WRONLY)
  }

  record({ sequence, execution, plan, counts }: FlightRecord): void {
    const counted = counts === undefined ? '' : `,"counts":${countsText(counts)}`
    const line = `{"sequence":${sequence},"execution":${execution},"plan":${planText(plan)}${counted}}\n`
    if (line.length >= MAX_CHARACTERS) return
    try {
      if (line.length * MAX_CHARACTER_BYTES > BUFFER_BYTES) writeSync(this.#file, line, 0)
      else writeSync(this.#file, this.#buffer, 0, this.#buffer.write(line), 0)
    } catch (error) {
      throw TemporaryFilesError.from(error)
    }
  }
}

/** By hand, as `planText`: it is written before each execution. */
function countsText({ passed, discarded, failed, voided, flaky }: ExecutionCounts): string {
  return `{"passed":${passed},"discarded":${discarded},"failed":${failed},"voided":${voided},"flaky":${flaky}}`
}

/** Makes the file of a recorder, with room for most records. */
export function reserveFlight(path: string): void {
  writeFileSync(path, Buffer.alloc(BUFFER_BYTES, '\n'))
}

/** The record in a file; undefined if there is none, or if it was cut off. */
export function readFlight(path: string): FlightRecord | undefined {
  try {
    const [line = ''] = readFileSync(path, 'utf8').split('\n', 1)
    const record = JSON.parse(line) as FlightRecord
    return { ...record, plan: readPlan(record.plan) }
  } catch {
    return undefined
  }
}
