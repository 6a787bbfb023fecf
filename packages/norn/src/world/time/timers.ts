/**
 * Intercepts Node's timers and immediates at `internalBinding('timers')`.
 *
 * Timeout and Immediate objects stay Node's, and Node's `processTimers` and `processImmediate`
 * decide their order; norn supplies the time and the moment of running, also to timers inside Node
 * (`AbortSignal.timeout`, sockets, `timers/promises`). Each remembers the step that set it, because
 * its callback property is an accessor on the prototype. Invariant: between `leave` and `enter` the
 * original functions run.
 */

import type { Note } from '../../contract/trace.ts'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { TimerPhases } from '../loop/loop.ts'
import { LOOP_START_MS, loopMs } from '../loop/loop-times.ts'
import { callFromTop, runTicks } from '../realm/callback-scope.ts'
import type { Control } from '../realm/replace.ts'

export interface TimersHost extends Control {
  readonly causality: Causality
  /** Virtual time in microseconds. */
  nowUs(): number
  /**
   * Called when a timer or an immediate is set; `step` is the step it will run as.
   *
   * @param first the first run of a timer that repeats
   */
  set(step: Step, first?: Step): void
  /**
   * Called with what the program does to a timer or an immediate, which runs as `subject`, or to a
   * signal; `ms` is the duration of a timer.
   */
  noted(event: Note['event'], subject?: Pick<Step, 'label'>, ms?: number): void
  /** Called when a timer or an immediate begins to run. */
  begin(event: 'timer' | 'immediate', step: Step): void
  /** Called with errors thrown by a timer, an immediate or a tick. */
  caught(error: unknown): void
  stopped(): boolean
  /** Draws a stall before the program's next operation. */
  stall(before: string): void
  /** Whether a timer changes nothing as long as nothing else happens, however often it runs. */
  isIdleTimer(timer: object): boolean
}

/** A timer or immediate that keeps the loop alive. */
export interface HeldTimer {
  /** `a timeout`, `an interval`, `an immediate` */
  readonly what: string
  /** Label of the step that set it. */
  readonly label: string
}

export interface InterceptedTimers extends TimerPhases {
  /**
   * Timers that keep the loop alive: intervals, timers set since `settledUs`, and timers due after
   * `boundUs`. Other timeouts would end by themselves.
   */
  held(settledUs: number, boundUs: number): HeldTimer[]
  /** Clears the timers and immediates of an isolate that has ended. */
  clear(isolate: Isolate): void
  enter(): void
  leave(): void
}

/** A linked list of timers of one duration (lib/internal/timers.js). */
interface TimersList {
  /** Milliseconds on the clock that `getLibuvNow` reads. */
  expiry: number
  /** The first timer, or the list itself. */
  _idlePrev: unknown
  readonly msecs: number
}

interface InternalTimers {
  readonly kRefed: symbol
  readonly kHasPrimitive: symbol
  readonly async_id_symbol: symbol
  readonly knownTimersById: Record<number, object>
  readonly Timeout: { prototype: object }
  readonly Immediate: { prototype: object }
  readonly immediateQueue: { head: unknown; tail: unknown }
  readonly timerListQueue: { peek(): TimersList | undefined; shift(): TimersList; insert(list: TimersList): void }
  readonly timerListMap: Record<string, TimersList>
  getTimerCallbacks(runNextTicks: () => void): {
    processImmediate(): void
    processTimers(nowMs: number): number
  }
}

type Callback = (...args: unknown[]) => unknown

/** Captured before any program can replace it. */
const { apply } = Reflect

const STEP = Symbol('norn.step')
/** The step of its first run; a repeating timer gets a new step each time. */
const FIRST_STEP = Symbol('norn.first step')
const CALLBACK = Symbol('norn.callback')
const RUN = Symbol('norn.run')

/** Positions of Node's counts in its info arrays. */
const TIMEOUT_REFS = 0
const IMMEDIATES = 0
const IMMEDIATE_REFS = 1
const HAS_OUTSTANDING = 2

