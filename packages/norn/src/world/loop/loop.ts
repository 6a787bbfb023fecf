/**
 * The event loop as a phase model: it produces only schedules that Node could produce.
 *
 * Follows libuv's `uv_run` (design overview, and src/unix/core.c since 1.45): timers once before
 * the first poll; then pending callbacks, poll (descriptors in the order in which they became ready:
 * sockets, and one for completed operations, message ports and other handles), check (immediates),
 * closing callbacks, timers, and again. Node's own code drains ticks and microtasks
 * after every callback and orders timers and immediates; norn never shuffles those. Norn chooses
 * time: when operations take effect and call back, how late the loop wakes for a timer, how long
 * the main script took, and where the program stalled.
 *
 * Invariant: everything happens in the order of virtual time; the loop sleeps only when nothing is
 * ready.
 */
import { type Arrival, type AsyncHandles, isolateOf } from './async-handles.ts'
import type { Causality, Step } from './causality.ts'
import type { Isolate } from './isolate.ts'
import { ASYNC, type Descriptors } from './poll-descriptors.ts'
import type { Pool, PoolTask } from './pool.ts'
import type { Clock } from './virtual-clock.ts'

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
  /** Whether there are timers, and all are such that change nothing as long as nothing else happens. */
  onlyIdle(): boolean
  /** Whether a timer or an immediate keeps the loop of an isolate alive, or of any. */
  refed(isolate?: Isolate): boolean
}

export interface LoopHost {
  readonly clock: Clock
  readonly pool: Pool
  readonly handles: AsyncHandles
  readonly descriptors: Descriptors
  readonly causality: Causality
  readonly timers: TimerPhases
  /** The real sockets of open mode; undefined without. */
  readonly gateway?: RealEvents | undefined
  /** Threads and child processes; undefined while there are none. */
  others(): Others | undefined
  /** Runs the callback of a completed operation and drains what it queued. */
  runCallback(task: PoolTask): void
  /** Runs a callback of a handle, or a closing callback, and drains what it queued. */
  runArrival(arrival: Arrival): void
  /** Runs native immediates until none is left, and only then drains what they queued. */
  runNativeImmediates(): void
  /** The delay with which the loop wakes for the timer that `step` set, in microseconds. */
  timerLatencyUs(step: Step): number
  /** How long the main script took before the loop begins, in microseconds. */
  startLatencyUs(): number
  /**
   * The bound on latencies, in microseconds: events due within it may come first if the program
   * stalls.
   */
  maxLatencyUs(): number
  /** Draws a stall of the program between two turns of the loop, or within the poll phase. */
  stall(before: 'turn' | 'poll'): void
  /** Whether the execution must stop: its ending is known. */
  stopped(): boolean
}

/** What happens outside of the world, in real time. */
export interface RealEvents {
  /** Whether real events are to be waited for. */
  readonly isAwaited: boolean
  /** How long to wait for one before virtual time moves on by `dueInUs`, in microseconds. */
  patienceUs(dueInUs: number, isOwnDelay: boolean): number
  /** Blocks until one arrives; returns the real time that passed, in microseconds. */
  wait(atMostUs: number): number
  /** Brings in those that have arrived; returns whether there were any. */
  collect(): boolean
}

/** The isolates beside the body's. */
export interface Others {
  readonly main: Isolate
  /** Ends the isolates that have nothing left to run; returns whether one has ended. */
  settle(): boolean
  /** Whether `settle` would end one. */
  readonly isUnsettled: boolean
}

/**
 * `idle`: nothing is left to run, whether or not something still waits. `time`: the next event lies
 * beyond the bound on virtual time. `silent`: nothing virtual is left, and no real event comes.
 */
export type DriveEnd = 'reached' | 'idle' | 'steps' | 'time' | 'stopped' | 'silent'

/**
 * Turns the loop until `reached` returns true, nothing is left to run, a bound is reached, or the
 * host stops it. Synchronous: one call is one macrotask of the real process.
 */
