/**
 * The corpus on disk: `.norn/corpus/<property>/`, one file a tape, so that a campaign goes on where the last one ended and
 * workers share what they come upon.
 *
 * A file is named by a hash of what it holds and is written by atomic rename. So two processes that add the same tape write
 * the same file, nothing needs a lock, and a kill at any moment leaves whole files and at most one temporary one, which a
 * later process takes away. Removing what another process has removed is no error.
 *
 * Invariants: what a file holds agrees with its name, or it is ignored, and told of once; the order of entries is that of
 * their names, which depends on nothing else. At most MAX_ENTRIES and MAX_BYTES are kept; more is not added.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANES } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import { shortHash } from '../contract/fingerprint.ts'
import { decodeChoices, encodeChoices } from '../tape/codec.ts'
import { digest } from '../tape/digest.ts'
import { OWNER, removeLeftovers } from './leftovers.ts'

export const CORPUS_FOLDER = join('.norn', 'corpus')

const FORMAT = 'norn corpus entry'
const VERSION = 1
const NAME = /^[0-9a-f]{32}\.json$/

export const MAX_ENTRIES = 2048
export const MAX_BYTES = 64 * 1024 * 1024
/** A tape larger than this is not worth mutating. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024

/** Files that are none of ours are told of, so many at most. */
const MAX_TOLD = 20

export interface StoredEntry {
  /** Of its file; a function of its choices. */
  readonly name: string
  readonly choices: Choices
}

export interface CorpusStoreOptions {
  readonly root: string
  /** The file of properties, relative to the root: in two files properties may have one name. */
  readonly file: string
  readonly property: string
  /** The version of norn that writes. */
  readonly version: string
  /** Told of each file that is ignored, once: its path and what is wrong with it. */
  readonly onIgnored?: (path: string, why: string) => void
  readonly maxEntries?: number
  readonly maxBytes?: number
}

export class CorpusStore {
  readonly folder: string
  readonly #options: CorpusStoreOptions
  /** What was read, written or found wrong: by name, the bytes of its file. */
  readonly #known = new Map<string, number>()
  readonly #told = new Set<string>()
  #bytes = 0

  constructor(options: CorpusStoreOptions) {
    this.#options = options
    this.folder = join(options.root, CORPUS_FOLDER, folderName(options.file, options.property))
  }

  /** All entries there are, in the order of their names. */
  load(): StoredEntry[] {
    this.#known.clear()
    this.#bytes = 0
    removeLeftovers(this.folder, '.json.', '.tmp')
    return this.poll()
  }

  /** Entries that others added since the last look, in the order of their names. */
  poll(): StoredEntry[] {
    const names = this.#names()
    const present = new Set(names)
    for (const name of this.#known.keys()) if (!present.has(name)) this.#forget(name)
    const found: StoredEntry[] = []
    for (const name of names) {
      if (this.#known.has(name) || this.#isFull(0)) continue
      const choices = this.#read(name)
      if (choices !== undefined) found.push({ name, choices })
    }
    return found
  }

  /** Keeps choices. Gives the name of their file; undefined where they are too large or the corpus is full. */
  add(choices: Choices): string | undefined {
    const text = this.#textOf(choices)
    const name = nameOf(choices)
    if (this.#known.has(name)) return name
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_ENTRY_BYTES || this.#isFull(bytes)) return undefined
    mkdirSync(this.folder, { recursive: true })
    const temporary = join(this.folder, `.${name}.${OWNER}.tmp`)
    writeFileSync(temporary, text)
    renameSync(temporary, join(this.folder, name))
    this.#know(name, bytes)
    return name
  }

  /** Whether an entry is known here: it was read, or written. */
  has(name: string): boolean {
    return this.#known.has(name)
  }

  /** Removes an entry, if it is there still. */
  remove(name: string): void {
    if (!NAME.test(name)) throw new RangeError(`"${name}" does not name an entry of a corpus`)
    rmSync(join(this.folder, name), { force: true })
    this.#forget(name)
  }

  /** Removes of the entries known here all that are not to be kept; what others have added since stays. */
  minimise(keep: Iterable<string>): void {
    const kept = new Set(keep)
    for (const name of this.#known.keys()) {
      if (!kept.has(name) && !this.#told.has(name)) this.remove(name)
    }
  }

  #isFull(more: number): boolean {
    const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = this.#options
    return this.#known.size >= maxEntries || this.#bytes + more > maxBytes
  }

  #textOf(choices: Choices): string {
    const { file, property, version } = this.#options
    const lanes = Object.fromEntries(LANES.map((lane) => [lane, choices[lane].length]))
    const header = { format: FORMAT, version: VERSION, file, property, norn: version, lanes }
    return `${JSON.stringify({ ...header, tape: encodeChoices(choices) })}\n`
  }

  /** Undefined, and told of, if it is no entry of this property; undefined too if it was removed meanwhile. */
  #read(name: string): Choices | undefined {
    const path = join(this.folder, name)
    try {
      const stat = statSync(path)
      const size = stat.isFile() ? stat.size : 0
      this.#know(name, size)
      // A pipe or a device would be read without an end.
      if (!stat.isFile()) throw new Error('it is no regular file')
      if (size > MAX_ENTRY_BYTES) throw new Error(`it has ${size} bytes, and an entry has ${MAX_ENTRY_BYTES} at most`)
      const entry = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
      if (entry?.format !== FORMAT) throw new Error('this is no entry of a corpus')
      if (entry.version !== VERSION) throw new Error(`it has version ${entry.version}; this norn reads ${VERSION}`)
      const choices = decodeChoices(entry.tape)
      if (nameOf(choices) !== name) throw new Error('it does not hold what its name says')
      return choices
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') this.#forget(name)
      else this.#ignore(name, message)
      return undefined
    }
  }

  #ignore(name: string, why: string): void {
    if (this.#told.has(name) || this.#told.size >= MAX_TOLD) return
    this.#told.add(name)
    this.#options.onIgnored?.(join(this.folder, name), why)
  }

  #names(): string[] {
    try {
      const names = readdirSync(this.folder).sort()
      for (const name of names) {
        if (!name.startsWith('.') && !NAME.test(name)) this.#ignore(name, 'its name is none of an entry')
      }
      return names.filter((name) => NAME.test(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #know(name: string, bytes: number): void {
    this.#forget(name)
    this.#known.set(name, bytes)
    this.#bytes += bytes
  }

  #forget(name: string): void {
    this.#bytes -= this.#known.get(name) ?? 0
    this.#known.delete(name)
  }
}

/** The file that choices are kept in: a hash of the choices alone, the same in every version of norn. */
export function nameOf(choices: Choices): string {
  return `${digest(JSON.stringify(encodeChoices(choices)))}.json`
}

function folderName(file: string, property: string): string {
  const slug = property
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${slug || 'property'}-${shortHash(`${file}|${property}`)}`
}