export const timers: Interceptor<TimersHost, { readonly timers: InterceptedTimers }> = {
  name: 'timers',
  builtins: {
    timers: {
      controlled: 'setTimeout clearTimeout setImmediate clearImmediate setInterval clearInterval active _unrefActive',
      plain: 'enroll unenroll',
    },
    'timers/promises': { controlled: 'setTimeout setImmediate setInterval' },
    globals: { controlled: 'AbortSignal.timeout queueMicrotask setTimeout setInterval setImmediate' },
  },
  install: (host) => {
    const timers = interceptTimers(host)
    return { provides: { timers }, enter: () => timers.enter(), leave: () => timers.leave() }
  },
}

function interceptTimers(host: TimersHost): InterceptedTimers {
  const binding = internalBinding('timers')
  const internal = requireInternal<InternalTimers>('internal/timers')
  const { immediateQueue, timerListQueue, timerListMap } = internal
  const immediateInfo = binding.immediateInfo as Uint32Array
  const timeoutInfo = binding.timeoutInfo as Int32Array
  let next: NextItem = () => undefined
  const { processImmediate, processTimers } = internal.getTimerCallbacks(() => {
    runTicks()
    enterIsolateOf(next(), host.causality)
  })

  let lastImmediate: LinkedTimer | undefined
  rememberSteps(internal.Timeout.prototype, '_onTimeout', 'timer', host)
  rememberSteps(internal.Immediate.prototype, '_onImmediate', 'immediate', host, (item) => {
    lastImmediate = item
  })
  for (const name of ['refresh', 'ref', 'unref'] as const) noteCalls(internal.Timeout.prototype, name, host)

  let saved: SavedTimers | undefined
  /** The saved info arrays. */
  const [immediateNumbers, timeoutNumbers]: [number[], number[]] = [[], []]
  /**
   * Whether a timer or an immediate was set since `enter`; Node then calls one of the replaced
   * functions.
   */
  let touched = false
  /**
   * Whether the replacements are active: checking is faster than replacing for each execution.
   * Node's functions need their receiver, or they abort the process once V8 has compiled the call.
   */
  let entered = false
  for (const name of ['scheduleTimer', 'toggleTimerRef', 'toggleImmediateRef'] as const) {
    const real = binding[name] as (value: unknown) => void
    binding[name] = (value: unknown) => {
      if (entered) touched = true
      else apply(real, binding, [value])
    }
  }
  const nowMs = () => loopMs(host.nowUs())
  /**
   * Node reads the clock when it sets a timer: with another one pending, a stall before decides
   * which comes first.
   */
  const readMs = () => {
    if (timerListQueue.peek() !== undefined) host.stall('timer')
    return nowMs()
  }
  const realMs = binding.getLibuvNow as () => number
  binding.getLibuvNow = () => (entered ? readMs() : apply(realMs, binding, []))

  /**
   * Immediates that C++ has set outside of any call that norn watches: Node counts them with those of JavaScript, of
   * which they are none.
   */
  const strays = () => (immediateInfo[HAS_OUTSTANDING] ? 0 : immediateInfo[IMMEDIATE_REFS]! - refedImmediates(internal))

  /**
   * Runs one of Node's phases to its end, through errors, as the native side does.
   *
   * @param following what runs next in it
   */
  const runPhase = (phase: () => void, following: NextItem) => {
    next = following
    do enterIsolateOf(next(), host.causality)
    while (!callFromTop(phase, host.caught) && !host.stopped())
    while (!callFromTop(runTicks, host.caught) && !host.stopped());
  }
  const nextImmediate = () =>
    (lastImmediate === undefined ? immediateQueue.head : lastImmediate._idleNext) as LinkedTimer
  const nextTimer = (atMs: number) => {
    const list = timerListQueue.peek()
    const first = list?._idlePrev as LinkedTimer | TimersList | undefined
    if (list === undefined || first === list) return undefined
    const timer = first as LinkedTimer
    return timer._idleStart! + list.msecs <= atMs ? timer : undefined
  }

  return {
    enter() {
      saved = saveTimers()
      entered = true
      // With an empty queue this resets Node's record of the next expiry, so that it asks for the
      // first timer.
      processTimers(0)
      touched = false
    },
    leave() {
      if (saved === undefined) return
      const stray = strays()
      if (touched) {
        endItems(internal)
        discardTimers()
        // Node keeps immediates after one that threw outside its queue; they are inactive here and
        // do nothing.
        processImmediate()
        processTimers(0)
      }
      entered = false
      restoreTimers(saved)
      // The real loop runs them, and counts them down.
      immediateInfo[IMMEDIATE_REFS]! += stray
      // Lists expire later, so nothing runs; Node records the earliest again.
      if (touched || saved.lists.length > 0) processTimers(Number.NEGATIVE_INFINITY)
      saved = undefined
    },
    nextExpiryUs() {
      const list = timerListQueue.peek()
      return list === undefined ? Number.POSITIVE_INFINITY : (list.expiry - LOOP_START_MS) * 1000
    },
    nextTimerStep() {
      const list = timerListQueue.peek()
      const first = list?._idlePrev as { [STEP]?: Step } | undefined
      return first?.[STEP]
    },
    runTimers() {
      const atMs = nowMs()
      runPhase(
        () => processTimers(atMs),
        () => nextTimer(atMs),
      )
    },
    immediatesPending: () => immediateQueue.head !== null,
    runImmediates() {
      lastImmediate = undefined
      runPhase(processImmediate, nextImmediate)
    },
    onlyIdle() {
      const first = timerListQueue.peek()?._idlePrev
      return (
        first !== undefined &&
        host.isIdleTimer(first as object) &&
        timersOf(internal).every((each) => host.isIdleTimer(each))
      )
    },
    held: (settledUs, boundUs) =>
      heldTimers(internal, LOOP_START_MS + settledUs / 1000, LOOP_START_MS + boundUs / 1000),
    refed(isolate) {
      if (isolate !== undefined) return itemsOf(internal, isolate).some((item) => item.hasRef?.())
      if (timeoutInfo[TIMEOUT_REFS]! > 0) return true
      return immediateInfo[IMMEDIATES]! > 0 && immediateInfo[IMMEDIATE_REFS]! > strays()
    },
    clear(isolate) {
      for (const item of itemsOf(internal, isolate)) {
        if ('_idleTimeout' in item) clearTimeout(item as unknown as NodeJS.Timeout)
        else clearImmediate(item as unknown as NodeJS.Immediate)
      }
    },
  }

  function discardTimers() {
    while (timerListQueue.peek() !== undefined) timerListQueue.shift()
    for (const key of Object.keys(timerListMap)) delete timerListMap[key]
    immediateQueue.head = immediateQueue.tail = null
  }

  function saveTimers(): SavedTimers {
    const { head, tail } = immediateQueue
    const state: SavedTimers = { ...takenLists(), head, tail }
    take(immediateInfo, immediateNumbers)
    take(timeoutInfo, timeoutNumbers)
    immediateQueue.head = immediateQueue.tail = null
    return state
  }

  /** Reading the table would take most of the time; every list in it is in the queue too. */
  function takenLists(): Pick<SavedTimers, 'lists' | 'map'> {
    if (timerListQueue.peek() === undefined) return NO_LISTS
    const lists: TimersList[] = []
    const map: Record<string, TimersList> = {}
    while (timerListQueue.peek() !== undefined) lists.push(timerListQueue.shift())
    for (const key of Object.keys(timerListMap)) {
      map[key] = timerListMap[key]!
      delete timerListMap[key]
    }
    return { lists, map }
  }

  function restoreTimers(state: SavedTimers) {
    if (state.lists.length > 0) {
      for (const key of Object.keys(state.map)) timerListMap[key] = state.map[key]!
      for (const list of state.lists) timerListQueue.insert(list)
    }
    immediateQueue.head = state.head
    immediateQueue.tail = state.tail
    putBack(immediateInfo, immediateNumbers)
    putBack(timeoutInfo, timeoutNumbers)
  }
}

