/**
 * Follows one loading of a program: which modules were evaluated, in which order, for whom, and which of them did
 * more than to make values.
 *
 * What more there is to do: start something asynchronous, read the clock, print, change the process, compile code,
 * whose variables nobody can read. A module that does such a thing does it in each execution.
 */
import type { AsyncHook } from 'node:async_hooks'
import { fileURLToPath } from 'node:url'
import type { CommonJsModule } from '../commonjs-module.ts'
import { requireInternal } from '../internals.ts'
import type { FileUnit, Units } from '../units.ts'
import { Inspection } from './inspection.ts'

/** Shares modules that the body requires. */
export interface LateLoads {
  /** Makes the module at a path one that is loaded, with all that it requires; false if it has to be evaluated. */
  reveal(path: string, parent: CommonJsModule | undefined): boolean
  /**
   * A module is about to be evaluated. Not around its evaluation: the program can see how deep its stack is.
   *
   * @returns what to call when it is, or has thrown
   */
  evaluating(module: CommonJsModule): ((hasThrown: boolean) => void) | undefined
}

/** Calls back before each module is evaluated. */
export class LoadOrder {
  readonly #begin: (unit: FileUnit) => void

  constructor(begin: (unit: FileUnit) => void) {
    this.#begin = begin
  }

  /**
   * A module is about to be evaluated. Not around its evaluation: the program can see how deep its stack is.
   *
   * @param parent the path of the CommonJS module that requires it first; undefined if it is imported
   */
  begin(unit: FileUnit, _parent: string | undefined): void {
    this.#begin(unit)
  }

  /** It is evaluated, or has thrown. */
  end(_unit: FileUnit, _hasThrown: boolean): void {}

  /** A CommonJS module, by its path, requires what norn shares with the program. */
  usesNorn(_path: string | null): void {}
}

interface Effects {
  /** Tells, by a text, what the execution has done to its world so far. */
  loadingEffects(): string
  /** The same of what modules that load later can see. */
  loadingMarks(): string
  /** How often random numbers were asked for. */
  readonly loadingDraws: number
}

export class LoadWatch extends LoadOrder implements Disposable {
  /** Evaluated modules, in the order in which they began. */
  readonly order = new Set<FileUnit>()
  /** The path of the CommonJS module that first required a module. */
  readonly parents = new Map<FileUnit, string>()
  /** The modules that did more. */
  readonly acting = new Set<FileUnit>()
  /** The modules that themselves did what modules can see that load later. */
  readonly marking = new Set<FileUnit>()
  /** The modules that draw random numbers. */
  readonly drawing = new Set<FileUnit>()
  /** Paths of CommonJS modules that use what norn shares with the program. */
  readonly usingNorn = new Set<string>()
  readonly #options: Effects
  readonly #hook: AsyncHook
  /** Where to end it. */
  readonly #inspection: Inspection | undefined
  /** The modules that are being evaluated, each for the one before it. */
  readonly #stack: { readonly unit: FileUnit; readonly before: string; readonly draws: number }[] = []
  #marks = ''
  #started = 0
  #compiled = 0
  readonly #unlisten: () => void

  /** @param inspection of whoever watches several times, since to begin one takes long */
  constructor(options: Effects, units: Units, inspection?: Inspection) {
    super((unit) => this.order.add(unit))
    this.#options = options
    this.#marks = options.loadingMarks()
    const { createHook } = requireInternal<typeof import('node:async_hooks')>('node:async_hooks')
    this.#hook = createHook({ init: () => void this.#started++ }).enable()
    if (inspection === undefined) this.#inspection = new Inspection()
    this.#unlisten = (inspection ?? this.#inspection!).onScript((url) => {
      if (!units.has(url.startsWith('file:') ? fileURLToPath(url) : url)) this.#compiled++
    })
  }

  override begin(unit: FileUnit, parent: string | undefined): void {
    if (parent !== undefined) this.parents.set(unit, parent)
    this.#noteMarks()
    this.#stack.push({ unit, before: this.#now(), draws: this.#options.loadingDraws })
    super.begin(unit, parent)
  }

  override end(unit: FileUnit, hasThrown: boolean): void {
    const { before, draws } = this.#stack.at(-1)!
    // Whoever catches what it throws finds the same the next time, if it is evaluated again.
    if (hasThrown || this.#now() !== before) this.acting.add(unit)
    if (this.#options.loadingDraws > draws) this.drawing.add(unit)
    this.#noteMarks()
    this.#stack.pop()
  }

  /** Puts new marks down to the module that is being evaluated. */
  #noteMarks(): void {
    const marks = this.#options.loadingMarks()
    const running = this.#stack.at(-1)?.unit
    if (marks !== this.#marks && running !== undefined) this.marking.add(running)
    this.#marks = marks
  }

  override usesNorn(path: string | null): void {
    if (path !== null) this.usingNorn.add(path)
  }

  #now(): string {
    return `${this.#started} ${this.#compiled} ${this.#options.loadingEffects()}`
  }

  [Symbol.dispose](): void {
    this.#hook.disable()
    this.#unlisten()
    this.#inspection?.[Symbol.dispose]()
  }
}
