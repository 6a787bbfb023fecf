/**
 * Where operations were started: the source line, for the execution that is shown to a person.
 *
 * Capturing a stack costs microseconds, so this is off while searching.
 */
import { errorHere, RealMap } from './language.ts'
import { callSites, type Origin } from './stack.ts'

let fallback: (() => string | undefined) | undefined

/** Whom to ask for the stack that led here, where no frame of the program is on the stack: in a tick of Node's own. */
export function setOriginFallback(ask: (() => string | undefined) | undefined): void {
  fallback = ask
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

  /** Notes the stack that starts a step. */
  capture(label: string): void {
    if (!this.#on) return
    const error = errorHere()
    const led = fallback === undefined || callSites(error.stack ?? '').length > 0 ? undefined : fallback()
    if (led !== undefined) error.stack = led
    this.#stacks.set(label, error)
  }

  /** The steps of the execution that is over. */
  take(): OriginsByLabel {
    return this.#stacks.size === 0 ? NO_ORIGINS : new OriginsByLabel(this.#stacks)
  }
}

/** The origins of an execution's steps, by label; V8 writes a stack out only when it is fallback for. */
export class OriginsByLabel {
  readonly #stacks: ReadonlyMap<string, Error>

  constructor(stacks: ReadonlyMap<string, Error> = new Map()) {
    this.#stacks = stacks
  }

  /** The innermost frame that is neither Node's nor norn's, if there is one. */
  get(label: string): Origin | undefined {
    return callSites(this.#stacks.get(label)?.stack ?? '')[0]
  }

  /** All that have an origin. */
  entries(): [label: string, origin: Origin][] {
    return [...this.#stacks.keys()].flatMap((label) => {
      const origin = this.get(label)
      return origin === undefined ? [] : [[label, origin] as [string, Origin]]
    })
  }
}

const NO_ORIGINS = new OriginsByLabel()
