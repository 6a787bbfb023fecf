/**
 * The names through which files are open, as the kernel's dentries: they follow renames, and stay
 * when the name is removed. Invariant: an entry exists while a description has it open.
 */
import { RealMap } from '../realm/language.ts'
import type { Inode } from './inode.ts'
import type { Named } from './inotify.ts'

export interface OpenEntry {
  directory: Inode
  name: string
  /** The number of open descriptions. */
  opens: number
  removed: boolean
}

export class OpenEntries {
  #entries: Map<Inode, Map<string, OpenEntry>> = new RealMap()

  reset(): void {
    if (this.#entries.size > 0) this.#entries = new RealMap()
  }

  open(directory: Inode, name: string): OpenEntry {
    let names = this.#entries.get(directory)
    if (names === undefined) this.#entries.set(directory, (names = new RealMap()))
    let entry = names.get(name)
    if (entry === undefined) names.set(name, (entry = { directory, name, opens: 0, removed: false }))
    entry.opens++
    return entry
  }

  /** Returns whether the name was removed, and this was its last description. */
  close(entry: OpenEntry): boolean {
    if (--entry.opens > 0) return false
    if (!entry.removed) this.#take(entry.directory, entry.name)
    return entry.removed
  }

  /** A name was removed; returns whether it is still open. */
  remove(directory: Inode, name: string): boolean {
    const entry = this.#take(directory, name)
    if (entry !== undefined) entry.removed = true
    return entry !== undefined
  }

  /** A name was moved to another, which is free. */
  move(from: Named, to: Named): void {
    const entry = this.#take(from.directory, from.name)
    if (entry === undefined) return
    let names = this.#entries.get(to.directory)
    if (names === undefined) this.#entries.set(to.directory, (names = new RealMap()))
    names.set(to.name, entry)
    Object.assign(entry, to)
  }

  #take(directory: Inode, name: string): OpenEntry | undefined {
    const names = this.#entries.get(directory)
    const entry = names?.get(name)
    names?.delete(name)
    if (names?.size === 0) this.#entries.delete(directory)
    return entry
  }
}
