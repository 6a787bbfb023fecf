/** This side of the thread that keeps the programs of this process; see keeper-thread.ts. */
import { Worker } from 'node:worker_threads'
import { CELL, CELLS, type Cells, STATE, type StartMessage } from './cells.ts'

/**
 * To start a thread and a program takes a tenth of a second; several times that on a busy machine.
 */
const START_MS = 60_000

let thread: Worker | undefined

/**
 * Starts a program, and waits until it runs or could not be started. Call it with Node's own
 * functions (`outside`).
 *
 * @returns what the keeper notes of it from now on
 */
export function startKept(start: Omit<StartMessage, 'cells'>): Cells {
  const cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
  thread ??= newThread()
  thread.postMessage({ cells, ...start } satisfies StartMessage)
  awaitChange(cells, STATE.starting, START_MS)
  if (Atomics.load(cells, CELL.state) === STATE.starting)
    throw new Error('the thread that starts programs did not start')
  return cells
}

/**
 * Waits until the state of a program is another one, for so many milliseconds of real time; whether
 * it is.
 */
export function awaitChange(cells: Cells, state: number, ms: number): boolean {
  Atomics.wait(cells, CELL.state, state, ms)
  return Atomics.load(cells, CELL.state) !== state
}

/** It keeps no process from ending; what it keeps ends with it. */
function newThread(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './keeper-thread.ts' : './keeper-thread.js'
  const worker = new Worker(new URL(file, import.meta.url), { execArgv: ['--no-warnings'], env: {} })
  worker.unref()
  return worker
}
