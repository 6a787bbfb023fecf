/**
 * Shares modules that CommonJS loads late, in the body of an execution: the modules that one `require` evaluates
 * are a group. It is evaluated once, where the body asks for it, and a picture is taken of all that it keeps. A later
 * execution that asks for it, as that one did, finds it evaluated.
 *
 * What a group sees while it is evaluated must be the same in each execution, whatever the body has done before. So
 * it is shared only if it requires nothing but builtin modules, its own and other groups that are as they were; acts
 * on nothing; reads no property of a builtin or a global that the program has changed; keeps nothing that others
 * have. And it is shown only where, since loading, the body has changed nothing that all modules see: the process,
 * its files, builtins, globals and how modules load. All else is evaluated as without; a module whose group is not
 * shared may still require others that are. Files whose branches are counted are never shared so.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { types } from 'node:util'
import type { CommonJsModule } from '../commonjs-module.ts'
import type { Instance, KeptRecords } from '../instance.ts'
import type { FileUnit } from '../units.ts'
import { type EarlyModules, earlyPart, type Part, requiredBy } from './early-part.ts'
import type { SharingHost } from './host.ts'
import { Inspection } from './inspection.ts'
import { type LateLoads, LoadWatch } from './load-watch.ts'
import { Picture } from './picture.ts'
import { type KeptScopes, keepScopes } from './scope-tokens.ts'
import { type Ahead, worthwhileAt } from './worthwhile.ts'

interface Group extends Part {
  readonly root: CommonJsModule
  /** The path of the module that required it, and the places in the program from where. */
  readonly parent: string | undefined
  readonly from: string
  /** In the order in which they began. */
  readonly modules: ReadonlySet<CommonJsModule>
  readonly records: KeptRecords
  /** Others that it requires. */
  readonly uses: ReadonlySet<Part>
  /** The files that had loaded before the body. */
  readonly own: string
}

/** Executions in which late loading is timed. */
const TIMED = 3
/** Below this, in milliseconds, late loading is not worth the trouble, nor is one group. */
const LEAST_MS = 0.5
/** Executions that look for groups: where one is not shared, those within it are tried in the next. */
const MOST_LOOKS = 12

/** Objects and scopes of others that a group requires, at most: they are compared each time before it is shown. */
const MOST_ITEMS = 1000

/** Frames that are compared: what a module may have read of its stack. */
const MOST_FRAMES = 50

