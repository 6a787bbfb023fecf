/**
 * What reads of the clocks draw, where an option lets the clock vary: the start of the wall clock, where in
 * a millisecond of the loop that is, the time that code takes between two reads in one step, and a correction
 * of the wall clock.
 *
 * Invariants: an execution that reads no wall clock draws no start. The times of files that it changed
 * are wall clock too, as Node reads them with the files; but these alone are no reason to run a program
 * again. Where a module reads the clock while it loads, the execution starts at the default instant, as
 * what modules keep outlives executions. Only the wall clock is ever set back.
 *
 * The phase: Node counts the milliseconds of timers on a clock that began with the machine; those of `Date`
 * begin anywhere in between. So a timer may end when `Date` has advanced by one millisecond less than it was
 * set for. It is drawn even where a module has read the clock: it moves it by less than a millisecond.
 */
import { type ClockDeparture, type ClockKind, EPOCH_MS, instantText } from '../contract/wall-clock.ts'
import type { Draws } from './draws.ts'
import type { Causality, Step } from './loop/causality.ts'
import type { Pool } from './loop/pool.ts'
import type { Clock } from './loop/virtual-clock.ts'
import type { Recording } from './recording.ts'
import type { Verdict } from './verdict.ts'

/** Reads of one step at which code may have taken time: a loop that waits reads without end. */
const MAX_READS = 8

/** Reads of the wall clock at which it may have been set back. */
const MAX_WALL_READS = 256

interface ClockParts {
  readonly causality: Causality
  readonly clock: Clock
  readonly draws: Draws
  readonly pool: Pool
  readonly recording: Recording
  readonly verdict: Verdict
  /** Draws a choice; ends the execution where that is not possible. */
  drawn(draw: () => number): number
}

const NOTHING: readonly ClockKind[] = []

/** Names the place of a read among the origins of an execution. */
export function placeOfRead(atUs: number): string {
  return `clock ${atUs}`
}

export class ClockReads {
  readonly #parts: ClockParts
  #mayPause = false
  #mayCorrect = false
  #step: Step | undefined
  /** Reads of that step. */
  #reads = 0
  #wallReads = 0
  /** Undefined until the wall clock is first read. */
  #startMs: number | undefined = EPOCH_MS
  /** Whether the phase is still to be drawn, or may be other than 0. */
  #phase: 'open' | 'drawn' | 'none' = 'none'
  #phaseUs = 0
  /** What is left of it until the program first reads the wall clock. */
  #phaseLeftUs = 0
  #setBackMs = 0
  #setBackAtUs = Number.POSITIVE_INFINITY

  constructor(parts: ClockParts) {
    this.#parts = parts
  }

  /** @param startMs where the wall clock starts, unless it may start anywhere, in milliseconds since the epoch */
  reset(kinds: readonly ClockKind[] = NOTHING, startMs = EPOCH_MS): void {
    const mayStart = kinds.includes('start')
    this.#startMs = mayStart ? undefined : startMs
    this.#phase = mayStart ? 'open' : 'none'
    this.#mayPause = kinds.includes('pauses')
    this.#mayCorrect = kinds.includes('corrections')
    this.#step = undefined
    this.#reads = this.#wallReads = this.#phaseUs = this.#phaseLeftUs = this.#setBackMs = 0
    this.#setBackAtUs = Number.POSITIVE_INFINITY
  }

  /** Reads the virtual time, which advances it. */
  readUs(): number {
    if (this.#mayPause) this.#pause()
    return this.#parts.clock.read()
  }

  /** Reads the wall clock, in whole microseconds since the epoch. */
  wallUs(): number {
    const us = this.readUs()
    if (this.#mayCorrect) this.#correct(us)
    const epochMs = this.#epochMsAt(us)
    if (this.#phase === 'drawn') {
      this.#parts.draws.readsClock()
      this.#passPhase()
    }
    return epochMs * 1000 + this.#parts.clock.nowUs - this.#phaseUs
  }

  /** What the wall clock shows at a time, in milliseconds since the epoch, with fractions. */
  wallMsAt(us: number): number {
    return this.#epochMsAt(us) + (us - this.#phaseUs) / 1000
  }

  #epochMsAt(us: number): number {
    const startMs = (this.#startMs ??= this.#drawnStart())
    if (this.#phase === 'open' && !this.#parts.recording.paused) this.#drawPhase()
    return us < this.#setBackAtUs ? startMs : startMs - this.#setBackMs
  }

  #drawnStart(): number {
    const { draws, recording } = this.#parts
    if (recording.paused) return EPOCH_MS
    const afterMs = this.#parts.drawn(() => draws.clockStartMs())
    if (afterMs > 0) this.#departs('start', instantText(afterMs))
    return EPOCH_MS + afterMs
  }

  /** What modules have read while they loaded differs from what follows by less than a millisecond. */
  #drawPhase(): void {
    this.#phase = 'drawn'
    this.#phaseUs = this.#phaseLeftUs = this.#parts.drawn(() => this.#parts.draws.clockPhaseUs())
    if (this.#phaseUs > 0) this.#departs('phase', `${this.#phaseUs / 1000} ms`)
  }

  /** The program first reads the wall clock as late in a millisecond of the loop as the phase says. */
  #passPhase(): void {
    if (this.#phaseLeftUs === 0) return
    const { clock, pool } = this.#parts
    clock.advance(this.#phaseLeftUs)
    this.#phaseLeftUs = 0
    pool.performDue(clock.nowUs)
  }

  #pause(): void {
    const { causality, clock, draws, pool, recording, verdict } = this.#parts
    if (recording.paused || verdict.known) return
    const step = causality.current
    if (step !== this.#step) this.#reads = 0
    this.#step = step
    const earlier = this.#reads++
    if (earlier === 0 || earlier > MAX_READS) return
    const us = this.#parts.drawn(() => draws.pauseUs(step))
    if (us === 0) return
    clock.advance(us)
    pool.performDue(clock.nowUs)
    this.#departs('pauses', `${us / 1000} ms`)
  }

  #correct(us: number): void {
    const { causality, draws, recording, verdict } = this.#parts
    if (recording.paused || verdict.known || this.#setBackMs > 0) return
    const earlier = this.#wallReads++
    if (earlier === 0 || earlier > MAX_WALL_READS) return
    const ms = this.#parts.drawn(() => draws.correctionMs(causality.current))
    if (ms === 0) return
    this.#setBackMs = ms
    this.#setBackAtUs = us
    this.#departs('corrections', `${ms} ms`)
  }

  #departs(kind: ClockDeparture, outcome: string): void {
    const { causality, clock, recording } = this.#parts
    recording.add({ event: 'clock', step: causality.current, kind, outcome })
    recording.setStep({ label: placeOfRead(clock.nowUs) })
  }
}
