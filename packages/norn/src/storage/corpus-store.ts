/**
 * The corpus on disk: `.norn/corpus/<property>/`, one file a choice sequence. A campaign continues
 * where the last one ended, and workers share what they find.
 *
 * A file is named by a hash of its choices and written by atomic rename, so processes need no lock.
 * Invariants: a file whose content does not match its name is ignored and reported once; entries
 * are in the order of their names. At most MAX_ENTRIES and MAX_BYTES are kept; more is not added.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFault } from '#shared/json-fault'
import { LANES } from '../contract/choice.ts'
import type { Choices } from '../contract/choices.ts'
import { shortHash } from '../contract/fingerprint.ts'
import { type EntryMetadata, metadataText, parseMetadata } from '../search/entry-metadata.ts'
import { choicesKey, decodeChoices, encodeChoices } from '../tape/codec.ts'
import { digest } from '../tape/digest.ts'
import { namesIn, removeLeftovers, slugOf, writeAtomically } from './files.ts'

const CORPUS_FOLDER = join('.norn', 'corpus')

const FORMAT = 'norn corpus entry'
const VERSION = 1
const NAME = /^[0-9a-f]{32}\.json$/

const MAX_ENTRIES = 2048
const MAX_BYTES = 64 * 1024 * 1024
/** A larger tape is not worth mutating. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024

/** At most so many ignored files are reported. */
const MAX_REPORTED = 20

export interface StoredEntry {
  /** The name of its file; a function of its choices. */
  readonly name: string
  readonly choices: Choices
  /** Written by another process that searches with the same code. */
  readonly metadata?: EntryMetadata | undefined
}

export interface CorpusStoreOptions {
  readonly root: string
  /** The property file, relative to the root: two files may declare properties of one name. */
  readonly file: string
  readonly property: string
  /** The version of norn that writes. */
  readonly version: string
  /** Identifies the code that is searched. Without it, metadata is neither written nor read. */
  readonly code?: string | undefined
  /** Called once for each file that is ignored, with its path and the reason. */
  readonly onIgnored?: (path: string, why: string) => void
  readonly maxEntries?: number
  readonly maxBytes?: number
}

export class CorpusStore {
  readonly folder: string
  readonly #options: CorpusStoreOptions
  /** Files read, written or ignored: size in bytes by name. */
  readonly #known = new Map<string, number>()
  readonly #ignored = new Set<string>()
  #bytes = 0

  constructor(options: CorpusStoreOptions) {
    this.#options = options
    this.folder = join(options.root, CORPUS_FOLDER, folderName(options.file, options.property))
  }

  /** Whether entries have metadata for other processes. */
  get hasMetadata(): boolean {
    return this.#options.code !== undefined
  }

  /** All entries, in the order of their names. */
  load(): StoredEntry[] {
    this.#known.clear()
    this.#bytes = 0
    removeLeftovers(this.folder, '.json.', '.tmp')
    return this.poll()
  }

  /** Entries that other processes added since the last call, in the order of their names. */
  poll(): StoredEntry[] {
    const names = this.#names()
    const present = new Set(names)
    for (const name of this.#known.keys()) if (!present.has(name)) this.#forget(name)
    const found: StoredEntry[] = []
    for (const name of names) {
      if (this.#known.has(name) || this.#isFull(0)) continue
      const entry = this.#read(name)
      if (entry !== undefined) found.push(entry)
    }
    return found
  }

  /**
   * Stores choices. Returns the name of their file; undefined if they are too large or the corpus
   * is full.
   */
  add(choices: Choices, metadata?: EntryMetadata): string | undefined {
    const text = this.#textOf(choices, metadata)
    const name = nameOf(choices)
    if (this.#known.has(name)) return name
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_ENTRY_BYTES || this.#isFull(bytes)) return undefined
    writeAtomically(join(this.folder, name), text)
    this.#know(name, bytes)
    return name
  }

  /** Stores the text of an entry from elsewhere, unless its name or size is of none; reading checks the rest. */
  put(name: string, text: string): void {
    if (!NAME.test(name) || Buffer.byteLength(text) > MAX_ENTRY_BYTES) return
    writeAtomically(join(this.folder, name), text)
  }

  /** The names of the entries in the folder, sorted. */
  names(): string[] {
    return this.#names()
  }

  /** The text of an entry; undefined if it was removed meanwhile. */
  text(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name), 'utf8')
    } catch {
      return undefined
    }
  }

