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
import { planText, revivePlan } from './plan-text.ts'
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

  record({ sequence, execution, plan }: FlightRecord): void {
    const line = `{"sequence":${sequence},"execution":${execution},"plan":${planText(plan)}}\n`
    if (line.length >= MAX_CHARACTERS) return
    if (line.length * MAX_CHARACTER_BYTES > BUFFER_BYTES) writeSync(this.#file, line, 0)
    else writeSync(this.#file, this.#buffer, 0, this.#buffer.write(line), 0)
  }
}

/** The record in a file; undefined if there is none, or it is being written. */
export function readFlight(path: string): FlightRecord | undefined {
  try {
    const [line = ''] = readFileSync(path, 'utf8').split('\n', 1)
    return JSON.parse(line, revivePlan) as FlightRecord
  } catch {
    return undefined
  }
}
