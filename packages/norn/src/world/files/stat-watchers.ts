/**
 * `fs.watchFile` on the overlay: the handles under Node's stat watchers, which poll.
 *
 * Follows libuv's src/fs-poll.c and src/node_stat_watcher.cc: a stat on the pool, and after its
 * callback a timer for the rest of the interval; an error is reported once, a first success not at
 * all. Invariant: watchers belong to the execution, and native handles never start.
 */
import fs from 'node:fs'
import { requireInternal } from '../../loader/internals.ts'
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import { Descriptor } from '../loop/poll-descriptors.ts'
import { type CallbackContext, contextOf, destroyed, inContext } from '../realm/callback-scope.ts'
import { define } from '../realm/replace.ts'
import { bytesOf } from './bytes.ts'
import type { FileError } from './failure.ts'
import type { Files } from './files.ts'
import type { FilesHost } from './host.ts'
import type { FilesBinding, Native, NativeClass } from './internals.ts'
import { perform } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { type StatValues, share } from './stats.ts'
import type { InterceptedWatchers } from './watchers.ts'

const { owner_symbol: owner } = requireInternal<{ symbols: { readonly owner_symbol: unique symbol } }>(
  'internal/async_hooks',
).symbols

/** The native object under a watcher. */
interface Handle {
  /** Node's own watcher. */
  [owner]: { _handle: unknown }
  onchange(status: number, stats: StatValues): void
  hasRef(): boolean
}

/** Numbers of one stat; Node's array has room for two. */
const FIELDS = 18

/** The place of the access time among the numbers, which is no reason to report. */
const ACCESS_TIME = [10, 11]

/** One file that is polled. The timer is served in the poll phase, where no code can tell. */
class StatWatcher extends Descriptor {
  readonly path: string
  readonly handle: Handle
  readonly #host: FilesHost
  readonly #files: Files
  readonly #shared: StatValues
  readonly #intervalUs: number
  readonly context: CallbackContext
  isClosed = false
  /** The step as which the timer runs. */
  #timer: Step | undefined
  #beganUs = 0
  #previous: StatValues
  /** What the last stat gave: a success (1), an error number, or 0 before the first. */
  #last = 0

  constructor(host: FilesHost, files: Files, shared: StatValues, handle: Handle, path: string, intervalMs: number) {
    super(host.causality.isolate)
    this.#host = host
    this.#files = files
    this.#shared = shared
    this.handle = handle
    this.context = contextOf(handle)
    this.path = path
    this.#intervalUs = Math.max(1, intervalMs) * 1000
    this.#previous = this.#none()
    this.#poll()
  }

  keepsAlive(): boolean {
    // The native handle counts references, though it never starts.
    return this.handle.hasRef()
  }

  next(nowUs: number): Arrival | undefined {
    if (this.readyUs > nowUs) return undefined
    this.readyUs = Number.POSITIVE_INFINITY
    return {
      step: this.#timer!,
      isolate: this.isolate,
      kind: 'watchFile',
      resource: this.path,
      delayUs: 0,
      run: () => this.#poll(),
    }
  }

  #poll(): void {
    const args = [bytesOf(this.path), this.#shared instanceof BigInt64Array]
    this.#beganUs = this.#host.nowUs()
    this.#host.submit({
      kind: 'stat',
      resource: this.path,
      effect: () => perform(this.#files, OPERATIONS.stat!, args),
      complete: (error, result) => this.#polled(error, result as StatValues),
    })
  }

  #polled(error: unknown, stats: StatValues): void {
    if (this.isClosed) return
    const status = error === undefined ? 0 : (error as FileError).errno
    try {
      if (status !== 0) {
        if (status !== this.#last) this.#report(status, this.#none())
        this.#last = status
      } else {
        const previous = this.#previous
        if (this.#last < 0 || (this.#last > 0 && differ(previous, stats))) this.#report(0, stats)
        this.#previous = stats
        this.#last = 1
      }
    } finally {
      const sinceUs = this.#host.nowUs() - this.#beganUs
      this.#timer = this.#host.announce('watchFile', this.path).step
      this.readyUs = this.#host.nowUs() + this.#intervalUs - (sinceUs % this.#intervalUs)
    }
  }

  #report(status: number, stats: StatValues): void {
    share(this.#shared, stats)
    ;(this.#shared as Float64Array).set(this.#previous as Float64Array, FIELDS)
    inContext(this.context, () => this.handle.onchange(status, this.#shared))
  }

  #none(): StatValues {
    return this.#shared instanceof BigInt64Array ? new BigInt64Array(FIELDS) : new Float64Array(FIELDS)
  }
}

function differ(one: StatValues, other: StatValues): boolean {
  return one.some((value: number | bigint, at: number) => value !== other[at] && !ACCESS_TIME.includes(at))
}

/** On the prototype: Node captured the class when it loaded. */
export function interceptStatWatchers(host: FilesHost, files: Files, binding: FilesBinding): InterceptedWatchers {
  const { prototype } = binding.StatWatcher as unknown as NativeClass
  const { start, close, unref } = prototype as Record<string, Native>
  const { unwatchFile } = fs
  let watchers: StatWatcher[] = []
  /** Node keeps its watchers by path, also one that the program stopped itself. */
  let paths: string[] = []
  define(prototype, 'start', function (this: Handle, ...args: unknown[]): number | undefined {
    if (!host.active()) return start!.apply(this, args)
    const [path, intervalMs] = args as [string, number]
    host.performed('watchFile', path)
    const shared = usesBigInt(this[owner]!) ? binding.bigintStatValues : binding.statValues
    const watcher = new StatWatcher(host, files, shared, this, path, intervalMs)
    watchers.push(watcher)
    paths.push(path)
    host.descriptors.watch(watcher)
    host.opened(this)
    return undefined
  })
  define(prototype, 'close', function (this: Handle, ...args: unknown[]): void {
    const watcher = host.active() ? watchers.find(({ handle }) => handle === this) : undefined
    if (watcher !== undefined) {
      watcher.isClosed = true
      watchers = watchers.filter((each) => each !== watcher)
      host.descriptors.close(watcher)
      destroyed(watcher.context)
    }
    close!.apply(this, args)
    if (watcher !== undefined) unref!.call(this)
  })
  return {
    isEmpty: () => watchers.length === 0,
    leftOpen: () => watchers.map(({ path, handle }) => ({ path, opened: handle, isWatched: true })),
    leave() {
      for (const { handle } of watchers) {
        handle[owner]!._handle = null
        close!.call(handle)
        // Until the real loop turns, it counts as open.
        unref!.call(handle)
      }
      for (const path of paths) unwatchFile(path)
      if (paths.length > 0) [watchers, paths] = [[], []]
    },
  }
}

/** Node's watcher knows, under a symbol of its own. */
function usesBigInt(watcher: object): boolean {
  const symbol = Object.getOwnPropertySymbols(watcher).find(({ description }) => description === 'kUseBigint')
  return (watcher as Record<symbol, unknown>)[symbol!] === true
}