/**
 * Moves the numbers out of an array and leaves zeros. Without methods, which are slow on a few
 * numbers.
 */
function take(info: Uint32Array | Int32Array, numbers: number[]): void {
  for (let i = 0; i < info.length; i++) {
    numbers[i] = info[i]!
    info[i] = 0
  }
}

function putBack(info: Uint32Array | Int32Array, numbers: readonly number[]): void {
  for (let i = 0; i < numbers.length; i++) info[i] = numbers[i]!
}

interface LinkedTimer {
  readonly _idleNext?: LinkedTimer
  readonly _repeat?: unknown
  /** In milliseconds of the loop's clock. */
  readonly _idleStart?: number
  readonly _idleTimeout?: number
  readonly [STEP]?: Step
  readonly [FIRST_STEP]?: Step
  hasRef?(): boolean
}

function heldTimers({ timerListMap, immediateQueue }: InternalTimers, settledMs: number, boundMs: number): HeldTimer[] {
  const held: HeldTimer[] = []
  const note = (what: string, step: Step | undefined) => {
    if (step?.isolate.process.isFirst) held.push({ what, label: step.label })
  }
  for (const key of Object.keys(timerListMap)) {
    const list = timerListMap[key] as unknown as LinkedTimer
    for (let timer = list._idleNext; timer !== undefined && timer !== list; timer = timer._idleNext) {
      const { _repeat: repeats, _idleStart: setMs = 0, _idleTimeout: waitMs = 0 } = timer
      const lasts = repeats || setMs >= settledMs || setMs + waitMs > boundMs
      if (lasts && timer.hasRef?.()) note(repeats ? 'an interval' : 'a timeout', timer[FIRST_STEP] ?? timer[STEP])
    }
  }
  const immediate = immediateQueue.head as LinkedTimer | null
  if (immediate?.hasRef?.()) note('an immediate', immediate[STEP])
  return held
}

