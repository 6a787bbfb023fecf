/**
 * Shares modules between executions: they are evaluated once, and what they keep is put back before each.
 *
 * To evaluate a program's modules takes longer than most of its executions. So once loading has taken as long as
 * it costs to prepare this, or would in what is left of the search, one loading is followed (`load-watch.ts`), to
 * find the modules that only make values. In the next execution these are evaluated first, in their order, in a
 * build whose scopes can be read (`scope-writer.ts`), and a picture is taken of all they keep (`picture.ts`). Later
 * executions go on from there: what is known to change is put back before each; whether anything else has changed
 * is looked at after each of the first executions, then ever more rarely.
 *
 * A module is evaluated in each execution, with all that import it, if it acts on the world while it loads, keeps
 * what cannot be read (a generator, a pending promise, native state), changes what cannot be put back, or declares
 * tests. The time that loading takes decides when sharing begins, and nothing else: an execution does the same
 * with and without.
 */
import { performance } from 'node:perf_hooks'
import type { Counts } from '../coverage.ts'
import { isEvaluatedInEach } from '../host-unit.ts'
import type { Instance } from '../instance.ts'
import type { Unit } from '../unit.ts'
import type { FileUnit } from '../units.ts'
import { BuiltinObjects } from './builtin-objects.ts'
import type { LoadingState, SharingHost } from './host.ts'
import { type Inspection, inspected } from './inspection.ts'
import { LateModules } from './late-modules.ts'
import { LoadOrder, LoadWatch } from './load-watch.ts'
import { Picture } from './picture.ts'
import { type KeptScopes, keepingScopes, type ScopeToken } from './scope-tokens.ts'
import { type Ahead, worthwhileAt } from './worthwhile.ts'

/** Executions whose loading is timed: the first ones, and once more before preparing, when the code is hot. */
const TIMED = 3
const TIMINGS = 2
/** Below this, in milliseconds, loading is not worth the trouble. */
const LEAST_MS = 0.5
/** Pictures taken before sharing is given up. */
const MOST_PICTURES = 12
/** All is looked at after each of the first executions, then at least once in so many. */
const ONE_BY_ONE = 16
const PERIOD = 256

/** In place of the number of a module, for what is of them all. */
const OF_SYSTEM = -1

type State = 'timing' | 'waiting' | 'following' | 'picturing' | 'sharing' | 'off'

export class Sharing {
  readonly #host: SharingHost
  #state: State = 'timing'
  #executions = 0
  #own: readonly string[] = []
  #began = 0
  #loadingMs = 0
  #timed = 0
  #timings = 0
  /** When loading will have cost as much as preparing. */
  #worthwhileAt = Number.POSITIVE_INFINITY
  #instance: Instance | undefined
  #watch: LoadWatch | undefined
  /** Those that are evaluated in each execution. */
  readonly #afresh = new Set<FileUnit>()
  #order: FileUnit[] = []
  #parents: ReadonlyMap<FileUnit, string> = new Map()
  /** Those that do what modules can see that load later. */
  #marking: ReadonlySet<FileUnit> = new Set()
  /** Those that draw random numbers while they load. */
  #drawing: ReadonlySet<FileUnit> = new Set()
  readonly #importers = new Map<FileUnit, Set<FileUnit>>()
  #builtins: BuiltinObjects | undefined
  #picture: Picture | undefined
  /** Of the instance that is shared. */
  #late: LateModules | undefined
  #pictures = 0
  #counts: Counts | undefined
  /** What shared modules did to the world while they loaded. */
  #loadingState: LoadingState | undefined
  #isMisled = false
  /** Of the search that is under way, and the executions before it. */
  #ahead: Ahead | undefined
  #earlier = 0
  #sinceLook = 0
  #period = ONE_BY_ONE
  #oneByOne = ONE_BY_ONE

  constructor(host: SharingHost) {
    this.#host = host
    if (host.options.from === undefined) return
    this.#state = 'waiting'
    this.#worthwhileAt = host.options.from
  }

  /** Whether executions share modules now. */
  get isOn(): boolean {
    return this.#state === 'sharing'
  }

