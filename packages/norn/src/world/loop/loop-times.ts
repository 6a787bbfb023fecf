/**
 * How the loop spends its time: how long it sleeps, and how late it turns.
 *
 * A monitor is a timer of libuv that repeats and records how long ago it last fired (`IntervalHistogram`,
 * src/histogram.cc). It runs nothing of the program and draws nothing, so its fires are counted when the
 * loop wakes or turns.
 */

/** What the loop's clock shows at the start, in milliseconds: never 0, which Node's library reads as unset. */
export const LOOP_START_MS = 50

/** What the loop's clock shows, in whole milliseconds. */
export function loopMs(nowUs: number): number {
  return LOOP_START_MS + Math.floor(nowUs / 1000)
}

export interface LoopMonitor {
  start(nowUs: number): void
  stop(): void
  /** The next fire is the first one, which records nothing. */
  reset(): void
}

interface Watch {
  readonly everyUs: number
  readonly record: (us: number) => void
  isRunning: boolean
  dueUs: number
  firedUs: number | undefined
}

export class LoopTimes {
  /** How long the loop has slept. */
  idleUs = 0
  /** When it began, and when nothing was left for it; undefined before. */
  startUs: number | undefined
  endUs: number | undefined
  #watches: Watch[] = []

  reset(): void {
    this.idleUs = 0
    this.startUs = this.endUs = undefined
    this.#watches = []
  }

  /** @param record gets how long ago the monitor last fired */
  monitor(everyUs: number, record: (us: number) => void): LoopMonitor {
    const watch: Watch = { everyUs, record, isRunning: false, dueUs: 0, firedUs: undefined }
    this.#watches[this.#watches.length] = watch
    return {
      start(nowUs) {
        watch.isRunning = true
        watch.dueUs = nowUs + everyUs
      },
      stop() {
        watch.isRunning = false
      },
      reset() {
        watch.firedUs = undefined
      },
    }
  }

  /** The loop has slept, but for the monitors, which it served in between. */
  slept(fromUs: number, toUs: number): void {
    this.idleUs += toUs - fromUs
    for (let at = 0; at < this.#watches.length; at++) {
      const watch = this.#watches[at]!
      while (watch.isRunning && watch.dueUs <= toUs) fire(watch, Math.max(watch.dueUs, fromUs))
    }
  }

  /** The loop has come to its timers. */
  turned(nowUs: number): void {
    for (let at = 0; at < this.#watches.length; at++) {
      const watch = this.#watches[at]!
      if (watch.isRunning && watch.dueUs <= nowUs) fire(watch, nowUs)
    }
  }
}

function fire(watch: Watch, nowUs: number): void {
  if (watch.firedUs !== undefined) watch.record(nowUs - watch.firedUs)
  watch.firedUs = nowUs
  watch.dueUs = nowUs + watch.everyUs
}
