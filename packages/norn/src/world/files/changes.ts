/**
 * The paths that an execution changed: names that were put or dropped, and files of the base whose
 * data changed. A path below a folder that was renamed later has the folder's new name; the old name
 * is a change of its own.
 */
import { RealMap } from '../realm/language.ts'
import type { Inode } from './inode.ts'

export class Changes {
  #names = new RealMap<Inode, Map<string, true>>()
  #data = new RealMap<Inode, true>()
  /** How many there are. */
  count = 0

  reset(): void {
    if (this.count === 0) return
    this.count = 0
    this.#names = new RealMap()
    this.#data = new RealMap()
  }

  name(directory: Inode, name: string): void {
    let names = this.#names.get(directory)
    if (names === undefined) this.#names.set(directory, (names = new RealMap()))
    if (names.has(name)) return
    names.set(name, true)
    this.count++
  }

  data(inode: Inode): void {
    if (inode.base === undefined || this.#data.has(inode)) return
    this.#data.set(inode, true)
    this.count++
  }

  /** All of them, by their directories and inodes. */
  all(): { readonly names: readonly (readonly [Inode, readonly string[]])[]; readonly data: readonly Inode[] } {
    const names = Array.from(this.#names, ([directory, changed]) => [directory, [...changed.keys()]] as const)
    return { names, data: [...this.#data.keys()] }
  }

  /** All of them, as byte strings. */
  *paths(pathOf: (directory: Inode) => string): Generator<string> {
    for (const [directory, names] of this.#names) {
      const path = pathOf(directory)
      for (const name of names.keys()) yield path === '/' ? `/${name}` : `${path}/${name}`
    }
    for (const inode of this.#data.keys()) yield inode.base!.path
  }
}
