/**
 * Where operations were started: source lines for executions shown to a person. Capturing a stack
 * costs microseconds, so this is off during a search.
 */
import { errorHere, RealMap } from '../realm/language.ts'
import { callSites, isWithinNode, type Origin } from '../realm/stack.ts'

/** Callers of an origin that reports can show. */
const MAX_CALLERS = 5

let fallback: (() => string | undefined) | undefined

/**
 * Sets the source of stacks where none of the program's frames is on the stack, as in Node's ticks.
 */
export function setOriginFallback(ask: (() => string | undefined) | undefined): void {
  fallback = ask
}

/** An error with the stack that led here. */
export function wayHere(): Error {
  const error = errorHere()
  const led = fallback === undefined || callSites(error.stack ?? '').length > 0 ? undefined : fallback()
  if (led !== undefined) error.stack = led
  return error
}

export class Origins {
  #stacks = new Map<string, Error>()
  #on = false

  get on(): boolean {
    return this.#on
  }

  reset(on: boolean): void {
    this.#on = on
    if (this.#stacks.size > 0) this.#stacks = new RealMap()
  }

  /** Captures the stack that starts a step. */
  capture(label: string): void {
    if (!this.#on) return
    this.#stacks.set(label, wayHere())
  }

  /** A step that repeats another has its origin. */
  repeat(label: string, first: string): void {
    const stack = this.#stacks.get(first)
    if (stack !== undefined) this.#stacks.set(label, stack)
  }

  /** Keeps a stack that was captured elsewhere. */
  keep(label: string, stack: Error): void {
    if (this.#on) this.#stacks.set(label, stack)
  }

  /** Whether code of Node itself started the step, on the program's behalf. */
  isNodes(label: string): boolean {
    return isWithinNode(this.#stacks.get(label)?.stack ?? '')
  }

  /** The origins of the execution that has ended. */
  take(): OriginsByLabel {
    return this.#stacks.size === 0 ? NO_ORIGINS : new OriginsByLabel(this.#stacks)
  }
}

/** The origins of steps, by label. V8 formats a stack on first read. */
export class OriginsByLabel {
  readonly #stacks: ReadonlyMap<string, Error>

  constructor(stacks: ReadonlyMap<string, Error> = new Map()) {
    this.#stacks = stacks
  }

  /** The innermost frame that is neither Node's nor norn's, if there is one. */
  get(label: string): Origin | undefined {
    return callSites(this.#stacks.get(label)?.stack ?? '')[0]
  }

  /** The innermost frames that are neither Node's nor norn's. */
  of(label: string): readonly Origin[] {
    return callSites(this.#stacks.get(label)?.stack ?? '').slice(0, 1 + MAX_CALLERS)
  }

  /** All labels with a known origin, each with the frames that called it, innermost first. */
  entries(): [label: string, origin: Origin, callers: readonly Origin[]][] {
    return [...this.#stacks].flatMap(([label, { stack = '' }]) => {
      const [origin, ...callers] = callSites(stack)
      return origin === undefined ? [] : [[label, origin, callers.slice(0, MAX_CALLERS)] as [string, Origin, Origin[]]]
    })
  }
}

const NO_ORIGINS = new OriginsByLabel()
