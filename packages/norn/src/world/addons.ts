/**
 * Native addons. Norn cannot control what they do beside the program, so only those load that the
 * user allows. Others throw at load, as if they were not built for this machine: packages that can do
 * without one go on. A failure that follows from that is not the program's.
 *
 * An addon that is allowed loads once in a process, as Node does it; its own state outlives executions.
 */
import { dirname, relative } from 'node:path'
import { hostRequire } from '../loader/internals.ts'
import { nodeError } from '../loader/require-errors.ts'
import { holding } from './realm/held.ts'

/** An addon that was kept from loading. */
export interface Withheld {
  /** Its name, as `--allow-addon` takes it. */
  readonly addon: string
  readonly error: Error
}

export class Addons {
  readonly #root: string
  readonly #allowed: ReadonlySet<string>
  #withheld: Withheld[] = []
  /** Whether the process holds one. */
  haveLoaded = false
  /** Those that were kept from loading in this process. */
  readonly missed = new Set<string>()

  /** @param allowed names of packages, or paths of addons relative to the root */
  constructor(root: string, allowed: readonly string[]) {
    this.#root = root
    this.#allowed = new Set(allowed)
  }

  /** What an addon exports. @throws an error that the program may catch, unless it is allowed */
  load(path: string): object {
    const addon = this.#nameOf(path)
    if (this.#allowed.has(addon)) {
      this.haveLoaded = true
      return hostRequire(path) as object
    }
    const error = nodeError('ERR_DLOPEN_FAILED', `${path}: norn does not load the native addon ${addon}`)
    this.#withheld.push({ addon, error })
    this.missed.add(addon)
    throw error
  }

  /**
   * The addon from whose absence a failure follows.
   *
   * @param isLoading whether the modules did not load
   */
  behind(error: unknown, isLoading: boolean): Withheld | undefined {
    if (isLoading) return this.#withheld[0]
    return holding(error, (object) => {
      const message: unknown = Object.getOwnPropertyDescriptor(object, 'message')?.value
      return this.#withheld.find(
        (each) => each.error === object || (typeof message === 'string' && message.includes(each.error.message)),
      )
    })
  }

  /** An execution begins. */
  reset(): void {
    if (this.#withheld.length > 0) this.#withheld = []
  }

  /** The package of an addon, or its path relative to the root. */
  #nameOf(path: string): string {
    const [, scoped] = /^.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(dirname(path)) ?? []
    return scoped ?? relative(this.#root, path)
  }
}
