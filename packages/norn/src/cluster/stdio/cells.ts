/** The state of a program that the main thread and the supervisor share: integers in shared memory. */

export type Cells = Int32Array<SharedArrayBuffer>

/** The indices of the cells. */
export const CELL = {
  state: 0,
  pid: 1,
  /** The exit status; -1 after a signal. */
  code: 2,
  /** The signal that ended the program; 0 if none did. */
  signal: 3,
  /** The current exchange, counted from 1; 0 between exchanges. */
  exchange: 4,
  /** 1 once the program was killed because an answer took too long. */
  timedOut: 5,
  /** Why the program could not be started: a (negative) libuv error number. */
  errno: 6,
} as const

export const CELLS = 7

export const STATE = { starting: 0, running: 1, ended: 2, notStarted: 3 } as const

export interface StartMessage {
  readonly cells: Cells
  readonly command: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: number
  readonly stdout: number
  readonly stderr: number
  /** The time limit of an answer, in milliseconds of real time. */
  readonly answerMs: number
}