function timersOf({ timerListMap }: InternalTimers): LinkedTimer[] {
  const timers: LinkedTimer[] = []
  for (const key of Object.keys(timerListMap)) {
    const list = timerListMap[key] as unknown as LinkedTimer
    for (let timer = list._idleNext; timer !== undefined && timer !== list; timer = timer._idleNext) timers.push(timer)
  }
  return timers
}

/**
 * Ends the timers and immediates that an execution leaves behind, as if they had run. What outlives the execution,
 * such as a package that Node has loaded, may still hold them. Node takes an item that has not ended for a pending
 * one: clearing it would lower the count of those that are pending now.
 */
function endItems(internal: InternalTimers): void {
  const { kRefed, kHasPrimitive, async_id_symbol, knownTimersById } = internal
  const ended = { _idleNext: null, _idlePrev: null, _destroyed: true, [STEP]: undefined }
  for (const item of itemsOf(internal)) {
    const isTimer = '_idleTimeout' in item
    if (isTimer && Reflect.get(item, kHasPrimitive)) delete knownTimersById[Reflect.get(item, async_id_symbol)]
    const values: object = isTimer ? ended : { ...ended, [kRefed]: null }
    // Does nothing to an item that the program froze; Node cannot clear it either.
    for (const key of Reflect.ownKeys(values)) Reflect.set(item, key, Reflect.get(values, key))
  }
}

function refedImmediates({ immediateQueue, kRefed }: InternalTimers): number {
  let count = 0
  for (let item = immediateQueue.head as LinkedTimer | null | undefined; item; item = item._idleNext)
    if (Reflect.get(item, kRefed)) count++
  return count
}

/** The timers and immediates that an isolate has set, or all. */
function itemsOf({ timerListMap, immediateQueue }: InternalTimers, isolate?: Isolate): LinkedTimer[] {
  const items: LinkedTimer[] = []
  const take = (first: LinkedTimer | null | undefined, end: LinkedTimer | null) => {
    for (let item = first; item !== undefined && item !== null && item !== end; item = item._idleNext) {
      if (isolate === undefined || item[STEP]?.isolate === isolate) items.push(item)
    }
  }
  for (const key of Object.keys(timerListMap)) {
    const list = timerListMap[key] as unknown as LinkedTimer
    take(list._idleNext, list)
  }
  take(immediateQueue.head as LinkedTimer | null, null)
  return items
}

