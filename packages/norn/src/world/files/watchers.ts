/**
 * `fs.watch` on the overlay: the handles under Node's watchers (`FSEvent`), over inotify.
 *
 * Follows libuv's `uv__inotify_read` (src/unix/linux.c) and src/fs_event_wrap.cc: all watchers of
 * one inode share its watch and the path it was first watched by; a mask with anything but
 * attributes and data is a 'rename', so chmod of a directory is one. Invariant: watchers belong to
 * the execution; the native handles never start.
 */
import { getSystemErrorMap } from 'node:util'
import type { Arrival } from '../loop/async-handles.ts'
import type { LeftOpen } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { Descriptor } from '../loop/poll-descriptors.ts'
import { type CallbackContext, contextOf, destroyed, inContext } from '../realm/callback-scope.ts'
import { define } from '../realm/replace.ts'
import { bytesOf, encoded } from './bytes.ts'
import { Failure } from './failure.ts'
import type { Files } from './files.ts'
import type { FilesHost } from './host.ts'
import { type Change, IN, type Watch } from './inotify.ts'
import type { Native, NativeClass } from './internals.ts'
import { find } from './walk.ts'

/** The buffer into which libuv reads events. */
const BUFFER_BYTES = 4096

const CONTENT = IN.ATTRIB | IN.MODIFY

/** The native object under a watcher. */
interface Handle {
  onchange(status: number, eventType: string, filename: string | Buffer): void
}

/** One watcher: it keeps its loop alive, and the reader serves it. */
class Watcher extends Descriptor {
  readonly handle: Handle
  readonly watch: Watch
  readonly encoding: unknown
  readonly context: CallbackContext
  isRefed: boolean

  constructor(isolate: Isolate, handle: Handle, watch: Watch, encoding: unknown, isRefed: boolean) {
    super(isolate)
    this.handle = handle
    this.context = contextOf(handle)
    this.watch = watch
    this.encoding = encoding
    this.isRefed = isRefed
  }

  keepsAlive(): boolean {
    return this.isRefed
  }

  next(): undefined {
    return undefined
  }
}

/** The descriptor of inotify: one for all threads, whose callbacks run in their own. */
class Reader extends Descriptor {
  readonly #next: (nowUs: number) => Arrival | undefined

  constructor(isolate: Isolate, next: (nowUs: number) => Arrival | undefined) {
    super(isolate)
    this.#next = next
  }

  keepsAlive(): boolean {
    return false
  }

  next(nowUs: number): Arrival | undefined {
    return this.#next(nowUs)
  }
}

export interface InterceptedWatchers {
  /** The watchers that were not closed. */
  leftOpen(): LeftOpen[]
  isEmpty(): boolean
  /** Ends the watchers of an execution. */
  leave(): void
}

const NO_HANDLES: readonly Handle[] = []

/** The watchers of one execution, as libuv's inotify descriptor serves them. */
class Watchers {
  readonly #host: FilesHost
  readonly #files: Files
  #watchers: Watcher[] = []
  /** What was read and is not delivered yet. */
  #batch: Change[] = []
  /** The watchers that the first change of the batch has yet to reach. */
  #toReach: Watcher[] | undefined
  #reader: Reader | undefined

  constructor(host: FilesHost, files: Files) {
    this.#host = host
    this.#files = files
  }

  get isEmpty(): boolean {
    return this.#watchers.length === 0
  }

  /** Returns the handles that were not closed. */
  reset(): readonly Handle[] {
    // Nothing was watched.
    if (this.#reader === undefined) return NO_HANDLES
    const open = this.#watchers.map(({ handle }) => handle)
    this.#watchers = []
    this.#batch = []
    this.#toReach = this.#reader = undefined
    return open
  }

  /** The watchers that were not closed. */
  leftOpen(): LeftOpen[] {
    return this.#watchers.map(({ watch, handle }) => {
      return { path: this.#files.shown(watch.path), opened: handle, isWatched: true }
    })
  }

  of(handle: Handle): Watcher | undefined {
    return this.#watchers.find((each) => each.handle === handle)
  }

