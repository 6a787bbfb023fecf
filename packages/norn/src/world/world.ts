/**
 * The world: a controlled Node. It intercepts the layer below Node's own JavaScript (timers, clock,
 * random numbers, files, thread pool, process) and runs one program at a time, drawing every
 * latency from a tape.
 *
 * Invariants: equal programs and tapes give equal traces, in any process. An execution runs inside
 * one macrotask of the real loop, so nothing outside intervenes. Uncontrolled operations make it
 * inconclusive, by name and stack. A process installs one world, before any code under test loads;
 * outside `execute` every intercepted function acts as the original.
 */
import { stat } from 'node:fs'
import { hostname } from 'node:os'
import { sep } from 'node:path'
import type { DatabaseTarget } from '../contract/database.ts'
import type { FileChange } from '../contract/file-change.ts'
import { type InconclusiveReason, whatOf } from '../contract/inconclusive.ts'
import type { OpenAddress } from '../contract/open-address.ts'
import { isStackOverflow } from '../contract/stack-overflow.ts'
import type { ProgramFiles } from '../loader/program-files.ts'
import type { BuiltinGate } from '../loader/resolve.ts'
import type { Delays } from '../options/latency-ranges.ts'
import type { SchedulePoint } from '../schedule/strategy.ts'
import type { Tape } from '../tape/tape.ts'
import { Addons } from './addons.ts'
import { ClockReads } from './clock-reads.ts'
import { DatabaseFaults } from './devices/database-faults.ts'
import { Devices } from './devices/devices.ts'
import { Draws } from './draws.ts'
import { Driver } from './driver.ts'
import { DEFAULT_BOUNDS, type ExecuteOptions, type ExecutionReport, type Program } from './execution.ts'
import { type InterceptedNode, interceptNode } from './intercepted-node.ts'
import { type Leak, Leaks } from './isolation/leaks.ts'
import { putChanges, watchProperties } from './isolation/object-snapshot.ts'
import { AsyncHandles } from './loop/async-handles.ts'
import { Causality, type Watch } from './loop/causality.ts'
import { Faults } from './loop/faults.ts'
import type { DriveEnd } from './loop/loop.ts'
import { Descriptors } from './loop/poll-descriptors.ts'
import { Pool } from './loop/pool.ts'
import { Clock } from './loop/virtual-clock.ts'
import { shown } from './network/addresses.ts'
import { HostNames } from './network/host-names.ts'
import type { Hosts } from './network/host-records.ts'
import { Latencies } from './network/latencies.ts'
import { NetworkFaults } from './network/network-faults.ts'
import { Gateway } from './open/gateway.ts'
import { Operations } from './operations.ts'
import type { Commands } from './processes/commands.ts'
import { OpenHandles } from './processes/process.ts'
import type { NotPlayed, PlayElsewhere, Played, SynchronousCall } from './processes/synchronous.ts'
import { assertMacrotask, drainTicks, expectMacrotask } from './realm/callback-scope.ts'
import { loudTermination, Termination } from './realm/ending.ts'
import { RealError } from './realm/language.ts'
import { setOutside } from './realm/outside.ts'
import { MAX_PRINTED, Recording } from './recording.ts'
import { followPromises } from './trace/settled-promises.ts'
import { OUT_OF_TIME, Verdict } from './verdict.ts'

const NO_HOSTS: Hosts = {}
const NO_COMMANDS: Commands = {}

/** Real time in which a device has to answer unless set. */
const PATIENCE_MS = 30_000

/** Turns of the real loop before norn reports a deadlock. */
const OUTSIDE_TURNS = 25

export interface WorldOptions {
  readonly root: string
  readonly open?: readonly OpenAddress[]
  /** Real servers that take part in executions. */
  readonly devices?: readonly DatabaseTarget[]
  /** Real time in which one of them has to answer, in milliseconds. */
  readonly patienceMs?: number
  /** A folder that is removed after the process. */
  readonly scratch?: string
  /** Globals that make requests and stay as they are: those of the environment of the tests; none unless set. */
  readonly keptGlobals?: ReadonlySet<string>
  /** Runs a Node that the program waits for within a call; such a call is inconclusive without. */
  readonly elsewhere?: PlayElsewhere
  /** As of `Addons`. */
  readonly allowedAddons?: readonly string[]
}

