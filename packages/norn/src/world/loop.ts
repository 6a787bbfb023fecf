/**
 * The event loop as a phase model: it produces only schedules that Node could produce.
 *
 * Follows libuv's `uv_run` (design overview, and src/unix/core.c since 1.45): timers once before
 * the first poll; then poll (completed operations, then message ports and other handles), check
 * (immediates), closing callbacks, timers, and again. Node's own code drains ticks and microtasks
 * after every callback and orders timers and immediates; norn never shuffles those. Norn chooses
 * time: when operations take effect and call back, how late the loop wakes for a timer, how long
 * the main script took, and where the program stalled.
 *
 * Invariant: everything happens in the order of virtual time; the loop sleeps only when nothing is
 * ready.
 */
import type { Arrival, AsyncHandles } from './async-handles.ts'
import type { Causality, Step } from './causality.ts'
import type { Clock } from './clock.ts'
import type { Pool, PoolTask } from './pool.ts'

/** Virtual cost of a step and of a turn of the loop, so that time always advances. */
export const STEP_US = 10
const TURN_US = 5

/** Node's timers and immediates. */
export interface TimerPhases {
  /** Expiry of the earliest list of timers, in virtual microseconds; infinite if there is none. */
  nextExpiryUs(): number
  /** The step that set the earliest timer. */
  nextTimerStep(): Step | undefined
  runTimers(): void
  immediatesPending(): boolean
  runImmediates(): void
  /** Whether a timer or an immediate keeps the loop alive. */
  refed(): boolean
}

export interface LoopHost {
  readonly clock: Clock
  readonly pool: Pool
  readonly handles: AsyncHandles
  readonly causality: Causality
  readonly timers: TimerPhases
  /** Runs the callback of a completed operation and drains what it queued. */
  runCallback(task: PoolTask): void
  /** Runs a callback of a handle, or a closing callback, and drains what it queued. */
  runArrival(arrival: Arrival): void
  /** The delay with which the loop wakes for the timer that `step` set, in microseconds. */
  timerLatencyUs(step: Step): number
  /** How long the main script took before the loop begins, in microseconds. */
  startLatencyUs(): number
  /**
   * The bound on latencies, in microseconds: events due within it may come first if the program
   * stalls.
   */
  maxLatencyUs(): number
  /** Draws a stall of the program between two turns of the loop. */
  stall(): void
  /** Whether the execution must stop: its ending is known. */
  stopped(): boolean
}

/**
 * `idle`: nothing is left to run, whether or not something still waits. `time`: the next event lies
 * beyond the bound on virtual time.
 */
export type DriveEnd = 'reached' | 'idle' | 'steps' | 'time' | 'stopped'

/**
 * Turns the loop until `reached` returns true, nothing is left to run, a bound is reached, or the
 * host stops it. Synchronous: one call is one macrotask of the real process.
 */
export function drive(host: LoopHost, reached: () => boolean, maxSteps: number, fromStart: boolean): DriveEnd {
  const { clock, pool, handles, timers, causality } = host
  let steps = 0
  const end = (): DriveEnd | undefined => {
    if (host.stopped()) return 'stopped'
    if (reached()) return 'reached'
    if (steps > maxSteps) return 'steps'
    return undefined
  }
  const runTimersIfDue = () => {
    if (timers.nextExpiryUs() > clock.nowUs) return
    steps++
    timers.runTimers()
    clock.advance(STEP_US)
  }

  const isBusy = () => timers.immediatesPending() || handles.nextEventUs() <= clock.nowUs
  const stallFor = (eventUs: number) => {
    if (eventUs <= clock.nowUs + host.maxLatencyUs()) host.stall()
  }

  const runArrivals = (take: () => Arrival | undefined): DriveEnd | undefined => {
    for (let arrival = take(); arrival !== undefined; arrival = take()) {
      steps++
      begin(causality, clock, arrival.step)
      host.runArrival(arrival)
      clock.advance(STEP_US)
      const stop = end()
      if (stop !== undefined) return stop
    }
    return undefined
  }

  if (fromStart) {
    const now = end()
    if (now !== undefined) return now
    clock.advance(host.startLatencyUs())
    runTimersIfDue()
  }
  for (;;) {
    const ended = end()
    if (ended !== undefined) return ended
    if (!alive(host)) return 'idle'

    // Poll: sleep until something is due, then run what is due. With immediates pending, or a
    // handle that is due, the loop does not sleep; only a stall lets other events come first.
    steps++
    clock.advance(TURN_US)
    if (isBusy()) {
      stallFor(Math.min(pool.nextEventUs(), handles.nextEventUs(clock.nowUs)))
    } else if (!handles.closing) {
      const slept = sleep(host)
      if (slept !== undefined) return slept
    }
    handles.beginRound()
    pool.performDue(clock.nowUs)
    const completed = pool.takeCompleted()
    for (let index = 0; index < completed.length; index++) {
      const task = completed[index]!
      steps++
      begin(causality, clock, task.step)
      host.runCallback(task)
      clock.advance(STEP_US)
      const stop = end()
      if (stop === undefined) continue
      // The rest is called back in the next drive.
      pool.giveBack(completed.slice(index + 1))
      return stop
    }
    const stopped = runArrivals(() => handles.take(clock.nowUs))
    if (stopped !== undefined) return stopped

    // Check.
    if (timers.immediatesPending()) {
      steps++
      timers.runImmediates()
      clock.advance(STEP_US)
      const stop = end()
      if (stop !== undefined) return stop
    }

    // Closing callbacks.
    handles.beginClosing()
    const closed = runArrivals(() => handles.takeClosed())
    if (closed !== undefined) return closed

    // Timers.
    if (isBusy()) stallFor(timers.nextExpiryUs())
    runTimersIfDue()
  }
}

/** Whether anything keeps the loop alive. */
export function alive({ pool, handles, timers }: Pick<LoopHost, 'pool' | 'handles' | 'timers'>): boolean {
  return pool.pending > 0 || timers.refed() || handles.keepAlive()
}

/** Begins a step: it becomes the cause of everything it starts. */
export function begin(causality: Causality, clock: Clock, step: Step): void {
  causality.begin(step)
  clock.beginStep()
}

/**
 * Advances the clock to the next event, with a drawn delay if that is a timer. Returns how the
 * drive ends if the next event lies beyond the bound (`time`) or never comes (`idle`).
 */
function sleep(host: LoopHost): 'time' | 'idle' | undefined {
  const { clock, pool, handles, timers } = host
  const eventUs = Math.min(pool.nextEventUs(), handles.nextEventUs())
  const expiryUs = timers.nextExpiryUs()
  const nextUs = Math.min(eventUs, expiryUs)
  if (nextUs === Number.POSITIVE_INFINITY) return 'idle'
  if (nextUs <= clock.nowUs) return undefined
  if (nextUs > clock.boundUs) return 'time'
  const timer = eventUs < expiryUs ? undefined : timers.nextTimerStep()
  const delayUs = timer === undefined ? 0 : host.timerLatencyUs(timer)
  clock.advanceTo(Math.min(nextUs + delayUs, clock.boundUs))
  return undefined
}
