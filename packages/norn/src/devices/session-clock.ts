/**
 * The clock of backends, in the file that `session-clock.c` reads: a place of 64 bytes for each, by the number of its
 * thread, which for a process is its own.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const PLACES = 65_536
const PLACE_BYTES = 64

/** The size of the file. */
export const CLOCK_BYTES = PLACES * PLACE_BYTES

/** What a backend waits for that time ends. */
export interface Timed {
  /** Microseconds since 1970. */
  readonly untilUs: number
  /** It does nothing else. */
  readonly isAsleep: boolean
}

/** What a thread does: nothing but wait, or it has been woken from that. */
const ASLEEP = 1n

export class SessionClock {
  readonly #file: number
  readonly #place = Buffer.alloc(PLACE_BYTES)

  constructor(path: string) {
    this.#file = openSync(path, 'r+')
  }

  /** A backend begins a session: its randomness follows from the seed. */
  begin(pid: number, nowUs: number, seed: number): void {
    this.#place.fill(0)
    this.#set(0, pid).#set(1, nowUs).#set(3, seed)
    writeSync(this.#file, this.#place, 0, PLACE_BYTES, at(pid))
  }

  set(pid: number, nowUs: number): void {
    this.#set(0, nowUs)
    writeSync(this.#file, this.#place, 0, 8, at(pid) + 8)
  }

  /** One that waits for a lock goes on, once it has the lock, when it is no longer held. */
  hold(pid: number, isHeld: boolean): void {
    this.#set(0, isHeld ? 1 : 0)
    writeSync(this.#file, this.#place, 0, 8, at(pid) + 48)
  }

  /** Virtual time is where what a thread waits for ends. */
  ring(pid: number): void {
    this.#set(0, 1)
    writeSync(this.#file, this.#place, 0, 8, at(pid) + 56)
  }

  /** A backend has the real clock again. */
  end(pid: number): void {
    this.#place.fill(0)
    writeSync(this.#file, this.#place, 0, PLACE_BYTES, at(pid))
  }

  /** What time ends of what a backend does; undefined if nothing. */
  timed(pid: number): Timed | undefined {
    const isAsleep = this.isAsleep(pid)
    const untilUs = Number(this.#place.readBigInt64LE(16))
    return untilUs === 0 ? undefined : { untilUs, isAsleep }
  }

  /** Whether a backend does nothing but wait. */
  isAsleep(pid: number): boolean {
    readSync(this.#file, this.#place, 0, PLACE_BYTES, at(pid))
    return this.#place.readBigInt64LE(40) === ASLEEP && this.#place.readBigInt64LE(56) === 0n
  }

  close(): void {
    closeSync(this.#file)
  }

  #set(index: number, value: number): this {
    this.#place.writeBigInt64LE(BigInt(value), 8 * index)
    return this
  }
}

const at = (pid: number) => (pid % PLACES) * PLACE_BYTES
