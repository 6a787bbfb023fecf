/**
 * Open files: from a descriptor to an inode.
 *
 * Invariant: a descriptor is the lowest free number from 20 up, so numbers are reused as in a real
 * process and double closes show, without colliding with Node's own descriptors. Every execution
 * starts with 0, 1 and 2 open: 0 at its end, 1 and 2 to the host. An inode lives while it is open.
 */
import { constants } from 'node:fs'
import type { OpenEntry } from './entries.ts'
import { fail } from './failure.ts'
import { type Inode, S_IFCHR, S_IFIFO, S_IFMT, S_IFREG, S_IFSOCK } from './inode.ts'
import { IN, type Named } from './inotify.ts'
import type { Tree } from './tree.ts'
import { locate, walk } from './walk.ts'
import { holding } from './write-lock.ts'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDWR, O_TRUNC, O_WRONLY } = constants

const FIRST_DESCRIPTOR = 20

/**
 * The maximum number of open descriptors; the next open fails with EMFILE. As many as systemd
 * allows, up to which Node raises its own limit: thousands of open files are no error on a common
 * machine.
 */
const DESCRIPTOR_LIMIT = 524_288

/** An open file description, as in open(2). */
export interface Description {
  readonly inode: Inode
  /** The name it was opened under; undefined for a directory or a device. */
  readonly entry: OpenEntry | undefined
  readonly readable: boolean
  readonly writable: boolean
  readonly append: boolean
  /** The path it was opened with, for people. */
  readonly path: string
  position: number
}

export class Descriptors {
  readonly #tree: Tree
  readonly #onOpen: (description: Description) => void
  /** Created on first use, with the time at which the execution began. */
  #standard: (Description | undefined)[] | undefined
  #beganMs = 0
  #open: (Description | undefined)[] = []
  #lowestFree = 0

  /** @param onOpen called with each description that opens */
  constructor(tree: Tree, onOpen: (description: Description) => void) {
    this.#tree = tree
    this.#onOpen = onOpen
    this.reset()
  }