export class World {
  readonly addons: Addons
  readonly #causality = new Causality((from, to) => this.#node.entering(from, to))
  readonly #watch: Watch = {
    child: (child, parent) => {
      this.#recording.recordTraffic?.starts(child, parent)
      this.#recording.recordMessaging?.makes(child)
    },
    begins: (step, isolate) => this.#recording.recordMessaging?.runs(step, isolate),
  }
  readonly #clock = new Clock(0, () => this.#verdict.stop(OUT_OF_TIME))
  readonly #pool = new Pool((task) => this.#operations.tookEffect(task))
  readonly #handles = new AsyncHandles()
  readonly #descriptors = new Descriptors()
  readonly #draws = new Draws()
  readonly #latencies = new Latencies()
  readonly #recording: Recording
  readonly #faults: Faults
  readonly #leaks: Leaks
  readonly #verdict = new Verdict()
  readonly #operations: Operations
  readonly #reads: ClockReads
  readonly #node: InterceptedNode
  readonly #openHandles = new OpenHandles()
  readonly #driver: Driver
  readonly #gateway: Gateway | undefined
  readonly #devices: Devices | undefined
  /** Names of open addresses and of databases. */
  readonly #givenHosts: Hosts
  #active = false
  /** Counts what an execution does to the process: variables, directories, listeners. */
  #effects = 0
  #bounds = DEFAULT_BOUNDS
  #wholeWrites = false
  #hosts: Hosts = NO_HOSTS
  #commands = NO_COMMANDS
  #names = new HostNames(NO_HOSTS, hostname())
  #onFault: ExecuteOptions['onFault']

  /** @param root paths below it are named relative to it in traces */
  private constructor({
    root,
    open = [],
    devices = [],
    patienceMs = PATIENCE_MS,
    scratch,
    keptGlobals = new Set(),
    allowedAddons = [],
    elsewhere,
  }: WorldOptions) {
    this.addons = new Addons(root, allowedAddons)
    this.#recording = new Recording(root, () => this.#clock.nowUs)
    this.#faults = new Faults({
      draw: (subject, max, alias) => this.#operations.drawn(() => this.#draws.fault(subject, max, alias)),
      relative: (path) => this.#recording.relative(path),
      injected: (step, resource, injected) => {
        const { operation: kind, fault: outcome } = injected
        this.#recording.add({ event: 'fault', step, kind, resource, outcome })
        this.#onFault?.(injected)
      },
    })
    this.#leaks = new Leaks((path) => this.#recording.relative(path))
    this.#operations = new Operations({
      active: () => this.#active,
      causality: this.#causality,
      clock: this.#clock,
      pool: this.#pool,
      draws: this.#draws,
      latencies: this.#latencies,
      recording: this.#recording,
      faults: this.#faults,
      leaks: this.#leaks,
      verdict: this.#verdict,
    })
    this.#reads = new ClockReads({
      causality: this.#causality,
      clock: this.#clock,
      draws: this.#draws,
      pool: this.#pool,
      recording: this.#recording,
      verdict: this.#verdict,
      drawn: (draw) => this.#watchOverflow(() => this.#operations.drawn(draw)),
    })
    this.#givenHosts = Object.fromEntries(
      [...open, ...devices].flatMap((each) => ('host' in each ? [[each.host, each.addresses] as const] : [])),
    )
    if (devices.length > 0)
      this.#devices = new Devices(devices, patienceMs, {
        causality: this.#causality,
        descriptors: this.#descriptors,
        faults: new DatabaseFaults(this.#faults, () => this.#recording.paused),
        nowUs: () => this.#clock.nowUs,
        outside: (action) => this.outside(action),
        wallUs: () => Math.round(this.#reads.wallMsAt(this.#clock.nowUs) * 1000),
        traffic: () => this.#recording.recordTraffic,
        announce: (kind, resource, point, places, message) =>
          this.#operations.announce(kind, resource, point, places, message),
        refuse: (reason) => this.#verdict.refuse(reason),
      })
    if (open.length > 0)
      this.#gateway = new Gateway(open, {
        causality: this.#causality,
        descriptors: this.#descriptors,
        nowUs: () => this.#clock.nowUs,
        outside: (action) => this.outside(action),
      })
    this.#node = interceptNode({
      scratch,
      elsewhere: elsewhere && ((call) => this.outside(() => elsewhere(call))),
      gateway: this.#gateway,
      devices: this.#devices,
      causality: this.#causality,
      handles: this.#handles,
      pool: this.#pool,
      descriptors: this.#descriptors,
      active: () => this.#active,
      names: () => this.#names,
      commands: () => this.#commands,
      stopped: () => this.#verdict.known,
      nowUs: () => this.#clock.nowUs,
      loopTimes: this.#clock.loopTimes,
      readUs: () => this.#reads.readUs(),
      wallUs: () => this.#reads.wallUs(),
      wallMsAt: (us) => this.#reads.wallMsAt(us),
      sleepUs: (us) => {
        this.#clock.advance(us)
        this.#pool.performDue(this.#clock.nowUs)
      },
      chance: () => this.#draws.chance(),
      submit: (operation) => this.#watchOverflow(() => this.#operations.submit(operation)),
      announce: (
        kind: string,
        resource: string,
        point?: 'callback',
        places?: number,
        message?: string,
        link?: Delays,
      ) => this.#watchOverflow(() => this.#operations.announce(kind, resource, point, places, message, link)),
      link: (...places) => this.#latencies.link(...places),
      writesWhole: () => this.#wholeWrites,
      traffic: () => this.#recording.recordTraffic,
      messaging: () => this.#recording.recordMessaging,
      workUs: (step, kind) => this.#operations.latencyUs(step, kind, 'callback'),
      announceChange: (kind, resource) => this.#watchOverflow(() => this.#operations.announceChange(kind, resource)),
      lateUs: (kind, resource) => this.#watchOverflow(() => this.#operations.lateUs(kind, resource)),
      performed: (kind, resource) => this.#watchOverflow(() => this.#operations.performed(kind, resource)),
      faulty: () => this.#faults.possible,
      faultsAllowed: () => this.#faults.allows('fs'),
      fault: (call, possible) => this.#faults.meet(call, possible),
      networkFaults: new NetworkFaults(this.#faults, () => this.#recording.paused),
      set: (step, first) => this.#recording.setStep(step, first),
      stall: (before) => this.#operations.stall(before),
      noted: (event, subject, ms) => this.#recording.note(this.#causality.current, event, subject, ms),
      begin: (event, step) => this.#driver.begin(event, step),
      keptGlobals,
      changing: (name, before) => {
        this.#effects++
        this.#leaks.changing(name, before)
      },
      leaving: (directory) => {
        this.#effects++
        this.#leaks.leaving(directory)
      },
      affecting: () => void this.#effects++,
      listened: (listener) => {
        this.#effects++
        this.#leaks.listened(listener)
      },
      opened: (opened) => this.#leaks.opened(opened),
      connects: (socket) => this.#leaks.connects(socket),
      bears: (child) => this.#leaks.bears(child),
      output: (text) => this.#print(text),
      refuse: (operation) => this.#verdict.refuse({ kind: 'uncontrolled operation', operation }),
      neverEnds: (why) => this.#verdict.stop(why),
      approach: (way) => this.#verdict.approach(way),
      uncaught: (error, rejection) => {
        this.#recording.appears(error, this.#causality.current)
        this.#verdict.fail({ kind: rejection ? 'unhandled rejection' : 'uncaught exception', error })
      },
      exited: (how, code) => {
        if (how === 'exit') this.#driver.exits(code)
        const error = new RealError(how === 'exit' ? `process.exit(${code})` : 'process.abort()')
        this.#verdict.fail({ kind: how, error })
        throw new Termination('the program ended the process')
      },
    })
    this.#driver = new Driver({
      causality: this.#causality,
      clock: this.#clock,
      pool: this.#pool,
      handles: this.#handles,
      descriptors: this.#descriptors,
      gateway: this.#gateway,
      draws: this.#draws,
      recording: this.#recording,
      verdict: this.#verdict,
      operations: this.#operations,
      timers: this.#node.timers,
      react: this.#node.react,
      uncaught: this.#node.uncaught,
      others: this.#node.others,
    })
  }

  static #installed: World | undefined

  /**
   * Installs the world in this process, once. Needs `--expose-internals`; throws `InternalsHidden`
   * without.
   *
   * @param options.root paths below it are named relative to it in traces
   * @param options.open addresses to which real sockets are let through; none by default
   */
  static install(options: WorldOptions): World {
    const world = (World.#installed ??= new World(options))
    setOutside((action) => world.outside(action))
    return world
  }

  /** Virtual time since the execution began, in microseconds. */
  get nowUs(): number {
    return this.#clock.nowUs
  }

  /** The schedule point being drawn; undefined while any other choice is drawn. */
  schedulePoint(maxUs: number): SchedulePoint | undefined {
    const { currentPoint } = this.#draws
    if (currentPoint === undefined) return undefined
    const { kind, chain } = currentPoint
    return { kind, chain, maxUs, nowUs: this.#clock.nowUs, alone: this.#pool.pending === 0 }
  }

  /** Runs an action with Node's original functions, during an execution. */
  outside<Result>(action: () => Result): Result {
    const wasActive = this.#active
    this.#active = false
    try {
      return action()
    } finally {
      this.#active = wasActive
    }
  }

  /** Checks builtin modules before the program gets them. */
  get builtins(): BuiltinGate {
    return this.#node.builtins
  }

  /** The files as the execution has changed them. */
  get files(): ProgramFiles {
    return this.#node.files
  }

  /** Whether code of the program runs. */
  get active(): boolean {
    return this.#active
  }

  /**
   * Tells, by a text, what the program has done to its world while its modules load: two are equal if nothing was
   * done in between that another execution would have to do again.
   */
  loadingEffects(): string {
    const { length } = this.#recording.output
    const left = this.#node.leftOpen().length
    const numbers = [this.#clock.nowUs, this.#pool.submitted, length, left, this.#effects, this.#node.files.changes()]
    const { label, children } = this.#causality.current
    return `${numbers} ${label} ${children}`
  }

  /** The same of what modules that load later can see: the process, its files, builtins and globals. */
  loadingMarks(): string {
    return `${this.#effects} ${this.#node.files.changes()} ${this.#node.changesSeen()}`
  }

  /** How often the program has asked for random numbers. */
  get loadingDraws(): number {
    return this.#draws.loadingDraws
  }

  /**
   * What loading has done that another execution can have without it: changed properties of builtins and globals,
   * whose values these are, and random numbers that were drawn.
   */
  loadingState(): { readonly values: readonly unknown[]; repeat(): void } {
    const changes = this.#node.changesOfObjects()
    const goOn = this.#draws.keepLoading()
    const values = changes.flatMap(({ properties }) =>
      properties.flatMap(([, now]) => [now?.value as unknown, now?.get, now?.set]),
    )
    return {
      values,
      repeat() {
        changes.forEach(putChanges)
        goOn()
      },
    }
  }

  /**
   * Calls back when the program reads or writes a property of a builtin or a global that it has changed.
   *
   * @returns what ends this
   */
  watchChanged(found: () => void): () => void {
    return watchProperties(this.#node.changesOfObjects(), found)
  }

  /** The body calls `note`, or `target` with a value: for reports. */
  mark(name: string, value?: number): void {
    this.#recording.mark(this.#causality.current, name, value)
  }

  /** Injects no fault until the returned function is called, or the execution ends. */
  suspendFaults(): () => void {
    return this.#faults.suspend()
  }

  /** Fails the execution as if the body had thrown. Throws. */
  fail(error: Error): never {
    return this.#verdict.end(error)
  }

  /** Makes the execution inconclusive. Throws. */
  refuse(reason: InconclusiveReason): never {
    return this.#verdict.refuse(reason)
  }

  /**
   * Runs one program under a tape, to its end.
   *
   * @throws if an execution is in progress
   */
  execute<Loaded>(tape: Tape, program: Program<Loaded>, options: ExecuteOptions = {}): ExecutionReport {
    if (this.#active) throw new Error('an execution is already in progress (the world runs one at a time)')
    this.#reset(tape, options)
    const { maxSteps } = this.#bounds
    const handlesBefore = this.#openHandles.before()
    let points = 0
    let durationUs = 0
    let changedObjects = false
    let leaks: readonly Leak[] = []
    let fileChanges: readonly FileChange[] = []
    const unfollow = options.explain === true ? this.#followPromises() : undefined
    this.#node.enter()
    this.#active = true
    try {
      this.#setLoading(true)
      expectMacrotask(this.#node.react)
      const loaded = this.#driver.settle(() => program.load(), maxSteps, false)
      assertMacrotask()
      this.#setLoading(false)
      this.#verdict.judgeLoading(loaded)
      if (loaded.how === 'fulfilled') {
        this.#commands = program.commands?.(loaded.value as Loaded) ?? NO_COMMANDS
        this.#leaks.loaded(this.#node.leftOpen())
        const startUs = this.#clock.nowUs
        this.#recording.beginStep()
        this.#recording.add({ event: 'start', step: this.#causality.current, kind: 'body' })
        const settled = this.#driver.settle(() => program.body(loaded.value as Loaded), maxSteps, true)
        if (settled.how !== 'fulfilled' && settled.how !== 'rejected') this.#stuck(options)
        const measure = () => {
          points = this.#draws.points
          durationUs = this.#clock.nowUs - startUs
        }
        measure()
        if (settled.how === 'rejected') this.#recording.appears(settled.error, this.#causality.current)
        this.#verdict.judgeBody(settled, this.#bounds, this.#gateway?.names)
        this.#gateway?.settled()
        this.#recording.add({ event: 'settled', step: this.#causality.current, kind: settled.how })
        const settledAt = { us: this.#clock.nowUs, submitted: this.#pool.submitted }
        const end = this.#driver.finish(program.isOfRunner?.())
        // A body that only starts operations settles before its first schedule point.
        if (points === 0) measure()
        if (!this.#verdict.stops) leaks = this.#findLeaks(end, settledAt)
      }
      // Drain what is still queued; it no longer counts.
      this.#verdict.pass()
      drainTicks(this.#node.uncaught)
      this.#findMissing()
      this.#findUnheard()
    } finally {
      fileChanges = this.#recording.fileChanges()
      this.#active = false
      unfollow?.()
      this.#gateway?.reset()
      this.#devices?.reset()
      // Restore objects first: describing a failure uses functions that the program may have
      // broken.
      const passed = this.#verdict.ending?.kind === 'passed'
      changedObjects = this.#node.leave(!passed || (options.restoreObjects ?? true))
    }
    if (this.#node.mayHaveOpened() && this.#openHandles.haveGrown(handlesBefore)) this.#verdict.lostControl()
    const ending = this.#verdict.ending!
    // The depth of an overflow, and so what the step did before it, varies between processes.
    if (ending.kind === 'failed' && isStackOverflow(ending.failure.error)) this.#recording.dropStep()
    return {
      ending,
      order: this.#recording.order,
      timeline: this.#recording.timeline,
      trace: this.#recording.trace,
      notes: this.#recording.notes(),
      traffic: this.#recording.traffic,
      messaging: this.#recording.messaging,
      fileChanges,
      output: this.#recording.output,
      points,
      durationUs,
      faults: this.#faults.injected,
      faultPoints: this.#draws.faultPoints,
      matched: [...this.#latencies.matched],
      chains: this.#causality.chains,
      origins: this.#recording.origins.take(),
      failedIn: ending.kind === 'failed' ? this.#recording.whereAppeared(ending.failure.error) : undefined,
      leaks,
      changedObjects,
    }
  }

  /**
   * Runs a child whose parent waits for it in another process.
   *
   * @param load makes a loader ready for its modules
   */
  play(tape: Tape, call: SynchronousCall, load: () => unknown): Played | NotPlayed {
    let played: Played | NotPlayed | undefined
    const body = async () => {
      played = await this.#node.synchronous.play(call)
    }
    const { ending } = this.execute(tape, { load, body }, { startMs: call.startMs })
    if (ending.kind === 'passed') return played!
    if (ending.kind === 'inconclusive') return { lacks: whatOf(ending.reason) }
    const { kind, error } = ending.failure
    return kind === 'deadlock' || kind === 'no progress' ? { isEndless: true } : { lacks: String(error) }
  }

  /**
   * Restores shared objects between executions, where `execute` did not; returns whether any had
   * changed.
   */
  restoreObjects(): boolean {
    return this.#node.restoreObjects()
  }

  /**
   * Lets norn change the globals between executions: further ones begin with them. Returns false, without calling
   * the action, if an execution may have left what cannot be taken back.
   */
  renew(action: () => void): boolean {
    this.restoreObjects()
    if (
      this.#gateway !== undefined ||
      this.#devices !== undefined ||
      this.addons.haveLoaded ||
      !this.#node.isRestored()
    )
      return false
    action()
    this.#node.renewGlobals()
    return true
  }

  /**
   * After a deadlock: turns the real loop to see whether the body settles after all, because an
   * operation outside norn was pending. Then the execution is inconclusive, not a deadlock. The
   * program cannot act meanwhile: every operation it starts is rejected.
   */
  async pendingOutside(): Promise<boolean> {
    this.#active = true
    try {
      for (let turn = 0; turn < OUTSIDE_TURNS && !this.#driver.settled; turn++) {
        // A trip to the real pool takes at least a turn, and gives other work on the pool time.
        await new Promise<void>((resolve) => this.outside(() => stat(sep, () => resolve())))
      }
      return this.#driver.settled
    } finally {
      this.#active = false
    }
  }

  #reset(
    tape: Tape,
    {
      bounds = DEFAULT_BOUNDS,
      hosts = NO_HOSTS,
      network,
      slow,
      faults = {},
      clock,
      startMs,
      wholeWrites = false,
      onFault,
      explain = false,
    }: ExecuteOptions,
  ): void {
    if (hosts !== this.#hosts || this.#gateway !== undefined || this.#devices !== undefined)
      this.#names = new HostNames({ ...this.#givenHosts, ...hosts }, hostname())
    this.#hosts = hosts
    this.#latencies.reset(network, slow, this.#names)
    this.#commands = NO_COMMANDS
    this.#bounds = bounds
    this.#wholeWrites = wholeWrites
    this.#onFault = onFault
    this.#clock.reset(bounds.maxVirtualUs)
    this.#causality.reset(explain ? this.#watch : undefined)
    this.#pool.reset()
    this.addons.reset()
    this.#handles.reset()
    this.#descriptors.reset()
    this.#draws.reset(tape, bounds.maxLatencyUs, explain !== false)
    if (explain) this.#recording.reset(this.#causality, explain === true ? this.#node.files : undefined)
    else this.#recording.reset(undefined)
    this.#faults.reset(faults)
    this.#reads.reset(clock, startMs)
    this.#leaks.reset(explain === true)
    this.#verdict.reset()
  }

  #followPromises(): () => void {
    const current = () => (this.#active && !this.#recording.paused ? this.#causality.current : undefined)
    return followPromises(current, (by, settled) => this.#recording.settle(by, settled))
  }

  #setLoading(on: boolean): void {
    this.#draws.loading = this.#recording.paused = on
  }

  /** Apart from `execute`, which makes no closure for what searching does not need. */
  #stuck({ onStuck }: ExecuteOptions): void {
    if (onStuck !== undefined) this.outside(onStuck)
  }

  /** The program may call with almost no stack left, so that norn's function overflows it. */
  #watchOverflow<Result>(action: () => Result): Result {
    try {
      return action()
    } catch (error) {
      throw this.#verdict.noteOverflow(error)
    }
  }

  /** The leaks of a passing execution, given how its loop ended. */
  #findLeaks(end: DriveEnd | undefined, settledAt: { readonly us: number; readonly submitted: number }): Leak[] {
    const running =
      end === 'idle'
        ? undefined
        : {
            timers: this.#node.timers.held(settledAt.us, this.#clock.boundUs),
            // Operations in progress when the body settled would have ended by themselves.
            tasks: this.#pool.tasks.filter(({ id }) => id >= settledAt.submitted),
          }
    try {
      return this.#leaks.found({ running, open: this.#node.leftOpen(), origins: this.#recording.origins.take() })
    } catch {
      // The program broke what the search for leaks needs; all of it is restored afterwards.
      return []
    }
  }

  /** Other machines may answer what was sent to their group. */
  #findUnheard(): void {
    const unheard = this.#node.unheard()
    if (unheard === undefined || this.#verdict.ending?.kind === 'inconclusive') return
    const operation = `a datagram to ${shown(unheard.to)}, a group that no socket of the program joins`
    this.#verdict.lacks({ kind: 'uncontrolled operation', operation }, unheard.way, undefined)
  }

  /** A failure because a server or an addon is missing is not the program's. */
  #findMissing(): void {
    const { ending } = this.#verdict
    if (ending?.kind !== 'failed') return
    const { kind, error } = ending.failure
    const missing = this.#node.missing(error, kind === 'deadlock' || kind === 'no progress')
    if (missing !== undefined)
      this.#verdict.lacks({ kind: 'missing server', address: shown(missing.to) }, missing.way, error)
    const withheld = this.addons.behind(error, kind === 'loading')
    if (withheld !== undefined)
      this.#verdict.lacks({ kind: 'native addon', addon: withheld.addon }, withheld.error, error)
  }

  #print(text: string): void {
    if (this.#verdict.hasExited) return
    this.#recording.print(text)
    if (!this.#recording.printedTooMuch) return
    this.#verdict.noProgress(`it printed more than ${MAX_PRINTED} characters`)
    throw loudTermination()
  }
}
