/**
 * The memory that norn shares with a node: its clock, and the deadlines that its threads wait for.
 * clock.c has the other side. All times are nanoseconds since the start of the node.
 */
import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

const SLOTS = 256
const [NOW, PENDING, CONSUMED, BRIEF, DEADLINES] = [0, 16, 24, 32, 40]
const BYTES = DEADLINES + 8 * SLOTS

export class ClockFile {
  readonly #file: number
  readonly #control: number
  readonly #bytes = Buffer.alloc(BYTES)
  readonly #command = Buffer.alloc(8)
  #now = 0

  /** @param control a named pipe */
  constructor(path: string, control: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    // What was written for a node that crashed is gone with it.
    ftruncateSync(this.#file, 0)
    ftruncateSync(this.#file, BYTES)
    this.#control = openSync(control, constants.O_RDWR)
  }

  get now(): number {
    return this.#now
  }

  /** The next deadline of a thread; undefined if no thread waits for one. */
  get deadline(): number | undefined {
    readSync(this.#file, this.#bytes, 0, BYTES, 0)
    let first: number | undefined
    for (let at = DEADLINES; at < BYTES; at += 8) {
      const deadline = Number(this.#bytes.readBigUInt64LE(at))
      if (deadline !== 0 && (first === undefined || deadline < first)) first = deadline
    }
    return first
  }

  /** Unread bytes of the node's stdin, as of the last `fire`. */
  get pending(): number {
    return this.#number(PENDING)
  }

  /** Bytes of its stdin that the node has read, if it reads by the system call. */
  get consumed(): number {
    return this.#number(CONSUMED)
  }

  /** Moves the clock; no deadline may lie before. */
  set(now: number): void {
    if (now <= this.#now) return
    this.#write(now)
    writeSync(this.#file, this.#command, 0, 8, NOW)
  }

  /** Moves the clock, and wakes the threads whose deadlines it reaches. The node must have a deadline. */
  fire(now: number): void {
    this.#write(Math.max(now, this.#now))
    writeSync(this.#control, this.#command)
  }

  close(): void {
    closeSync(this.#file)
    closeSync(this.#control)
  }

  /** Whether a thread sleeps in real time, for a moment. */
  get sleepsBriefly(): boolean {
    return this.#number(BRIEF) > 0
  }

  #number(at: number): number {
    readSync(this.#file, this.#bytes, at, 8, at)
    return Number(this.#bytes.readBigUInt64LE(at))
  }

  #write(now: number): void {
    this.#now = now
    this.#command.writeBigUInt64LE(BigInt(now))
  }
}
