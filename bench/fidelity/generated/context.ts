/** What an operation of a generated program is given. */
import type { Sockets } from './open-sockets.ts'

export interface Context {
  /** A path in a folder of the program's own; `file` exists there and holds 100 bytes. */
  at(name: string): string
  /** A name that no other operation of the program uses. */
  fresh(): string
  /** A pair of ports opened before the program started. */
  readonly open: { send(done: () => void): void }
  /** An open descriptor of `file`. */
  readonly fd: number
  readonly sockets: Sockets
}

export type Start = (done: () => void, context: Context) => void
