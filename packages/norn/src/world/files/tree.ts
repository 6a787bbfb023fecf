/**
 * The file tree of one execution: inodes over the base, in memory only.
 *
 * Invariant: `reset` restores the starting files by dropping the root, at no cost; inodes are
 * created again on access. Directory entries change only through `put` and `drop`, which maintain
 * parents, link counts and times. Inode numbers are given in order of first read, so they repeat in
 * every run.
 */
import { RealMap } from '../realm/language.ts'
import { type Base, type BaseNode, baseRoot } from './base.ts'
import { Changes } from './changes.ts'
import { OpenEntries } from './entries.ts'
import { fail } from './failure.ts'
import { type Device, Inode, S_IFCHR } from './inode.ts'
import { type Announced, Inotify } from './inotify.ts'

/** What the tree asks of the world. */
export interface TreeHost {
  /** A stamp of the present time (stamps.ts). */
  now(): number
  /** A stamp, or milliseconds since the epoch, as the latter. */
  msOf(time: number): number
  /** The working directory: an absolute byte string. */
  cwd(): string
  umask(): number
  readonly uid: number
  readonly gid: number
  /** Bytes that reached standard output (1) or standard error (2). */
  output(fd: number, bytes: Uint8Array): void
  /** Six characters for a temporary name. */
  random6(): string
  /** Announces the event of a change to a path, which is watched. */
  announceChange(path: string): Announced
  /** Rejects an operation that the tree does not model. */
  refuse(what: string): never
}

/** Paths that are devices in the overlay, whatever the base holds there. */
const DEVICES: Readonly<Record<string, Device>> = {
  '/dev/null': 'null',
  '/dev/stdin': 'stdin',
  '/dev/stdout': 'stdout',
  '/dev/stderr': 'stderr',
}

/** The first inode number, given to the first inode whose number is read. */
const FIRST_NUMBER = 1000

export class Tree {
  readonly host: TreeHost
  #root: Inode | undefined
  readonly #base: BaseNode
  /** That of the next inode whose number is read. */
  nextNumber = FIRST_NUMBER
  /** Real files with more than one name, by device and inode. */
  #linked = new Map<string, Inode>()
  readonly changes = new Changes()
  /** The names through which files are open. */
  readonly opened = new OpenEntries()
  readonly inotify: Inotify

  constructor(base: Base, host: TreeHost) {
    this.host = host
    this.#base = baseRoot(base)
    this.inotify = new Inotify((path) => host.announceChange(path))
  }

  /** Created on first access: most executions touch no file. */
  get root(): Inode {
    return (this.#root ??= Inode.over(this.#base))
  }

  reset(): void {
    this.#root = undefined
    this.changes.reset()
    this.opened.reset()
    this.inotify.reset()
    this.nextNumber = FIRST_NUMBER
    if (this.#linked.size > 0) this.#linked = new RealMap()
  }

  numberOf(inode: Inode): number {
    if (inode.number === 0) inode.number = this.nextNumber++
    return inode.number
  }

  /** A new inode of the current user, without a name. */
  make(mode: number, nowMs = this.host.now()): Inode {
    return new Inode(mode, nowMs, this.host.uid, this.host.gid)
  }

  device(device: Device, nowMs?: number): Inode {
    const inode = this.make(S_IFCHR | (device === 'null' ? 0o666 : 0o620), nowMs)
    inode.device = device
    return inode
  }

  child(directory: Inode, name: string): Inode | undefined {
    const entry = directory.entries!.get(name)
    if (entry !== undefined) return entry ?? undefined
    const base = directory.base?.child(name)
    if (base === undefined) return undefined
    const inode = this.#over(base)
    if (inode.isDirectory) {
      inode.parent = directory
      inode.name = name
    }
    directory.entries!.set(name, inode)
    return inode
  }

  /** Names in byte order. */
  names(directory: Inode): string[] {
    const base = directory.base?.names() ?? []
    const names: string[] = []
    for (const name of base) if (directory.entries!.get(name) !== null) names.push(name)
    let added = false
    for (const [name, entry] of directory.entries!) {
      if (entry === null || directory.base?.child(name) !== undefined) continue
      names.push(name)
      added = true
    }
    return added ? names.sort() : names
  }

  /** Puts an inode under a free name. */
  put(directory: Inode, name: string, inode: Inode, nowMs = this.host.now()): void {
    if (directory.removed) fail('ENOENT')
    directory.entries!.set(name, inode)
    if (inode.isDirectory) {
      inode.parent = directory
      inode.name = name
      directory.nlink++
    }
    directory.modified(nowMs)
    this.changes.name(directory, name)
  }

  /** Removes a name; the caller deals with the inode. */
  drop(directory: Inode, name: string, inode: Inode, nowMs = this.host.now()): void {
    if (directory.base === undefined) directory.entries!.delete(name)
    else directory.entries!.set(name, null)
    if (inode.isDirectory) directory.nlink--
    directory.modified(nowMs)
    this.changes.name(directory, name)
  }

  /** Records a change of the data of a file. */
  modified(inode: Inode, nowMs = this.host.now()): void {
    this.changes.data(inode)
    inode.modified(nowMs)
  }

  /** The absolute path of a directory. */
  pathOf(directory: Inode): string {
    let path = ''
    for (let at = directory; at.parent !== undefined; at = at.parent) path = `/${at.name}${path}`
    return path === '' ? '/' : path
  }

  /** A new inode over what the disk has at a path without links; the one of a file with several names. */
  overlaying(path: string): Inode {
    let base: BaseNode | undefined = this.#base
    for (const name of path.split('/')) if (name !== '') base = base?.child(name)
    if (base === undefined) fail('ENOENT')
    return this.#over(base)
  }

  #over(base: BaseNode): Inode {
    const device = DEVICES[base.path]
    if (device !== undefined) return this.device(device)
    const { stat } = base
    if (stat.nlink < 2 || base.isDirectory) return Inode.over(base)
    const key = `${stat.device}:${stat.inode}`
    let inode = this.#linked.get(key)
    if (inode === undefined) this.#linked.set(key, (inode = Inode.over(base)))
    return inode
  }
}
