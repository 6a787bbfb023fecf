/**
 * The real disk under the overlay: read-only, and taken not to change for as long as the process lives.
 *
 * Invariant: what was once looked up never changes, so that every execution starts from the same files; nothing here
 * writes. A directory is listed when a name in it is first asked for, and a name outside the listing does not exist:
 * memory is bounded by what exists, not by the names that a program asks for.
 */
import { RealMap } from '../language.ts'
import { Failure, fail } from './failure.ts'

/** What lstat says of a real file. Times are milliseconds since the epoch. */
export interface BaseStat {
  readonly mode: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly rdev: number
  readonly size: number
  readonly device: number
  readonly inode: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
}

/** The real disk. Paths are absolute byte strings without links; failures are thrown as `Failure`. */
export interface Base {
  /** Undefined where nothing exists. */
  lstat(path: string): BaseStat | undefined
  readdir(path: string): readonly string[]
  readlink(path: string): string
  readFile(path: string): Uint8Array
}

/** One real file, remembered. */
export class BaseNode {
  readonly path: string
  readonly stat: BaseStat
  readonly #base: Base
  /** By name: a node, or null for a name that is listed and not looked at so far. */
  #children: Map<string, BaseNode | null> | undefined
  #names: readonly string[] | undefined
  #listable = true
  #target: string | undefined
  #content: Uint8Array | undefined

  constructor(base: Base, path: string, stat: BaseStat) {
    this.#base = base
    this.path = path
    this.stat = stat
  }

  get isDirectory(): boolean {
    return (this.stat.mode & 0o170000) === 0o040000
  }

  /** Names in byte order. */
  names(): readonly string[] {
    this.#list()
    if (!this.#listable) fail('EACCES')
    return this.#names!
  }

  child(name: string): BaseNode | undefined {
    const children = this.#list()
    const known = children.get(name)
    if (known) return known
    if (known === undefined && this.#listable) return undefined
    const path = this.path === '/' ? `/${name}` : `${this.path}/${name}`
    const stat = this.#base.lstat(path)
    if (stat === undefined) {
      children.delete(name)
      return undefined
    }
    const node = new BaseNode(this.#base, path, stat)
    children.set(name, node)
    return node
  }

  target(): string {
    this.#target ??= this.#base.readlink(this.path)
    return this.#target
  }

  /** Shared by all executions: whoever wants to change it copies it first. */
  content(): Uint8Array {
    this.#content ??= this.#base.readFile(this.path)
    return this.#content
  }

  #list(): Map<string, BaseNode | null> {
    if (this.#children !== undefined) return this.#children
    this.#children = new RealMap()
    try {
      this.#names = [...this.#base.readdir(this.path)].sort()
      for (const name of this.#names) this.#children.set(name, null)
    } catch (error) {
      // A directory that may be searched but not listed: look up names one by one.
      if (!(error instanceof Failure)) throw error
      this.#listable = false
    }
    return this.#children
  }
}

export function baseRoot(base: Base): BaseNode {
  const stat = base.lstat('/')
  if (stat === undefined) throw new Error('the base has no root directory')
  return new BaseNode(base, '/', stat)
}
