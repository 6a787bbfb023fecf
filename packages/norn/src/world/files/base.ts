/**
 * The real disk under the overlay: read-only, and assumed not to change while the process lives.
 *
 * Invariant: a look-up never changes its answer, so every execution starts from the same files. A
 * directory is listed when a name in it is first needed; names outside the listing do not exist, so
 * memory is bounded by the files, not by the names a program asks for.
 */
import { RealMap } from '../realm/language.ts'
import { Failure, fail } from './failure.ts'

/** The lstat of a real file. Times are milliseconds since the epoch. */
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

/** The real disk. Paths are absolute byte strings without links; errors are thrown as `Failure`. */
export interface Base {
  /** Undefined if nothing exists there. */
  lstat(path: string): BaseStat | undefined
  readdir(path: string): readonly string[]
  readlink(path: string): string
  readFile(path: string): Uint8Array
}

/** One real file, cached. */
export class BaseNode {
  readonly path: string
  readonly stat: BaseStat
  readonly #base: Base
  /** By name: a node, or null for a listed name that was not looked up yet. */
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

  /** Shared by all executions: copy before writing. */
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
      // Without read permission on the directory, look up names one by one.
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