  /** Whether this store has read or written an entry. */
  has(name: string): boolean {
    return this.#known.has(name)
  }

  /** Removes an entry, if it still exists. */
  remove(name: string): void {
    if (!NAME.test(name)) throw new RangeError(`"${name}" is not the name of a corpus entry`)
    rmSync(join(this.folder, name), { force: true })
    this.#forget(name)
  }

  /**
   * Removes the entries this store knows except those to keep; what others have added since stays.
   */
  minimise(keep: Iterable<string>): void {
    const kept = new Set(keep)
    for (const name of this.#known.keys()) {
      if (!kept.has(name) && !this.#ignored.has(name)) this.remove(name)
    }
  }

  #isFull(more: number): boolean {
    const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = this.#options
    return this.#known.size >= maxEntries || this.#bytes + more > maxBytes
  }

  #textOf(choices: Choices, metadata: EntryMetadata | undefined): string {
    const { file, property, version, code } = this.#options
    const written = code === undefined || metadata === undefined ? undefined : metadataText(metadata)
    const lanes = Object.fromEntries(LANES.map((lane) => [lane, choices[lane].length]))
    const header = { format: FORMAT, version: VERSION, file, property, norn: version, lanes }
    const tape = encodeChoices(choices)
    return `${JSON.stringify({ ...header, tape, ...(written === undefined ? {} : { metadata: { code, text: written } }) })}\n`
  }

  /**
   * Undefined if the file was removed meanwhile, or is not an entry of this property, which is
   * reported.
   */
  #read(name: string): StoredEntry | undefined {
    const path = join(this.folder, name)
    try {
      const stat = statSync(path)
      const size = stat.isFile() ? stat.size : 0
      this.#know(name, size)
      // Reading a pipe or a device might never end.
      if (!stat.isFile()) throw new Error('not a regular file')
      if (size > MAX_ENTRY_BYTES) throw new Error(`${size} bytes; the maximum is ${MAX_ENTRY_BYTES}`)
      const entry = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
      if (entry?.format !== FORMAT) throw new Error('not a corpus entry')
      if (entry.version !== VERSION)
        throw new Error(`unsupported version ${entry.version}; this norn reads version ${VERSION}`)
      const choices = decodeChoices(entry.tape)
      if (nameOf(choices) !== name) throw new Error('its content does not match its name')
      return { name, choices, metadata: this.#metadataOf(entry.metadata, choices) }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') this.#forget(name)
      else this.#ignore(name, jsonFault(error))
      return undefined
    }
  }

  #metadataOf(written: unknown, choices: Choices): EntryMetadata | undefined {
    const { code, text } = (written ?? {}) as { code?: unknown; text?: unknown }
    const isOfOurCode = typeof text === 'string' && code !== undefined && code === this.#options.code
    return isOfOurCode ? parseMetadata(text, choices) : undefined
  }

  #ignore(name: string, why: string): void {
    if (this.#ignored.has(name) || this.#ignored.size >= MAX_REPORTED) return
    this.#ignored.add(name)
    this.#options.onIgnored?.(join(this.folder, name), why)
  }

  #names(): string[] {
    try {
      const names = readdirSync(this.folder).sort()
      for (const name of names) {
        if (!name.startsWith('.') && !NAME.test(name)) this.#ignore(name, 'not the name of a corpus entry')
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

/**
 * The name of the file that stores choices: a hash of the choices alone, the same in every version
 * of norn.
 */
export function nameOf(choices: Choices): string {
  return `${digest(choicesKey(choices))}.json`
}

function folderName(file: string, property: string): string {
  return `${slugOf(property)}-${shortHash(`${file}|${property}`)}`
}

/** The folders of the corpora of a project, and how much each holds. */
export function corpusSizes(
  root: string,
): { readonly name: string; readonly entries: number; readonly bytes: number }[] {
  const folder = join(root, CORPUS_FOLDER)
  return namesIn(folder)
    .sort()
    .flatMap((name) => {
      const files = namesIn(join(folder, name)).filter((file) => NAME.test(file))
      const sizes = files.map((file) => statSync(join(folder, name, file), { throwIfNoEntry: false })?.size ?? 0)
      return files.length === 0
        ? []
        : [{ name, entries: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }]
    })
}
