/**
 * Keeps on disk, for all processes of a user, what takes long to make: one file a value, in
 * `norn` below XDG_CACHE_HOME, or else below `~/.cache`.
 *
 * What is kept is code that will run. So the folder has to be one that only the user can write, and outside
 * of the project: what a checkout brings along is never read. A file is named by a hash of its key, of
 * norn's own code, of the packages that it uses here and of Node. It is written by atomic rename, so processes
 * need no lock; one that is damaged counts as missing. A folder that cannot be used means no cache, not an error.
 *
 * At most MAX_BYTES are kept: then those go that were not used for longest, as far as the disk knows.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, isAbsolute, join, resolve, sep } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { internalBinding } from '../loader/internals.ts'
import type { Cache } from '../loader/transform.ts'
import { namesIn, OWNER, removeLeftovers } from './files.ts'
import { decidingText } from './installation.ts'

const MAX_BYTES = 512 * 1024 * 1024
/** What is left when it was full. */
const LEFT = 0.75
/** Files that a process writes between two looks at the size. */
const WRITTEN_BETWEEN = 2000
/** A look takes long where much is kept: no process looks so soon after another. */
const LOOK_MS = 600_000
/** Its time is that of the last look. */
const LOOKED = '.looked'

const LOADER = resolve(import.meta.dirname, '../loader')
const DIGEST = resolve(import.meta.dirname, `../tape/digest${extname(import.meta.filename)}`)
/** What transforms texts, besides norn and Node. */
const PACKAGES = ['acorn', 'eslint-scope', 'magic-string', 'oxc-transform']

export interface DiskCacheOptions {
  /** Of norn, for all projects. */
  readonly folder: string
  /** The root of the project. */
  readonly root: string
  readonly maxBytes?: number
}

/** The folder in which norn keeps values; undefined if the user has none. */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: named = '' } = process.env
  if (isAbsolute(named)) return join(named, 'norn')
  const home = homedir()
  return isAbsolute(home) ? join(home, '.cache', 'norn') : undefined
}

/** The cache in a folder; undefined if it cannot be used, or must not be trusted. */
export function diskCache(options: DiskCacheOptions): Cache | undefined {
  const { folder, root } = options
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return undefined
  }
  return isOwn(folder) && !isOfCheckout(folder, root) ? new DiskCache(options) : undefined
}

/** Whether only this user can write a folder. */
function isOwn(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && stat.uid === process.getuid!() && (stat.mode & 0o022) === 0
}

/** Whether a folder is in the project, or in the checkout that the project is in. */
function isOfCheckout(folder: string, root: string): boolean {
  const project = realpathSync(root)
  const above = [project]
  while (dirname(above.at(-1)!) !== above.at(-1)) above.push(dirname(above.at(-1)!))
  const top = above.find((each) => lstatSync(join(each, '.git'), { throwIfNoEntry: false }) !== undefined) ?? project
  return `${realpathSync(folder)}${sep}`.startsWith(`${top}${sep}`)
}

type Hash = (algorithm: 'sha256', text: string) => string

/** The content of a file, behind its check sum. */
interface Entry<Value> {
  /** Of the file. */
  readonly name: string
  readonly value: Value
}

const SUM_BYTES = 4

const { crc32 } = internalBinding<{ crc32(bytes: Uint8Array, start: number): number }>('zlib')

class DiskCache implements Cache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #makers: string
  readonly #hash: Hash
  /** Whether a write has failed: then no other is tried. */
  #isFull = false
  #written = 0

  constructor({ folder, maxBytes = MAX_BYTES }: DiskCacheOptions) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    // An import would load it before the world is installed.
    this.#hash = process.getBuiltinModule('crypto').hash
    this.#makers = this.#hash('sha256', decidingText([LOADER, DIGEST], PACKAGES))
  }

  cached<Value>(key: readonly string[], make: () => Value, holds: (value: Value) => boolean = () => true): Value {
    const parts = [this.#makers, ...key].map((part) => `${part.length}:${part}`)
    const name = this.#hash('sha256', parts.join(''))
    const kept = this.#read<Value>(name)
    if (kept !== undefined && holds(kept.value)) return kept.value
    const value = make()
    if (!this.#isFull && holds(value)) this.#write(name, value)
    return value
  }

  /** Undefined if there is no such file, or it is damaged. */
  #read<Value>(name: string): Entry<Value> | undefined {
    try {
      const bytes = readFileSync(join(this.#folder, name))
      const content = bytes.subarray(SUM_BYTES)
      if (bytes.readUInt32LE(0) !== crc32(content, 0)) return undefined
      const entry = deserialize(content) as Entry<Value>
      return entry.name === name ? entry : undefined
    } catch {
      return undefined
    }
  }

  #write(name: string, value: unknown): void {
    try {
      if (this.#written++ % WRITTEN_BETWEEN === 0) this.#makeRoom()
      const content = serialize({ name, value } satisfies Entry<unknown>)
      const sum = Buffer.alloc(SUM_BYTES)
      sum.writeUInt32LE(crc32(content, 0))
      const temporary = join(this.#folder, `.${OWNER}.${name}.tmp`)
      writeFileSync(temporary, Buffer.concat([sum, content]))
      renameSync(temporary, join(this.#folder, name))
    } catch {
      this.#isFull = true
    }
  }

  /** Removes what processes left that died, and what was not used for longest. */
  #makeRoom(): void {
    const looked = join(this.#folder, LOOKED)
    const last = statSync(looked, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (this.#written === 1 && Math.abs(Date.now() - last) < LOOK_MS) return
    writeFileSync(looked, '')
    removeLeftovers(this.#folder, '.', '.tmp')
    const files = namesIn(this.#folder).flatMap((name) => {
      const path = join(this.#folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ path, size: stat.size, usedMs: Math.max(stat.atimeMs, stat.mtimeMs) }]
    })
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (bytes <= this.#maxBytes) return
    for (const { path, size } of files.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= LEFT * this.#maxBytes) break
      rmSync(path, { force: true })
      bytes -= size
    }
  }
}
