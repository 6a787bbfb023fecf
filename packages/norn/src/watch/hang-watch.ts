/**
 * Decides from outside whether a process hangs in one task. Pure: the clock and what is seen of the
 * process are given.
 *
 * A hang is told by the processor time that the task has used, so that neither a busy machine nor
 * one that stands still accuses a program. A task that sleeps uses none: it has a limit of the real
 * time in which it slept. Where the system does not tell, it counts as asleep.
 */
import type { Effort } from './effort.ts'

export const LOOK_MS = 250

/**
 * A process that is filling its memory may take this many times as long: collecting garbage is the
 * machine's time.
 */
const FILLING_FACTOR = 3

/** What is seen of a process at one look. */
export interface Look {
  readonly nowMs: number
  /** Number of the task under way; undefined before the first. */
  readonly sequence: number | undefined
  /** Undefined where the system does not tell. */
  readonly effort: Effort | undefined
  /** Whether its memory is nearly full. */
  readonly isFilling: boolean
}

export interface HangLimits {
  /** Processor time of a task, in milliseconds. */
  readonly taskMs: number
  /** Processor time before the first task, in milliseconds. */
  readonly startMs: number
  /** A task that sleeps has so many times its limit, of real time. */
  readonly sleepingFactor: number
}

export class HangWatch {
  readonly #limits: HangLimits
  readonly #lookMs: number
  /** The sequence before the first task. */
  readonly #before: number | undefined
  #sequence: number | undefined
  #lookedMs: number
  #cpuMs: number | undefined
  #workedMs = 0
  #sleptMs = 0

  /**
   * @param sequence of the last task before the watch begins, if there was one
   * @param lookMs the interval of the looks; time between them counts as two intervals at most
   */
  constructor(limits: HangLimits, nowMs: number, sequence: number | undefined, lookMs = LOOK_MS) {
    this.#limits = limits
    this.#lookMs = lookMs
    this.#lookedMs = nowMs
    this.#before = sequence
    this.#sequence = sequence
  }

  /** Whether the process hangs: how it spent its time, or undefined. */
  hungFor({ nowMs, sequence, effort, isFilling }: Look): 'work' | 'sleep' | undefined {
    const passedMs = Math.min(nowMs - this.#lookedMs, 2 * this.#lookMs)
    this.#lookedMs = nowMs
    const cpuMs = effort?.cpuMs
    const workedMs = cpuMs === undefined ? 0 : cpuMs - (this.#cpuMs ?? cpuMs)
    this.#cpuMs = cpuMs
    if (sequence !== this.#sequence) {
      this.#sequence = sequence
      this.#workedMs = this.#sleptMs = 0
      return undefined
    }
    this.#workedMs += workedMs
    if (effort?.isAsleep !== false && workedMs === 0) this.#sleptMs += passedMs
    const { taskMs, startMs, sleepingFactor } = this.#limits
    const limitMs = sequence === this.#before ? Math.max(taskMs, startMs) : taskMs * (isFilling ? FILLING_FACTOR : 1)
    if (this.#workedMs > limitMs) return 'work'
    return this.#sleptMs > sleepingFactor * limitMs ? 'sleep' : undefined
  }
}