/** A module that may see who requires it, or what else is loaded. */
const LOOKS_AROUND =
  /\brequire\s*(?:\.\s*(?:cache|main|extensions)\b|\[)|\bmodule\s*(?:\.\s*(?:parent|children|constructor)\b|\[\s*['"`])|['"`](?:node:)?module['"`]|\b(?:execution|trigger)Async/

export class LateModules implements LateLoads {
  readonly #host: SharingHost
  readonly #instance: Instance
  readonly #early: EarlyModules
  /** Parts of the early modules, by the path of the first; undefined for those that lead to others. */
  readonly #parts = new Map<string, Part | undefined>()
  /** Those that a group may need. */
  readonly #wanted = new Set<string>()
  /** Objects of the system of modules, which each group leads to. */
  readonly #system: ReadonlySet<object>
  #stage: 'timing' | 'waiting' | 'looking' | 'settled' = 'timing'
  #executions = 0
  #ms = 0
  #worthwhileAt = Number.POSITIVE_INFINITY
  #looks = 0
  /** Whether this execution found something new to share, or not to. */
  #isNew = false
  readonly #groups = new Map<string, Group>()
  readonly #groupOf = new Map<CommonJsModule, Group>()
  readonly #refused = new Set<string>()
  /** Whether the scopes of late modules can be read, and no branches of theirs are counted. */
  readonly #known = new Map<FileUnit, boolean>()
  /** The groups of this execution. */
  readonly #shown = new Set<Group>()
  #own = ''
  /** What modules could see when all had loaded; undefined where it does not matter. */
  #marks: string | undefined
  #isBody = false
  #isEvaluating = false
  /** Whether this execution has asked for a late module. */
  #hasLoaded = false
  /** Whether scopes of a module could not be read yet. */
  #isUnready = false
  #inspection: Inspection | undefined

  constructor(host: SharingHost, early: EarlyModules) {
    const { instance } = early
    this.#host = host
    this.#instance = instance
    this.#early = early
    this.#system = new Set(instance.changeable)
  }

  /** Whether all must be as loading has left it when the next execution begins. */
  get needsLook(): boolean {
    return this.#wanted.size > 0
  }

  /** An execution has ended, and nothing is put back yet. */
  ended(ahead: Ahead | undefined, done: number): void {
    this.#isBody = false
    if (++this.#executions < TIMED || this.#stage === 'settled') return
    const { options, units } = this.#host
    if (this.#stage === 'timing') {
      const loadingMs = this.#ms / TIMED
      const bytes = this.#late().reduce(
        (sum, { path }) => sum + (units.positions.originOf(path)?.source.length ?? 0),
        0,
      )
      const left = ahead === undefined ? 0 : ahead() * done
      this.#worthwhileAt =
        options.from === undefined ? worthwhileAt({ loadingMs, bytes, done: this.#executions, ahead: left }) : 0
      this.#stage = loadingMs < LEAST_MS && options.from === undefined ? 'settled' : 'waiting'
    }
    if (this.#stage === 'waiting' && this.#executions >= this.#worthwhileAt) this.#stage = 'looking'
    else if (this.#stage !== 'looking') return
    else if ((this.#hasLoaded && !this.#isNew) || ++this.#looks >= MOST_LOOKS) {
      this.#settle()
      return
    }
    this.#isNew = this.#hasLoaded = false
    for (const each of this.#late()) {
      options.working?.()
      const isReadable = !this.#host.coverage?.includes(each.path) && this.#host.scopes.areReadable(each)
      this.#known.set(each, isReadable)
    }
  }

  shares(unit: FileUnit): boolean {
    return [...this.#groupOf.keys()].some(({ filename }) => filename === unit.path)
  }

  /** The modules that CommonJS has loaded late. */
  #late(): FileUnit[] {
    const { units } = this.#host
    return Object.keys(this.#instance.required)
      .filter((path) => !this.#early.picture.leadsTo(this.#instance.required[path]!) && units.has(path))
      .map((path) => units.file(path, 'require'))
  }

  #settle(): void {
    this.#stage = 'settled'
    this.end()
    // Others have other places on the stack, which would hide the groups.
    if (this.#groups.size > 0) return
    for (const [each, isReadable] of this.#known) if (isReadable) this.#host.scopes.release(each)
  }

  /** Looks for no more. */
  end(): void {
    this.#wanted.clear()
    this.#inspection?.[Symbol.dispose]()
    this.#inspection = undefined
  }

  /**
   * An execution begins: puts back what groups keep.
   *
   * @param all whether to look at all that they keep
   * @returns the number of things that had not been known to change
   */
  begin(own: readonly string[], all: boolean): number {
    this.#own = own.join('\0')
    this.#marks = undefined
    let found = 0
    for (const group of this.#shown) {
      const restored = group.picture.restore(all)
      found += restored.found
      if (restored.obstacles.length > 0) this.#drop(group)
    }
    this.#shown.clear()
    for (const path of this.#wanted) {
      this.#parts.set(path, earlyPart(path, this.#early, this.#system, this.#inspection!))
    }
    this.#wanted.clear()
    return found
  }

  #drop(group: Group): void {
    const path = group.root.filename!
    if (!this.#groups.delete(path)) return
    this.#refused.add(path)
    for (const each of group.modules) this.#groupOf.delete(each)
    for (const each of [...this.#groups.values()]) if (each.uses.has(group)) this.#drop(each)
  }

  /** All is loaded that the body needs to begin. */
  loaded(): void {
    this.#isBody = true
    if (this.#stage === 'looking' || this.#groups.size > 0) this.#mark()
  }

  #mark(): void {
    this.#marks = this.#host.options.world.loadingMarks()
  }

  /** Whether modules see what they saw when all had loaded. */
  #isUntouched(): boolean {
    const { world } = this.#host.options
    return this.#marks !== undefined && this.#instance.isPlain && this.#marks === world.loadingMarks()
  }

  reveal(path: string, parent: CommonJsModule | undefined): boolean {
    const group = this.#groups.get(path)
    if (this.#isBody) this.#hasLoaded = true
    if (group === undefined || !this.#isBody || group.own !== this.#own) return false
    const { required } = this.#instance
    if (group.parent !== (parent?.filename ?? undefined)) return false
    if ([...group.modules].some(({ filename }) => required[filename!] !== undefined)) return false
    if (group.from !== this.#stack() || !this.#isUntouched() || !this.#areAsTaken(group.uses)) return false
    if (!this.#instance.adopt(group.modules, group.records)) return false
    group.root.parent = parent
    this.#shown.add(group)
    return true
  }

  /** Whether groups are loaded, and as they were after they had been evaluated. */
  #areAsTaken(parts: ReadonlySet<Part>): boolean {
    return [...parts].every((each) => {
      if (!('root' in each)) return each.picture.isSame
      const { root, picture, uses } = each as Group
      // Each execution has another.
      const { parent } = root
      root.parent = undefined
      const { isSame } = picture
      root.parent = parent
      return isSame && this.#shown.has(each as Group) && this.#areAsTaken(uses)
    })
  }

  evaluating(module: CommonJsModule): ((hasThrown: boolean) => void) | undefined {
    if (!this.#isBody || this.#isEvaluating) return undefined
    this.#hasLoaded = true
    if (this.#stage === 'timing') return this.#timed()
    const path = module.filename ?? module.id
    if (this.#stage !== 'looking' || this.#refused.has(path) || !this.#isUntouched()) return undefined
    return this.#grouping(module, path)
  }

  #timed(): () => void {
    this.#isEvaluating = true
    const began = this.#nowMs()
    return () => {
      this.#isEvaluating = false
      this.#ms += this.#nowMs() - began
    }
  }

  /** A module, and those that it requires, may be a group. */
  #grouping(root: CommonJsModule, path: string): (hasThrown: boolean) => void {
    const { units, options } = this.#host
    const instance = this.#instance
    const records = instance.recordCount
    let hasRead = false
    const unwatch = options.world.watchChanged(() => {
      hasRead = true
    })
    this.#mark()
    const from = this.#stack()
    this.#inspection ??= units.outside(() => new Inspection())
    const watch = units.outside(() => new LoadWatch(options.world, units, this.#inspection))
    instance.watch = watch
    this.#isEvaluating = this.#isNew = true
    const began = this.#nowMs()
    const kept = keepScopes()
    return (hasThrown) => {
      const scopes = kept()
      const ms = this.#nowMs() - began
      this.#isEvaluating = false
      instance.watch = undefined
      watch[Symbol.dispose]()
      unwatch()
      this.#mark()
      const acts = watch.acting.size + watch.drawing.size + watch.marking.size + watch.usingNorn.size > 0
      const isShort = ms < LEAST_MS && options.from === undefined
      const group =
        hasThrown || hasRead || acts || isShort || !instance.isPlain
          ? undefined
          : units.outside(() => this.#taken(root, [...watch.order], instance.recordsFrom(records), scopes))
      if (group !== undefined) {
        this.#groups.set(path, { ...group, from })
        this.#shown.add(this.#groups.get(path)!)
        for (const each of group.modules) this.#groupOf.set(each, this.#groups.get(path)!)
      } else if (this.#wanted.size === 0 && !this.#isUnready) this.#refused.add(path)
      this.#isUnready = false
    }
  }

  /** The places of the program that are on the stack. */
  #stack(): string {
    const { units } = this.#host
    const { prepareStackTrace, stackTraceLimit } = Error
    return units.outside(() => {
      Error.stackTraceLimit = MOST_FRAMES
      Error.prepareStackTrace = (_, sites) => sites
      try {
        const sites = new Error().stack as unknown as NodeJS.CallSite[]
        const places = sites.map((each) => [each.getFileName() ?? '', each.getPosition(), each.isAsync()] as const)
        return JSON.stringify(places.filter(([url]) => units.has(url.startsWith('file:') ? fileURLToPath(url) : url)))
      } finally {
        Error.prepareStackTrace = prepareStackTrace
        Error.stackTraceLimit = stackTraceLimit
      }
    })
  }

  #nowMs(): number {
    return this.#host.units.outside(() => performance.now())
  }

  /** Undefined if they are no group. */
  #taken(
    root: CommonJsModule,
    units: readonly FileUnit[],
    records: KeptRecords | undefined,
    { tokens, opaque }: KeptScopes,
  ): Omit<Group, 'from'> | undefined {
    const { scopes } = this.#host
    const uses = this.#othersThan(units)
    if (uses === undefined || records === undefined || tokens === undefined || opaque.size > 0) return undefined
    if (records.some(([unit]) => !units.includes(unit as FileUnit)) || !this.#areAsTaken(uses)) return undefined
    const { parent } = root
    root.parent = undefined
    const modules = units.map((each) => this.#instance.required[each.path]!)
    const roots = units.map((each, at) => ({
      module: scopes.numberOf(each),
      values: [...this.#instance.exportsOf(each), modules[at]],
    }))
    const beyond = (object: object) => this.#beyond(object, uses)
    const picture = new Picture(roots.reverse(), tokens, this.#early.builtins, this.#inspection!, beyond)
    root.parent = parent
    if (picture.obstacles.length > 0) return undefined
    return {
      root,
      parent: parent?.filename ?? undefined,
      modules: new Set(modules),
      records,
      uses,
      picture,
      own: this.#own,
    }
  }

  /** The other groups that modules require; undefined if they require, or look at, anything else. */
  #othersThan(units: readonly FileUnit[]): Set<Part> | undefined {
    const { positions } = this.#host.units
    const others = new Set<Part>()
    const paths = new Set(units.map(({ path }) => path))
    for (const unit of units) {
      const module = this.#instance.required[unit.path]
      if (module === undefined) return undefined
      if (this.#known.get(unit) !== true) {
        this.#isUnready = !this.#known.has(unit)
        return undefined
      }
      if (unit.kind !== 'json' && LOOKS_AROUND.test(positions.originOf(unit.path)?.source ?? '')) return undefined
      const required = requiredBy(unit, this.#instance)
      if (required === undefined || (unit.kind === 'esm' && unit.mocks !== undefined)) return undefined
      for (const path of required) {
        if (paths.has(path)) continue
        const part = this.#groupOf.get(this.#instance.required[path]!) ?? this.#parts.get(path)
        if (part !== undefined) others.add(part)
        else if (this.#parts.has(path) || !this.#early.shared.has(path)) return undefined
        else this.#wanted.add(path)
      }
    }
    const items = [...others].reduce((sum, { picture }) => sum + picture.size, 0)
    return this.#wanted.size > 0 || items > MOST_ITEMS ? undefined : others
  }

  /** Tells of an object that is not a group's own: what keeps the group from being shared, or '' if nothing does. */
  #beyond(object: object, uses: ReadonlySet<Part>): string | undefined {
    if (this.#system.has(object)) return ''
    for (const { picture, modules } of uses)
      if (picture.leadsTo(object) || modules.has(object as CommonJsModule)) return ''
    if (this.#early.picture.leadsTo(object)) return 'it keeps what others have'
    if (types.isNativeError(object)) return 'it keeps a stack'
    if (object instanceof AsyncLocalStorage) return 'it keeps what each asynchronous call has of its own'
    return undefined
  }
}
