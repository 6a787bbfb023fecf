/**
 * The event loop as a phase model: it produces only schedules that Node could produce.
 *
 * Follows libuv's `uv_run` (design overview, and src/unix/core.c since 1.45): timers once before the first poll; then
 * poll (callbacks of completed operations, then messages and other handles), check (immediates), closing callbacks,
 * timers, and again. Ticks and microtasks are drained
 * after every callback by Node's own code, which also decides the order of timers and immediates; neither is ever
 * shuffled. What is open is time: when operations take effect and call back, how late the loop wakes for a timer, how
 * long the main script took, and where the program was held up.
 *
 * Invariant: everything happens in the order of virtual time; the loop sleeps only when nothing is ready.
 */
import type { Arrival, AsyncHandles } from './async-handles.ts'
import type { Causality, Step } from './causality.ts'
import type { Clock } from './clock.ts'
import type { Pool, PoolTask } from './pool.ts'

/** Virtual cost of a step and of a turn of the loop, so that time never stands still. */
const STEP_US = 10
const TURN_US = 5

/** Node's timers and immediates, as the loop sees them. */
export interface TimerPhases {
  /** Expiry of the earliest list of timers in virtual microseconds; infinite if there is none. */
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
  /** Runs what a handle had ready, or what follows its closing, and drains what that queued. */
  runArrival(arrival: Arrival): void
  /** How late the loop wakes for the timer that `step` set. */
  timerLatencyUs(step: Step): number
  /** How long after the main script the loop begins. */
  startLatencyUs(): number
  /** How far ahead, in microseconds, what is not due yet may come first because the program is held up. */
  maxLatencyUs(): number
  /** Holds up the program between two rounds of immediates. */
  stall(): void
  /** Whether the execution is to stop now: its end is known. */
  stopped(): boolean
}

/**
 * `idle`: nothing is left that could happen, whether or not something still waits for it. `time`: what is due next lies
 * beyond the bound of the virtual time.
 */
export type DriveEnd = 'reached' | 'idle' | 'steps' | 'time' | 'stopped'

/**
 * Turns the loop until `reached` says so, nothing is left that could happen, a bound on turns or virtual time is
 * reached, or the host stops it. Synchronous: one call is one macrotask of the real process.
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

    // Poll: sleep until something is due unless something else waits; then run what is due. With immediates waiting, only
    // the time that their rounds take lets anything come in between.
    steps++
    clock.advance(TURN_US)
    if (timers.immediatesPending()) {
      if (Math.min(pool.nextEventUs(), timers.nextExpiryUs()) <= clock.nowUs + host.maxLatencyUs()) host.stall()
    } else if (!handles.closing) {
      const slept = sleep(host)
      if (slept !== undefined) return slept
    }
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
      // The rest is called back when the loop is turned again.
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

    runTimersIfDue()
  }
}

/** Whether something is left that could happen and keeps the loop going. */
export function alive({ pool, handles, timers }: Pick<LoopHost, 'pool' | 'handles' | 'timers'>): boolean {
  return pool.pending > 0 || timers.refed() || handles.keepAlive()
}

/** Starts a step: it becomes the cause of what follows. */
export function begin(causality: Causality, clock: Clock, step: Step): void {
  causality.begin(step)
  clock.beginStep()
}

/**
 * Moves the clock to whatever is due next; a timer may find the loop late. What comes back is the end of the drive: what
 * is due lies beyond the clock's bound, or nothing ever is.
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
