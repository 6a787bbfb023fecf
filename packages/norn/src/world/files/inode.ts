/**
 * The inodes of one execution.
 *
 * Invariant: an inode over the base is created on first access and holds this execution's changes,
 * so dropping the root drops them all. A directory knows its parent and its own name (it has no
 * hard links); a file may have many names. Two real names of one real file share an inode.
 */
import { RealMap } from '../realm/language.ts'
import type { BaseNode } from './base.ts'
import { Content } from './content.ts'

export const S_IFMT = 0o170000
export const S_IFREG = 0o100000
export const S_IFDIR = 0o040000
export const S_IFLNK = 0o120000
export const S_IFCHR = 0o020000
export const S_IFIFO = 0o010000
export const S_IFSOCK = 0o140000

/** A character device: /dev/null or a standard stream. */
export type Device = 'null' | 'stdin' | 'stdout' | 'stderr'

export class Inode {
  /** Type and permission bits, as in `st_mode`. */
  mode: number
  nlink: number
  uid: number
  gid: number
  rdev = 0
  /** Milliseconds since the epoch, or stamps (stamps.ts). */
  atimeMs: number
  mtimeMs: number
  ctimeMs: number
  birthtimeMs: number
  /** 0 until first read: numbers are given in order of reading. */
  number = 0

  /** Of a directory: changes against the base, null for a whiteout. */
  readonly entries: Map<string, Inode | null> | undefined
  /** Of a directory: the base it overlays, undefined when hidden. */
  base: BaseNode | undefined
  /** Of a directory: undefined for the root and for a removed one. */
  parent: Inode | undefined
  name = ''
  removed = false

  /** Of a link. */
  target = ''
  device: Device | undefined
  #content: Content | undefined
  /** Finishes the write that is half done and holds the inode's lock. */
  finishWrite: (() => void) | undefined

  constructor(mode: number, nowMs: number, uid: number, gid: number) {
    this.mode = mode
    this.uid = uid
    this.gid = gid
    this.nlink = 1
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = nowMs
    if ((mode & S_IFMT) === S_IFDIR) {
      this.entries = new RealMap()
      this.nlink = 2
    }
  }

  /** The inode of a real file. */
  static over(base: BaseNode): Inode {
    const { stat } = base
    const inode = new Inode(stat.mode, stat.ctimeMs, stat.uid, stat.gid)
    inode.base = base
    inode.nlink = stat.nlink
    inode.rdev = stat.rdev
    inode.atimeMs = stat.atimeMs
    inode.mtimeMs = stat.mtimeMs
    inode.birthtimeMs = stat.birthtimeMs
    if (inode.isLink) inode.target = base.target()
    return inode
  }

  get isDirectory(): boolean {
    return (this.mode & S_IFMT) === S_IFDIR
  }

  get isFile(): boolean {
    return (this.mode & S_IFMT) === S_IFREG
  }

  get isLink(): boolean {
    return (this.mode & S_IFMT) === S_IFLNK
  }

  /** The bytes of a regular file, read from the base on first use. */
  get content(): Content {
    this.#content ??= this.base === undefined ? new Content() : Content.over(this.base.content())
    return this.#content
  }

  /** That of a file that is not as on the disk. */
  get ownContent(): Content | undefined {
    return this.isFile && (this.base === undefined || this.#content?.changed === true) ? this.content : undefined
  }

  /** Whether it is the file that the base has at a path, unchanged. */
  isOriginal(path: string): boolean {
    return this.base?.path === path && this.#content?.changed !== true
  }

  /** As `st_size`, without reading a file of the base. */
  get size(): number {
    if (this.isFile) return this.#content === undefined ? (this.base?.stat.size ?? 0) : this.#content.size
    if (this.isLink) return this.target.length
    return this.isDirectory ? (this.base?.stat.size ?? 4096) : 0
  }

  /** Records a change of data. */
  modified(nowMs: number): void {
    this.mtimeMs = this.ctimeMs = nowMs
  }

  chmod(bits: number, nowMs: number): void {
    this.mode = (this.mode & S_IFMT) | (bits & 0o7777)
    this.ctimeMs = nowMs
  }

  /**
   * -1 keeps an owner. As on Linux, a file that changes hands loses set-user-id and set-group-id.
   */
  chown(uid: number, gid: number, nowMs: number): void {
    if (isOwner(uid)) this.uid = uid
    if (isOwner(gid)) this.gid = gid
    if (!this.isDirectory && !this.isLink) {
      this.mode &= ~0o4000
      if (this.mode & 0o010) this.mode &= ~0o2000
    }
    this.ctimeMs = nowMs
  }

  /** Seconds since the epoch. */
  utimes(atime: number, mtime: number, nowMs: number): void {
    this.atimeMs = milliseconds(atime)
    this.mtimeMs = milliseconds(mtime)
    this.ctimeMs = nowMs
  }
}

/** Whether a call changes the owner, or keeps it (-1). */
export function isOwner(id: number): boolean {
  return id !== -1 && id !== 0xffffffff
}

/** libuv sets times in whole microseconds up to 1.51 (Node 22), in nanoseconds since. */
const [uvMajor = 0, uvMinor = 0] = process.versions.uv.split('.').map(Number)
const RESOLUTION_NS = uvMajor === 1 && uvMinor < 52 ? 1000 : 1

/** libuv rounds a time in seconds towards zero. */
function milliseconds(seconds: number): number {
  const whole = Math.trunc(seconds)
  const nanoseconds = Math.trunc((seconds - whole) * 1e9)
  return whole * 1e3 + (nanoseconds - (nanoseconds % RESOLUTION_NS)) / 1e6
}