const NO_LISTS: Pick<SavedTimers, 'lists' | 'map'> = { lists: [], map: {} }

interface SavedTimers {
  readonly lists: readonly TimersList[]
  readonly map: Record<string, TimersList>
  readonly head: unknown
  readonly tail: unknown
}

/** What Node's phase runs next; undefined if nothing. */
type NextItem = () => LinkedTimer | null | undefined

/** Node calls hooks before it calls the callback: they are those of the isolate that set the item. */
function enterIsolateOf(item: LinkedTimer | null | undefined, causality: Causality): void {
  const isolate = item?.[STEP]?.isolate
  if (isolate === undefined || isolate === causality.isolate || isolate.hasEnded || isolate.isBlocked) return
  causality.enter(isolate)
}

/**
 * Makes the callback property of a timer class record the step that set it, and begin a step when
 * called.
 */
function rememberSteps(
  prototype: object,
  property: string,
  event: 'timer' | 'immediate',
  host: TimersHost,
  runs: (item: LinkedTimer) => void = () => {},
): void {
  /** Replaces the callback of every item set under the world. */
  function run(this: Item, ...args: unknown[]): unknown {
    const running = this[STEP]!
    runs(this as LinkedTimer)
    if (!host.active() || running.isolate.hasEnded) return undefined
    if (running.isolate.isBlocked) host.refuse('Atomics.wait in a thread with a timer')
    const callback = this[CALLBACK] as Callback
    this[RUN] = true
    host.begin(event, running)
    // A repeating timer's next run is the first child of this one, whatever the callback starts.
    if ((this as { _repeat?: unknown })._repeat) {
      this[FIRST_STEP] ??= running
      this[STEP] = host.causality.child(running)
      host.set(this[STEP], this[FIRST_STEP])
    }
    // The program may have given it properties.
    return apply(callback, this, args)
  }
  Object.defineProperty(prototype, property, {
    configurable: true,
    get(this: Item) {
      return this[STEP] === undefined ? this[CALLBACK] : run
    },
    set(this: Item, callback: unknown) {
      const isSet = typeof callback === 'function' && host.active()
      const step = isSet ? host.causality.child() : undefined
      if (typeof callback !== 'function' && isPending(this, event) && host.active()) noteOf(this, 'clear', host)
      this[CALLBACK] = callback
      this[STEP] = step
      if (step === undefined) return
      this[FIRST_STEP] = step
      host.set(step)
      noteOf(this, 'set', host)
    },
  })
}

interface Item {
  [CALLBACK]?: unknown
  [STEP]?: Step | undefined
  [FIRST_STEP]?: Step | undefined
  /** Whether it has run. */
  [RUN]?: boolean
  _onTimeout?: unknown
  readonly _idleNext?: unknown
  readonly _repeat?: unknown
  readonly _idleTimeout?: number
}

/** Whether an item that loses its callback would run; Node also drops the callback of one that ran. */
function isPending(item: Item, event: 'timer' | 'immediate'): boolean {
  if (item[STEP] === undefined) return false
  if (event === 'immediate') return !item[RUN]
  return Boolean(item._repeat) || (Boolean(item._idleNext) && item._idleNext !== item)
}

function noteOf(item: Item, event: Note['event'], { noted }: TimersHost): void {
  noted(event, item[STEP], item._idleTimeout)
}

/** Notes each call of a method of timers. To refresh one that another execution has set is to set it. */
function noteCalls(prototype: object, name: 'refresh' | 'ref' | 'unref', host: TimersHost): void {
  const methods = prototype as Record<typeof name, Callback>
  const real = methods[name]
  const { [name]: noting } = {
    [name](this: Item) {
      if (host.active()) {
        // Isolates share no timer.
        const isSet = name !== 'refresh' || this[STEP]?.isolate === host.causality.isolate
        // That of a timer which Node set before the world was installed is a property of its own.
        if (!isSet) this._onTimeout = this[CALLBACK] ?? this._onTimeout
        else if (this[STEP] !== undefined) noteOf(this, name, host)
      }
      return apply(real, this, [])
    },
  }
  methods[name] = noting!
}
