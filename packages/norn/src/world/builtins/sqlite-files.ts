/**
 * Files of SQLite. It reaches the disk past every binding, so each database of an execution has a
 * *shadow*: a real file in a folder of norn, made from the overlay when the database is opened, and
 * copied back after each call that changes it. All connections to one path share the shadow, so
 * SQLite's own locks and transactions hold between them.
 *
 * Journals stay beside the shadow: a program does not see them.
 */
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseFiles } from '../files/database-files.ts'
import type { Inode } from '../files/inode.ts'
import { outside } from '../realm/outside.ts'

/** The header of a database, in bytes: it counts the transactions that changed the file. */
const HEADER_BYTES = 100

/** A path of the program, and the real file that stands for it. */
export interface Shadow {
  /** Without links, as a byte string. */
  readonly path: string
  readonly real: string
  inode: Inode | undefined
  connections: number
  /** What tells whether the real file has changed. */
  seen: string
}

/** Of SQLite, beside a database. */
const COMPANIONS = ['', '-journal', '-wal', '-shm']

export class ShadowFiles {
  readonly #files: DatabaseFiles
  /** The folder of the real files. */
  readonly #folder: string
  readonly #shadows = new Map<string, Shadow>()

  constructor(files: DatabaseFiles, folder: string) {
    this.#files = files
    this.#folder = folder
  }

  /** A path at which SQLite cannot open a file. */
  get nowhere(): string {
    return join(this.#folder, 'nowhere', 'database')
  }

  /** The shadow of a path; undefined if SQLite cannot open a file there. */
  of(path: string): Shadow | undefined {
    const canonical = this.#files.canonical(path)
    if (canonical === undefined) return undefined
    let shadow = this.#shadows.get(canonical)
    if (shadow === undefined) {
      const real = join(this.#folder, `database-${this.#shadows.size}`)
      shadow = { path: canonical, real, inode: undefined, connections: 0, seen: '' }
      this.#shadows.set(canonical, shadow)
    }
    return shadow
  }

  /** A connection opens: the shadow is what the program has at the path. */
  open(shadow: Shadow, isReadOnly: boolean): void {
    const inode = this.#files.find(shadow.path)
    if (shadow.connections === 0 || shadow.inode !== inode) {
      shadow.inode = inode
      // Connections to a file that was removed keep it, as anywhere on Unix.
      remove(shadow.real)
      if (inode !== undefined) outside(() => writeFileSync(shadow.real, this.#files.bytes(inode)))
      shadow.seen = stateOf(shadow.real)
    }
    if (inode === undefined && !isReadOnly) shadow.inode = this.#files.create(shadow.path)
    shadow.connections++
  }

  /** A connection is closed. */
  close(shadow: Shadow): void {
    shadow.connections--
    this.#copyBack(shadow, true)
  }

  /** SQLite may have changed files. */
  changed(): void {
    for (const shadow of this.#shadows.values()) if (shadow.connections > 0) this.#copyBack(shadow)
  }

  /** Removes all real files: after an execution. */
  reset(): void {
    if (this.#shadows.size === 0) return
    for (const { real } of this.#shadows.values()) remove(real)
    this.#shadows.clear()
  }

  #copyBack(shadow: Shadow, isLast = false): void {
    const { inode, real } = shadow
    if (inode === undefined) return
    const state = stateOf(real)
    if (state === shadow.seen && !isLast) return
    shadow.seen = state
    const bytes = outside(() => readFileSync(real))
    if (Buffer.compare(bytes, this.#files.bytes(inode)) !== 0) this.#files.write(inode, bytes)
  }
}

function remove(real: string): void {
  outside(() => {
    for (const companion of COMPANIONS) rmSync(real + companion, { force: true })
  })
}

/** Differs after a change: the time of a file alone may not, as its clock is coarse. */
function stateOf(path: string): string {
  return outside(() => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return ''
    const header = Buffer.alloc(HEADER_BYTES)
    const fd = openSync(path, 'r')
    readSync(fd, header, 0, HEADER_BYTES, 0)
    closeSync(fd)
    return `${stat.size} ${stat.mtimeNs} ${header.toString('latin1')}`
  })
}
