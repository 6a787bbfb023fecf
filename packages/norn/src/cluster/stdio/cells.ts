/**
 * What the main thread and the keeper's thread both see of a program: a few integers in shared
 * memory.
 */

export type Cells = Int32Array<SharedArrayBuffer>

/** What stands in which cell. */
export const CELL = {
  state: 0,
  pid: 1,
  /** The exit status; -1 if a signal ended it. */
  code: 2,
  /** The signal that ended it; 0 if none did. */
  signal: 3,
  /** Which exchange is under way, counted from 1; 0 if none is. */
  exchange: 4,
  /** 1 once it was ended as its answer was late. */
  late: 5,
  /** Why it could not be started: a (negative) error number of libuv. */
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
  readonly errors: number
  /** How long an answer may take, in milliseconds of real time. */
  readonly answerMs: number
}
