/**
 * inotify(7): which events a change of the tree gives to watched inodes, and the queue of events.
 *
 * Follows the kernel's calls of fsnotify (fs/namei.c, fs/attr.c, include/linux/fsnotify.h): an
 * event of an open or named file goes to the watched directory of that name, then to the watched
 * file. An inode that loses its last name is released when nobody has it open. Invariants: events
 * keep the order in which they reach the queue; an event equal to the last unread one is dropped;
 * without watches nothing is computed.
 */
import type { Step } from '../loop/causality.ts'
import { RealMap } from '../realm/language.ts'
import type { Inode } from './inode.ts'

export const IN = {
  MODIFY: 0x2,
  ATTRIB: 0x4,
  MOVED_FROM: 0x40,
  MOVED_TO: 0x80,
  CREATE: 0x100,
  DELETE: 0x200,
  DELETE_SELF: 0x400,
  MOVE_SELF: 0x800,
  IGNORED: 0x8000,
  ISDIR: 0x4000_0000,
} as const

/** As in /proc/sys/fs/inotify/max_queued_events: further events are lost. */
const QUEUE_LIMIT = 16_384

/** A watched inode, as the kernel's mark; a new one for every watch that begins. */
export interface Watch {
  readonly inode: Inode
  /** The path it was first watched by. */
  readonly path: string
}

export interface Change {
  readonly watch: Watch
  readonly mask: number
  /** The name in the watched directory; undefined for the watched inode itself. */
  readonly name: string | undefined
  /** The path of the name below the watched path. */
  readonly path: string
  readonly announced: Announced
}

/** The step of a change, and when its event can be read, in microseconds. */
export interface Announced {
  readonly step: Step
  readonly delayUs: number
  readonly readyUs: number
}

/** A name in a directory. */
export interface Named {
  readonly directory: Inode
  readonly name: string
}

export class Inotify {
  readonly #announce: (path: string) => Announced
  #watches: Map<Inode, Watch> = new RealMap()
  #queue: Change[] = []
  /** Called when there is one event more. */
  onEvent: (() => void) | undefined

  /** @param announce called for every event, with the path it is about */
  constructor(announce: (path: string) => Announced) {
    this.#announce = announce
  }

  /** Whether anybody watches. */
  get isInUse(): boolean {
    return this.#watches.size > 0
  }

  reset(): void {
    if (this.#watches.size > 0) this.#watches = new RealMap()
    this.#queue = []
    this.onEvent = undefined
  }

  /** Watches an inode; the same watch as long as it is watched. */
  add(inode: Inode, path: string): Watch {
    let watch = this.#watches.get(inode)
    if (watch === undefined) this.#watches.set(inode, (watch = { inode, path }))
    return watch
  }

  remove(watch: Watch): void {
    if (this.#watches.get(watch.inode) !== watch) return
    this.#watches.delete(watch.inode)
    this.#add(watch, IN.IGNORED)
  }

  /** When the next event can be read, in microseconds; infinite if there is none. */
  readyUs(): number {
    return this.#queue[0]?.announced.readyUs ?? Number.POSITIVE_INFINITY
  }

  /** Reads events as read(2) does into a buffer of this size. */
  read(nowUs: number, bufferBytes: number): Change[] {
    const read: Change[] = []
    for (let bytes = 0; this.readyUs() <= nowUs; ) {
      bytes += bytesOf(this.#queue[0]!)
      if (bytes > bufferBytes) break
      read.push(this.#queue.shift()!)
    }
    return read
  }

  created(directory: Inode, name: string, made: Inode): void {
    this.#named(directory, name, IN.CREATE, made)
  }

  /** An inode got one more name, or lost one of several. */
  relinked(inode: Inode): void {
    this.#self(inode, IN.ATTRIB)
  }

  deleted(directory: Inode, name: string, inode: Inode): void {
    this.#named(directory, name, IN.DELETE, inode)
  }

  /** @param replaced the inode that had the new name */
  moved(from: Named, to: Named, inode: Inode, replaced: Inode | undefined): void {
    this.#named(from.directory, from.name, IN.MOVED_FROM, inode)
    this.#named(to.directory, to.name, IN.MOVED_TO, inode)
    if (replaced !== undefined) this.#self(replaced, IN.ATTRIB)
    this.#self(inode, IN.MOVE_SELF)
  }

  /** An inode has no name any more, and nobody has it open. */
  released(inode: Inode): void {
    const watch = this.#watches.get(inode)
    if (watch === undefined) return
    this.#self(inode, IN.DELETE_SELF)
    this.remove(watch)
  }

  /** The data or attributes changed, through this name; a directory has only its own. */
  changed(inode: Inode, through: Named | undefined, mask: number): void {
    if (this.#watches.size === 0) return
    if (inode.isDirectory) {
      if (inode.parent !== undefined) this.#named(inode.parent, inode.name, mask, inode)
    } else if (through !== undefined) this.#named(through.directory, through.name, mask, inode)
    this.#self(inode, mask)
  }

  #named(directory: Inode, name: string, mask: number, inode: Inode): void {
    const watch = this.#watches.get(directory)
    if (watch !== undefined) this.#add(watch, inode.isDirectory ? mask | IN.ISDIR : mask, name)
  }

  #self(inode: Inode, mask: number): void {
    const watch = this.#watches.get(inode)
    if (watch !== undefined) this.#add(watch, inode.isDirectory ? mask | IN.ISDIR : mask)
  }

  /** Inserts by time: an event whose thread was slow comes after later ones. */
  #add(watch: Watch, mask: number, name?: string): void {
    const path = name === undefined ? watch.path : `${watch.path}/${name}`
    const change = { watch, mask, name, path, announced: this.#announce(path) }
    const { readyUs } = change.announced
    let at = this.#queue.length
    while (at > 0 && this.#queue[at - 1]!.announced.readyUs > readyUs) at--
    if (at > 0 && areEqual(this.#queue[at - 1]!, change)) return
    if (this.#queue.length < QUEUE_LIMIT) this.#queue.splice(at, 0, change)
    this.onEvent?.()
  }
}

/** The size of `struct inotify_event` with its name, padded. */
function bytesOf({ name }: Change): number {
  return 16 + (name === undefined ? 0 : Math.ceil((name.length + 1) / 16) * 16)
}

/** As `event_compare` (fs/notify/inotify/inotify_fsnotify.c). */
function areEqual(old: Change, next: Change): boolean {
  return old.mask !== IN.IGNORED && old.mask === next.mask && old.watch === next.watch && old.name === next.name
}
