/**
 * Inodes: what a name stands for, in one execution.
 *
 * Invariant: an inode over the base is made when it is first reached and holds every change of this execution, so
 * dropping the root drops all changes. A directory knows its parent and its own name (it has no hard links); a regular
 * file may stand under many names. Two real names of one real file share one inode.
 */
import { RealMap } from '../language.ts'
import type { BaseNode } from './base.ts'
import { Content } from './content.ts'

export const S_IFMT = 0o170000
export const S_IFREG = 0o100000
export const S_IFDIR = 0o040000
export const S_IFLNK = 0o120000
export const S_IFCHR = 0o020000
export const S_IFIFO = 0o010000

/** What a character device does: swallow and give nothing, or stand for a standard stream. */
export type Device = 'null' | 'stdin' | 'stdout' | 'stderr'

export class Inode {
  /** Type and permission bits, as in `st_mode`. */
  mode: number
  nlink: number
  uid: number
  gid: number
  rdev = 0
  /** Milliseconds since the epoch. */
  atimeMs: number
  mtimeMs: number
  ctimeMs: number
  birthtimeMs: number
  /** 0 until it is first asked for: numbers are given in the order of asking. */
  number = 0

  /** Of a directory: what changed against the base, null for a whiteout. */
  readonly entries: Map<string, Inode | null> | undefined
  /** Of a directory: names standing over the base, or none when the base is hidden. */
  base: BaseNode | undefined
  /** Of a directory: undefined for the root, and for one that was removed. */
  parent: Inode | undefined
  name = ''
  removed = false

  /** Of a link. */
  target = ''
  device: Device | undefined
  #content: Content | undefined
  /** Ends the write that is half done: it holds the lock of the inode, and whoever writes next waits for it. */
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

  /** The bytes of a regular file, read from the base when they are first needed. */
  get content(): Content {
    this.#content ??= this.base === undefined ? new Content() : Content.over(this.base.content())
    return this.#content
  }

  /** As in `st_size`, without reading a file of the base. */
  get size(): number {
    if (this.isFile) return this.#content === undefined ? (this.base?.stat.size ?? 0) : this.#content.size
    if (this.isLink) return this.target.length
    return this.isDirectory ? (this.base?.stat.size ?? 4096) : 0
  }

  /** Data changed now. */
  modified(nowMs: number): void {
    this.mtimeMs = this.ctimeMs = nowMs
  }

  chmod(bits: number, nowMs: number): void {
    this.mode = (this.mode & S_IFMT) | (bits & 0o7777)
    this.ctimeMs = nowMs
  }

  /** -1 leaves an owner as it is. As on Linux a file that changes hands loses set-user-id and set-group-id. */
  chown(uid: number, gid: number, nowMs: number): void {
    if (uid !== -1 && uid !== 0xffffffff) this.uid = uid
    if (gid !== -1 && gid !== 0xffffffff) this.gid = gid
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

/** Up to libuv 1.51 (Node 22) times are set in whole microseconds, since then in nanoseconds. */
const [uvMajor = 0, uvMinor = 0] = process.versions.uv.split('.').map(Number)
const RESOLUTION_NS = uvMajor === 1 && uvMinor < 52 ? 1000 : 1

/** libuv rounds a time in seconds towards zero. */
function milliseconds(seconds: number): number {
  const whole = Math.trunc(seconds)
  const nanoseconds = Math.trunc((seconds - whole) * 1e9)
  return whole * 1e3 + (nanoseconds - (nanoseconds % RESOLUTION_NS)) / 1e6
}