  /** A search begins. */
  expect(ahead: Ahead): void {
    this.#ahead = ahead
    this.#earlier = this.#executions
  }

  /** Whether they never will. */
  get isOff(): boolean {
    return this.#state === 'off'
  }

  shares(unit: FileUnit): boolean {
    if (!this.isOn) return false
    return (this.#order.includes(unit) && !this.#afresh.has(unit)) || (this.#late?.shares(unit) ?? false)
  }

  /** Ends it: something was not as without. */
  stop(): void {
    this.#state = 'off'
    this.#watch?.[Symbol.dispose]()
    this.#late?.end()
    for (const each of this.#order) this.#host.scopes.release(each)
    this.#instance = this.#picture = this.#builtins = this.#watch = this.#late = undefined
  }

  /** Whether modules of the last execution did not load as they would without sharing: then it does not count. */
  get isMisled(): boolean {
    return this.#isMisled
  }

  /**
   * The modules for an execution whose code is about to load. Call `loaded` when it has.
   *
   * @param own the files that declare tests, or prepare them: they are evaluated in each execution
   */
  begin(own: readonly string[]): Instance {
    this.#executions++
    this.#isMisled = false
    this.#own = own
    if (this.#state === 'waiting' && this.#executions >= this.#worthwhileAt) this.#due()
    switch (this.#state) {
      case 'timing':
        this.#began = this.#nowMs()
        return (this.#instance = this.#host.instantiate())
      case 'following':
        this.#watch?.[Symbol.dispose]()
        this.#instance = this.#host.instantiate()
        this.#watch = this.#instance.watch = this.#host.units.outside(
          () => new LoadWatch(this.#host.options.world, this.#host.units),
        )
        return this.#instance
      case 'sharing':
        if (this.#putBack()) return this.#instance!
        return this.#prepared()
      case 'picturing':
        return this.#prepared()
      default:
        return this.#host.instantiate()
    }
  }

  /** All that `begin` was for has loaded. */
  loaded(by: object): void {
    if (by !== this.#instance) return
    if (this.#state === 'timing') this.#time()
    else if (this.#state === 'following') this.#followed()
    else if (this.#state === 'picturing') this.#looked()
    this.#late?.loaded()
  }

  #isOwn(unit: FileUnit): boolean {
    return this.#own.some((path) => this.#host.units.entry(path) === unit)
  }

  #nowMs(): number {
    return this.#host.units.outside(() => performance.now())
  }

  #due(): void {
    this.#state = this.#timings < TIMINGS && this.#host.options.from === undefined ? 'timing' : 'following'
  }

  #time(): void {
    this.#loadingMs += this.#nowMs() - this.#began
    if (++this.#timed < TIMED) return
    const mean = this.#loadingMs / TIMED
    this.#timings++
    this.#timed = this.#loadingMs = 0
    this.#state = mean < LEAST_MS ? 'off' : 'waiting'
    const ahead = this.#ahead === undefined ? 0 : this.#ahead() * (this.#executions - this.#earlier)
    this.#worthwhileAt = worthwhileAt({ loadingMs: mean, bytes: this.#host.units.bytes, done: this.#executions, ahead })
    this.#instance = undefined
  }

  #followed(): void {
    const watch = this.#watch!
    watch[Symbol.dispose]()
    const instance = this.#instance!
    instance.watch = this.#watch = undefined
    const loaded = [...watch.order]
    this.#order = loaded
    this.#parents = watch.parents
    this.#drawing = watch.drawing
    this.#marking = watch.marking
    const byPath = new Map(loaded.map((unit) => [unit.path, unit]))
    // Such a builtin changes others before any module is evaluated.
    if (loaded.some((unit) => unit.kind === 'esm' && unit.edges!.some(isEvaluatedInEach)))
      for (const each of loaded) this.#afresh.add(each)
    for (const unit of loaded) {
      const required = instance.required[unit.path]?.children ?? []
      const importsNorn =
        unit.kind === 'esm' && unit.edges!.some((each) => each.kind === 'host' && each.target.kind === 'shared')
      const isAlone =
        unit.kind === 'esm' &&
        (unit.shape.topLevelAwait || unit.wasm !== undefined || unit.mock !== undefined || unit.mocks !== undefined)
      if (importsNorn || isAlone || watch.acting.has(unit) || watch.usingNorn.has(unit.path) || this.#isOwn(unit))
        this.#afresh.add(unit)
      const used: Unit[] =
        unit.kind === 'esm' ? unit.edges! : required.flatMap(({ filename }) => byPath.get(filename!) ?? [])
      for (const each of used) if (each.kind !== 'host') this.#importersOf(each).add(unit)
    }
    this.#state = this.#spread() ? 'picturing' : 'off'
  }

  #importersOf(unit: FileUnit): Set<FileUnit> {
    let found = this.#importers.get(unit)
    if (found === undefined) this.#importers.set(unit, (found = new Set()))
    return found
  }

  /**
   * Evaluated afresh are also those that import what is; those that load behind one that leaves marks; and all
   * that draw random numbers, where one does that is not the last to draw: there is one sequence, and shared
   * modules load first.
   *
   * @returns whether any are left to share
   */
  #spread(): boolean {
    const before = this.#afresh.size
    const isLast = (each: FileUnit) => each.kind === 'esm' && this.#isOwn(each)
    if ([...this.#drawing].some((each) => this.#afresh.has(each) && !isLast(each)))
      for (const each of this.#drawing) this.#afresh.add(each)
    const marked = this.#order.findIndex((each) => this.#marking.has(each) && this.#afresh.has(each))
    if (marked >= 0) for (const each of this.#order.slice(marked)) this.#afresh.add(each)
    for (const unit of this.#afresh) for (const each of this.#importersOf(unit)) this.#afresh.add(each)
    if (this.#afresh.size > before) return this.#spread()
    return this.#order.some((each) => !this.#afresh.has(each))
  }

  /** Evaluates what is to be shared, and takes a picture of it, until there is one without an obstacle. */
  #prepared(): Instance {
    try {
      const instance = this.#withPicture()
      if (instance !== undefined) return instance
    } catch {
      // Whatever keeps it from being prepared: each execution then evaluates all modules.
    }
    this.stop()
    return this.#host.instantiate()
  }

  #withPicture(): Instance | undefined {
    while (this.#pictures++ < MOST_PICTURES) {
      const instance = this.#host.instantiate()
      const shared = this.#order.filter((each) => !this.#afresh.has(each))
      if (shared.length === 0) break
      const obstacles = this.#pictured(instance, shared)
      if (obstacles.size === 0) {
        instance.keep()
        for (const each of this.#afresh) this.#host.scopes.release(each)
        this.#state = 'picturing'
        this.#instance = instance
        this.#late?.end()
        this.#late = undefined
        this.#watchOwn(instance)
        return instance
      }
      for (const each of obstacles) this.#afresh.add(each)
      this.#spread()
    }
    return undefined
  }

  /** @returns the modules that keep this from being a picture of all that is shared */
  #pictured(instance: Instance, shared: readonly FileUnit[]): ReadonlySet<FileUnit> {
    const { units, coverage, scopes, options } = this.#host
    // What an earlier attempt counted is not of this execution.
    coverage?.reset()
    const opaque = shared.filter((unit) => {
      options.working?.()
      return !scopes.areReadable(unit)
    })
    if (opaque.length > 0) return new Set(opaque)
    if (this.#builtins === undefined) this.#builtins = new BuiltinObjects(units.options.shared.environment)
    else this.#builtins.enterExecution()
    let kept: KeptScopes | undefined
    const load = () => {
      kept = keepingScopes(() => {
        for (const unit of shared) instance.preload(unit, this.#parents.get(unit))
      })
    }
    options.working?.()
    this.#counts = coverage?.countsOf(load)
    if (coverage === undefined) load()
    this.#loadingState = options.world.loadingState()
    return units.outside(() => {
      this.#builtins!.refresh(instance.machinery)
      const obstacles = inspected((inspection) => this.#takePicture(instance, shared, kept!, inspection))
      options.working?.()
      return this.#unitsOf([...kept!.opaque, ...obstacles.map(({ module }) => module)])
    })
  }

  /**
   * To find which scopes are alive takes a collection of all garbage: only where those that are dead may lead to
   * what cannot be shared, or are too many.
   */
  #takePicture(instance: Instance, shared: readonly FileUnit[], kept: KeptScopes, inspection: Inspection) {
    const { scopes, options } = this.#host
    const roots = shared.map((unit) => ({ module: scopes.numberOf(unit), values: instance.exportsOf(unit) })).reverse()
    const system = { module: OF_SYSTEM, values: [...instance.changeable, ...this.#loadingState!.values] }
    const taken = (tokens: readonly ScopeToken[]) => {
      options.working?.()
      this.#picture = new Picture([...roots, system], tokens, this.#builtins!, inspection)
      return this.#picture.obstacles
    }
    const obstacles = kept.tokens && taken(kept.tokens)
    if (obstacles?.length === 0) return obstacles
    this.#picture = kept.tokens = undefined
    return taken(kept.live())
  }

  #unitsOf(modules: Iterable<number>): Set<FileUnit> {
    const wanted = new Set(modules)
    const { scopes } = this.#host
    return new Set(this.#order.filter((unit) => wanted.has(scopes.numberOf(unit)) || wanted.has(OF_SYSTEM)))
  }

  /**
   * Modules that are evaluated afresh may change shared ones while they load, which others would then see that were
   * evaluated before. What is changed so is not shared. An own module may change them once all have loaded.
   */
  #watchOwn(instance: Instance): void {
    if (this.#order.every((each) => !this.#afresh.has(each) || this.#isOwn(each))) return
    instance.watch = new LoadOrder((unit) => {
      if (this.#isOwn(unit)) this.#refuseChanged()
    })
  }

  #refuseChanged(): void {
    const { units, scopes } = this.#host
    const changed = units.outside(() => this.#picture!.changed())
    const found = this.#order.filter((each) => changed.has(scopes.numberOf(each)))
    if (found.length === 0) return
    for (const each of found) this.#afresh.add(each)
    this.#spread()
    this.#isMisled = true
  }

  #looked(): void {
    this.#instance!.watch = undefined
    const own = this.#order.findIndex((each) => this.#isOwn(each))
    if (this.#order.slice(own).some((each) => !this.#afresh.has(each))) this.#refuseChanged()
    this.#state = this.#isMisled ? 'picturing' : 'sharing'
    if (this.#isMisled || this.#host.units.options.shared.environment !== undefined) return
    const shared = this.#order.filter((each) => !this.#afresh.has(each))
    this.#instance!.late = this.#late = new LateModules(this.#host, {
      instance: this.#instance!,
      picture: this.#picture!,
      builtins: this.#builtins!,
      shared: new Map(shared.map((each) => [each.path, each])),
      numberOf: (unit) => this.#host.scopes.numberOf(unit),
    })
  }

  /** Puts back what the last execution has changed; false if that could not be done. */
  #putBack(): boolean {
    const { units, coverage } = this.#host
    const late = this.#late
    const isLook = this.#oneByOne > 0 || ++this.#sinceLook >= this.#period || late?.needsLook === true
    late?.ended(this.#ahead, this.#executions - this.#earlier)
    const { found, obstacles } = units.outside(() => this.#picture!.restore(isLook))
    const foundLate = units.outside(() => late?.begin(this.#own, isLook) ?? 0)
    if (isLook) {
      this.#sinceLook = 0
      if (this.#oneByOne > 0) this.#oneByOne--
      else this.#period = found + foundLate > 0 ? ONE_BY_ONE : Math.min(PERIOD, 2 * this.#period)
    }
    if (obstacles.length > 0) {
      for (const each of this.#unitsOf(obstacles.map(({ module }) => module))) this.#afresh.add(each)
      this.#spread()
      return false
    }
    this.#instance!.rewind()
    this.#loadingState!.repeat()
    if (this.#counts !== undefined) coverage!.repeat(this.#counts)
    return true
  }
}