  /** Starts to watch; returns 0 or a negative error number. */
  start(handle: Handle, path: string, isRefed: boolean, encoding: unknown): number {
    const { tree } = this.#files
    this.#host.performed('watch', this.#files.shown(path))
    try {
      const watch = tree.inotify.add(find(tree, path), path)
      const watcher = new Watcher(this.#host.causality.isolate, handle, watch, encoding, isRefed)
      this.#listen()
      this.#watchers.push(watcher)
      this.#host.descriptors.watch(watcher)
      this.#host.opened(handle)
      return 0
    } catch (error) {
      if (error instanceof Failure) return numberOf(error.code)
      throw error
    }
  }

  close(watcher: Watcher): void {
    const { watch } = watcher
    const isOther = (each: Watcher) => each !== watcher
    this.#host.descriptors.close(watcher)
    destroyed(watcher.context)
    this.#watchers = this.#watchers.filter(isOther)
    this.#toReach = this.#toReach?.filter(isOther)
    if (this.#watchers.every((each) => each.watch !== watch)) this.#files.tree.inotify.remove(watch)
  }

  /** libuv opens its descriptor with the first watcher. */
  #listen(): void {
    if (this.#reader !== undefined) return
    const { causality, descriptors } = this.#host
    const reader = new Reader(causality.main, (nowUs) => {
      const arrival = this.#next(nowUs)
      reader.readyUs = this.#readyUs()
      return arrival
    })
    this.#reader = reader
    this.#files.tree.inotify.onEvent = () => {
      reader.readyUs = this.#readyUs()
    }
    descriptors.watch(reader)
  }

  #readyUs(): number {
    return this.#batch.length > 0 ? Number.NEGATIVE_INFINITY : this.#files.tree.inotify.readyUs()
  }

  #next(nowUs: number): Arrival | undefined {
    for (;;) {
      const change = this.#batch[0]
      if (change === undefined) {
        this.#batch = this.#files.tree.inotify.read(nowUs, BUFFER_BYTES)
        if (this.#batch.length === 0) return undefined
        continue
      }
      const { step, delayUs } = change.announced
      const isFirst = this.#toReach === undefined
      this.#toReach ??= this.#watchers.filter(({ watch }) => watch === change.watch)
      const watcher = this.#toReach.shift()
      if (watcher !== undefined) {
        const run = () => report(watcher, change)
        const reached = isFirst ? step : this.#host.causality.child(step)
        const { isolate } = watcher
        return { step: reached, isolate, kind: 'watch', resource: this.#files.shown(change.path), delayUs, run }
      }
      this.#batch.shift()
      this.#toReach = undefined
    }
  }
}

function report({ handle, context, encoding, watch }: Watcher, { mask, name }: Change): void {
  const eventType = (mask & ~CONTENT) === 0 ? 'change' : 'rename'
  const filename = encoded(name ?? watch.path.slice(watch.path.lastIndexOf('/') + 1), encoding)
  inContext(context, () => handle.onchange(0, eventType, filename))
}

function numberOf(code: string): number {
  for (const [number, [name]] of getSystemErrorMap()) if (name === code) return number
  throw new TypeError(`not a uv error code: ${code}`)
}

/** On the prototype: Node captured the class when it loaded. */
export function interceptWatchers(host: FilesHost, files: Files, { prototype }: NativeClass): InterceptedWatchers {
  const watchers = new Watchers(host, files)
  const { start, close, ref, unref, hasRef } = prototype as Record<string, Native>
  // Native handles that never started cannot be closed: one that fails to start closes itself.
  const free = (handle: Handle) => {
    start!.call(handle, '', false, false, undefined)
    // Until the real loop turns, it counts as open.
    unref!.call(handle)
  }
  define(prototype, 'start', function (this: Handle, ...args: unknown[]): number {
    if (!host.active()) return start!.apply(this, args)
    const [path, persistent, _recursive, encoding] = args
    const failed = watchers.start(this, bytesOf(path as string), persistent === true, encoding)
    if (failed !== 0) free(this)
    // Node's own tells whether the native handle has started.
    else Object.defineProperty(this, 'initialized', { value: true, configurable: true })
    return failed
  })
  define(prototype, 'close', function (this: Handle, ...args: unknown[]): void {
    const watcher = host.active() ? watchers.of(this) : undefined
    if (watcher === undefined) {
      close!.apply(this, args)
      return
    }
    watchers.close(watcher)
    Object.defineProperty(this, 'initialized', { value: false, configurable: true })
    free(this)
  })
  const refed = (isRefed: boolean, native: Native) =>
    function (this: Handle): void {
      const watcher = host.active() ? watchers.of(this) : undefined
      if (watcher === undefined) native.call(this)
      else watcher.isRefed = isRefed
    }
  define(prototype, 'ref', refed(true, ref!))
  define(prototype, 'unref', refed(false, unref!))
  define(prototype, 'hasRef', function (this: Handle): boolean {
    const watcher = host.active() ? watchers.of(this) : undefined
    return watcher === undefined ? hasRef!.call(this) : watcher.isRefed
  })
  return {
    leftOpen: () => watchers.leftOpen(),
    isEmpty: () => watchers.isEmpty,
    leave() {
      for (const handle of watchers.reset()) free(handle)
    },
  }
}
