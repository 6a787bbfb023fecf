/** Starts the supervisor thread, and programs in it. */
import { Worker } from 'node:worker_threads'
import { bindToOneProcessor } from '../../watch/affinity.ts'
import { CELL, CELLS, type Cells, STATE, type StartMessage } from './cells.ts'

/** Starting a thread and a program takes a tenth of a second, and much longer on a busy machine. */
const START_MS = 60_000

let thread: Worker | undefined

/**
 * Starts a program, and waits until it runs or could not be started. Call it outside of the world.
 *
 * @returns the cells that the supervisor updates from now on
 */
export function startSupervised(start: Omit<StartMessage, 'cells'>): Cells {
  const cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
  thread ??= newThread()
  thread.postMessage({ cells, ...start } satisfies StartMessage)
  awaitStateChange(cells, STATE.starting, START_MS)
  if (Atomics.load(cells, CELL.state) === STATE.starting)
    throw new Error('the thread that starts programs did not start')
  return cells
}

/** Waits at most `ms` of real time for the program to leave a state; whether it has. */
export function awaitStateChange(cells: Cells, state: number, ms: number): boolean {
  Atomics.wait(cells, CELL.state, state, ms)
  return Atomics.load(cells, CELL.state) !== state
}

/** The thread does not keep the process alive. It and its programs run where this thread does. */
function newThread(): Worker {
  bindToOneProcessor()
  const file = import.meta.url.endsWith('.ts') ? './supervisor-thread.ts' : './supervisor-thread.js'
  const worker = new Worker(new URL(file, import.meta.url), { execArgv: ['--no-warnings'], env: {} })
  worker.unref()
  return worker
}