export function drive(host: LoopHost, reached: () => boolean, maxSteps: number, fromStart: boolean): DriveEnd {
  const { clock, pool, handles, descriptors, timers, causality } = host
  clock.loopTimes.startUs ??= clock.nowUs
  let steps = 0
  const end = (): DriveEnd | undefined => {
    if (host.stopped()) return 'stopped'
    if (reached()) return 'reached'
    if (steps > maxSteps) return 'steps'
    return undefined
  }
  const runTimersIfDue = () => {
    clock.loopTimes.turned(clock.nowUs)
    if (timers.nextExpiryUs() > clock.nowUs) return
    steps++
    timers.runTimers()
    clock.advance(STEP_US)
  }

  const isBusy = () =>
    timers.immediatesPending() ||
    descriptors.serving ||
    Math.min(handles.nextEventUs(), descriptors.nextEventUs()) <= clock.nowUs
  const stallFor = (eventUs: number, before: 'turn' | 'poll' = 'turn') => {
    if (eventUs <= clock.nowUs + host.maxLatencyUs()) host.stall(before)
  }
  /** When something is due that is not due yet. */
  const laterUs = () => {
    const { nowUs } = clock
    return Math.min(pool.nextEventUs(nowUs), handles.nextEventUs(nowUs), descriptors.nextEventUs(nowUs))
  }

  const runArrival = (arrival: Arrival): DriveEnd | undefined => {
    steps++
    const isolate = isolateOf(arrival)
    if (isolate.hasEnded) return undefined
    if (isolate.isBlocked && !arrival.unblocks) {
      handles.hold(arrival)
      return undefined
    }
    begin(causality, clock, arrival.step, isolate)
    host.runArrival(arrival)
    clock.advance(STEP_US)
    return end()
  }
  const runArrivals = (take: () => Arrival | undefined): DriveEnd | undefined => {
    for (let arrival = take(); arrival !== undefined; arrival = take()) {
      const stop = runArrival(arrival)
      if (stop !== undefined) return stop
    }
    return undefined
  }
  const runPending = (rounds?: number): DriveEnd | undefined => {
    if (!descriptors.pending) return undefined
    descriptors.beginPending(rounds)
    return runArrivals(() => descriptors.takePending(clock.nowUs))
  }

  /** The thread pool's completions, then asynchronous handles: one descriptor announces all. */
  const runAsync = (): DriveEnd | undefined => {
    handles.beginRound()
    pool.performDue(clock.nowUs)
    const completed = pool.takeCompleted()
    for (let index = 0; index < completed.length; index++) {
      const task = completed[index]!
      if (task.step.isolate.hasEnded) continue
      if (task.step.isolate.isBlocked) {
        pool.hold(task)
        continue
      }
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
    return runArrivals(() => handles.take(clock.nowUs))
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
    const others = host.others()
    while (others?.settle());
    if (!alive(host, others?.main)) return 'idle'

    // Pending: errors and ends of sockets that no descriptor announces.
    steps++
    clock.advance(TURN_US)
    const mustPoll = descriptors.pending || handles.closing
    const early = runPending(1)
    if (early !== undefined) return early

    // Poll: sleep until something is due, then run what is due. With immediates pending, or a
    // handle that is due, the loop does not sleep. A stall, also while it wakes, lets what finishes
    // meanwhile come in the same phase.
    host.gateway?.collect()
    if (!isBusy() && !mustPoll) {
      descriptors.register(clock.nowUs)
      const slept = sleep(host)
      if (slept !== undefined) return slept
    }
    pool.performDue(clock.nowUs)
    if (isBusy() || pool.completed) stallFor(laterUs())
    // A stall between epoll_ctl and epoll_wait: what finishes meanwhile comes behind what is registered.
    if (!descriptors.serving && descriptors.register(clock.nowUs)) stallFor(laterUs(), 'poll')
    pool.performDue(clock.nowUs)
    descriptors.poll(clock.nowUs, Math.min(pool.completedUs, handles.nextEventUs()))
    for (let polled = descriptors.take(clock.nowUs); polled !== undefined; polled = descriptors.take(clock.nowUs)) {
      const stopped = polled === ASYNC ? runAsync() : runArrival(polled)
      if (stopped !== undefined) return stopped
    }
    const late = runPending()
    if (late !== undefined) return late

    // Check: native immediates, then those of the program.
    if (handles.immediatesPending) {
      steps++
      host.runNativeImmediates()
      clock.advance(STEP_US)
      const stop = end()
      if (stop !== undefined) return stop
    }
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

/** Whether anything keeps the loop of an isolate alive; of any by default. */
export function alive(
  { pool, handles, descriptors, timers }: Pick<LoopHost, 'pool' | 'handles' | 'descriptors' | 'timers'>,
  isolate?: Isolate,
): boolean {
  if (descriptors.keepAlive(isolate)) return true
  if (isolate === undefined) return pool.pending > 0 || timers.refed() || handles.keepAlive()
  return isolate.isAwaited || pool.pendingOf(isolate) || timers.refed(isolate) || handles.keepAlive(isolate)
}

/**
 * Whether nothing can happen any more but timers that keep no loop alive: what is left, such as a
 * server, only waits.
 */
export function quiet({ pool, handles, descriptors, timers, gateway, others }: LoopHost): boolean {
  if (gateway?.isAwaited || others()?.isUnsettled) return false
  if (pool.pending > 0 || timers.refed() || timers.immediatesPending()) return false
  if (handles.closing || descriptors.pending || descriptors.serving || descriptors.patient) return false
  return Math.min(handles.nextEventUs(), descriptors.nextEventUs()) === Number.POSITIVE_INFINITY
}

/** Begins a step: it becomes the cause of everything it starts. */
export function begin(causality: Causality, clock: Clock, step: Step, isolate: Isolate = step.isolate): void {
  causality.begin(step, isolate)
  clock.beginStep()
}

/**
 * Advances the clock to the next event, with a drawn delay if that is a timer. Returns how the
 * drive ends if the next event lies beyond the bound (`time`) or never comes (`idle`; `silent` where
 * it could only be a real one).
 */
function sleep(host: LoopHost): 'time' | 'idle' | 'silent' | undefined {
  const { clock, pool, handles, descriptors, timers, gateway } = host
  const eventUs = Math.min(pool.nextEventUs(), handles.nextEventUs(), descriptors.nextEventUs())
  if (eventUs === Number.POSITIVE_INFINITY && descriptors.rouse(clock.nowUs)) return undefined
  const expiryUs = timers.nextExpiryUs()
  const nextUs = Math.min(eventUs, expiryUs)
  if (nextUs <= clock.nowUs) return undefined
  if (gateway?.isAwaited) {
    // Meanwhile the clock follows the real one.
    const isOwnDelay = eventUs <= expiryUs && eventUs !== Number.POSITIVE_INFINITY
    const waitedUs = gateway.wait(gateway.patienceUs(nextUs - clock.nowUs, isOwnDelay))
    const fromUs = clock.nowUs
    clock.sleepTo(Math.min(fromUs + waitedUs, nextUs, clock.boundUs))
    if (gateway.collect()) return undefined
    if (nextUs === Number.POSITIVE_INFINITY) return 'silent'
  }
  if (nextUs === Number.POSITIVE_INFINITY) return 'idle'
  if (eventUs === Number.POSITIVE_INFINITY && !gateway?.isAwaited && timers.onlyIdle()) return 'idle'
  if (nextUs > clock.boundUs) return 'time'
  const timer = eventUs < expiryUs ? undefined : timers.nextTimerStep()
  const delayUs = timer === undefined ? 0 : host.timerLatencyUs(timer)
  clock.sleepTo(Math.min(nextUs + delayUs, clock.boundUs))
  return undefined
}