  reset(): void {
    if (this.#open.length > 0) this.#open = []
    this.#lowestFree = 0
    this.#standard = undefined
    this.#beganMs = this.#tree.host.now()
  }

  get #standardStreams(): (Description | undefined)[] {
    return (this.#standard ??= [
      standard(this.#tree.device('stdin', this.#beganMs), '/dev/stdin'),
      standard(this.#tree.device('stdout', this.#beganMs), '/dev/stdout'),
      standard(this.#tree.device('stderr', this.#beganMs), '/dev/stderr'),
    ])
  }

  get(fd: number): Description {
    return this.peek(fd) ?? fail('EBADF')
  }

  peek(fd: number): Description | undefined {
    return fd < FIRST_DESCRIPTOR ? this.#standardStreams[fd] : this.#open[fd - FIRST_DESCRIPTOR]
  }

  /** Whether the program has no file open. */
  get isEmpty(): boolean {
    return this.#open.length === 0
  }

  list(): { fd: number; path: string; opened: Description }[] {
    const listed: { fd: number; path: string; opened: Description }[] = []
    if (this.#open.length === 0) return listed
    for (const [index, open] of this.#open.entries()) {
      if (open !== undefined) listed.push({ fd: index + FIRST_DESCRIPTOR, path: open.path, opened: open })
    }
    return listed
  }

  /** `shown` is the path for people. */
  open(path: string, flags: number, mode: number, shown: string): number {
    if (this.#lowestFree >= DESCRIPTOR_LIMIT) fail('EMFILE')
    const { inode, through, created } = this.#reach(path, flags, mode)
    const access = flags & (O_WRONLY | O_RDWR)
    if (flags & O_TRUNC && inode.isFile) {
      inode.finishWrite?.()
      inode.content.truncate(0)
      this.#tree.modified(inode)
      if (!created) this.#tree.inotify.changed(inode, through, IN.MODIFY)
    }
    return this.#give({
      inode,
      entry: inode.isFile && through ? this.#tree.opened.open(through.directory, through.name) : undefined,
      readable: access !== O_WRONLY,
      writable: access === O_WRONLY || access === O_RDWR,
      append: (flags & O_APPEND) !== 0,
      path: shown,
      position: 0,
    })
  }

  close(fd: number): void {
    const { inode, entry } = this.get(fd)
    if (fd < FIRST_DESCRIPTOR) this.#standardStreams[fd] = undefined
    else {
      const index = fd - FIRST_DESCRIPTOR
      this.#open[index] = undefined
      if (index < this.#lowestFree) this.#lowestFree = index
    }
    const isGone = entry !== undefined && this.#tree.opened.close(entry) && inode.nlink === 0
    if (isGone) this.#tree.inotify.released(inode)
  }

  /** Reads at a position, -1 for the current one; returns the number of bytes, 0 at the end. */
  read(fd: number, target: Uint8Array, position: number): number {
    return this.beginRead(fd, target, position, target.length)()
  }

  /** Reads the first bytes; the returned function reads the rest and returns the total. */
  beginRead(fd: number, target: Uint8Array, position: number, first: number): () => number {
    const open = this.get(fd)
    if (!open.readable) fail('EBADF')
    const { inode } = open
    if (inode.isDirectory) fail('EISDIR')
    if (!inode.isFile) return () => 0
    const start = position < 0 ? open.position : position
    let count = inode.content.read(target, 0, first, start)
    return () => {
      if (count === first) count += inode.content.read(target, first, target.length - first, start + first)
      if (position < 0) open.position = start + count
      return count
    }
  }

  /** As in pwrite(2) on Linux, a file opened for appending is appended to whatever the position. */
  write(fd: number, source: Uint8Array, position: number): number {
    return this.beginWrite(fd, source, position, source.length)()
  }

  /**
   * Writes the first bytes; the returned function writes the rest and returns the total. In
   * between, the write holds the inode's lock: the next write or truncation finishes this one
   * first.
   */
  beginWrite(fd: number, source: Uint8Array, position: number, first: number): () => number {
    const open = this.get(fd)
    if (!open.writable) fail('EBADF')
    const { inode } = open
    if (inode.device !== undefined) {
      if (inode.device === 'stdout') this.#tree.host.output(1, source.slice())
      if (inode.device === 'stderr') this.#tree.host.output(2, source.slice())
      return () => source.length
    }
    if (source.length === 0) return () => 0
    inode.finishWrite?.()
    const start = open.append ? inode.content.size : position < 0 ? open.position : position
    inode.content.write(source.subarray(0, first), start)
    this.#tree.modified(inode)
    return holding(inode, () => {
      inode.content.write(source.subarray(first), start + first)
      if (position < 0) open.position = start + source.length
      this.#tree.modified(inode)
      this.#tree.inotify.changed(inode, open.entry, IN.MODIFY)
      return source.length
    })
  }

  truncate(fd: number, size: number): void {
    const { inode, entry, writable } = this.get(fd)
    if (!writable || !inode.isFile) fail('EINVAL')
    inode.finishWrite?.()
    inode.content.truncate(size)
    this.#tree.modified(inode)
    this.#tree.inotify.changed(inode, entry, IN.MODIFY)
  }

  /** The inode that `open` resolves to, created if the flags say so. */
  #reach(path: string, flags: number, mode: number): { inode: Inode; through?: Named; created?: true } {
    const writes = (flags & (O_WRONLY | O_RDWR | O_TRUNC)) !== 0
    if (!(flags & O_CREAT)) {
      const located = locate(this.#tree, path, flags & O_NOFOLLOW ? 'stay' : 'follow')
      const { inode } = located
      if (flags & O_DIRECTORY && !inode.isDirectory) fail('ENOTDIR')
      if (inode.isLink) fail('ELOOP')
      if (inode.isDirectory && writes) fail('EISDIR')
      this.#checkOpenable(inode, path)
      return located
    }
    const exclusive = (flags & O_EXCL) !== 0
    const place = walk(this.#tree, path, exclusive || flags & O_NOFOLLOW ? 'name' : 'create')
    if (place.slash) fail('EISDIR')
    const through = { directory: place.parent!, name: place.name }
    if (place.inode === undefined) {
      const made = this.#tree.make(S_IFREG | (mode & 0o7777 & ~this.#tree.host.umask()))
      this.#tree.put(place.parent!, place.name, made)
      this.#tree.inotify.created(place.parent!, place.name, made)
      return { inode: made, through, created: true }
    }
    if (exclusive) fail('EEXIST')
    if (place.inode.isLink) fail('ELOOP')
    if (place.inode.isDirectory) fail('EISDIR')
    if (flags & O_DIRECTORY) fail('ENOTDIR')
    this.#checkOpenable(place.inode, path)
    return { inode: place.inode, through }
  }

  #checkOpenable(inode: Inode, path: string): void {
    if (inode.isFile || inode.isDirectory || inode.device !== undefined) return
    const type = inode.mode & S_IFMT
    if (type === S_IFSOCK) fail('ENXIO')
    const what = type === S_IFIFO ? 'a pipe' : type === S_IFCHR ? 'a device' : 'a special file'
    this.#tree.host.refuse(`fs.open of ${what}, ${path}`)
  }

  #give(description: Description): number {
    const index = this.#lowestFree
    this.#open[index] = description
    let next = index + 1
    while (this.#open[next] !== undefined) next++
    this.#lowestFree = next
    this.#onOpen(description)
    return index + FIRST_DESCRIPTOR
  }
}

function standard(inode: Inode, path: string): Description {
  return { inode, entry: undefined, readable: true, writable: true, append: false, path, position: 0 }
}
