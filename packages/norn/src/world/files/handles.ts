/**
 * The objects under Node's `FileHandle` and `Dir`. Invariant: a handle belongs to the execution
 * that opened it. A forgotten handle is only garbage (no warning, no real descriptor); after a
 * reset it does nothing.
 */
import { type CallbackContext, newContext } from '../realm/callback-scope.ts'
import { bytesOf, encoded } from './bytes.ts'
import { Failure, fail, uvError } from './failure.ts'
import { close, limit, openingDirectory } from './file-faults.ts'
import type { Files } from './files.ts'
import type { Forms, Task, Waiter } from './forms.ts'
import type { FilesBinding } from './internals.ts'
import { readdir } from './names.ts'
import type { Arguments } from './operation.ts'
import { direntType } from './stats.ts'
import { find } from './walk.ts'

/** Entries returned by one read of a directory by default, as libuv's `Dir` in Node. */
const ENTRIES_AT_ONCE = 32

/** The faults of reading an open directory. */
const READING = { errors: ['EIO'] }

/** The part of the native FileHandle that lib/internal/fs/promises.js uses. */
export class OverlayFileHandle {
  fd: number
  readonly #files: Files
  readonly #forms: Forms
  readonly #usePromises: symbol
  readonly #generation: number
  /** What Node reads of the file by itself. */
  readonly range: { readonly offset: number; readonly length: number }
  readonly #context: CallbackContext = newContext('FILEHANDLE', this)

  constructor(files: Files, forms: Forms, binding: FilesBinding, fd: number, offset = -1, length = -1) {
    this.#files = files
    this.#forms = forms
    this.#usePromises = binding.kUsePromises
    this.#generation = files.generation
    this.fd = fd
    this.range = { offset, length }
  }

  getAsyncId(): number {
    return this.#context.asyncId
  }

  close(): Promise<void> {
    if (this.#generation !== this.#files.generation) return Promise.resolve()
    return this.#forms.run(this.#closing(), this.#usePromises, this.close) as Promise<void>
  }

  closeSync(): void {
    if (this.#generation === this.#files.generation) this.#forms.run(this.#closing(), undefined, this.closeSync)
  }

  releaseFD(): number {
    const { fd } = this
    this.fd = -1
    return fd
  }

  #closing(): Task {
    const fd = this.releaseFD()
    return {
      kind: 'close',
      resource: this.#files.shownDescriptor(fd),
      promised: 'FILEHANDLECLOSEREQ',
      effect: () => naming('close', undefined, () => close(this.#files, fd)),
    }
  }
}

/** The native DirHandle: entries in byte order, as of the first read. */
class OverlayDirectory {
  readonly #files: Files
  readonly #forms: Forms
  readonly #path: string
  #entries: { name: string; type: number }[] | undefined
  #next = 0

  constructor(files: Files, forms: Forms, path: string) {
    this.#files = files
    this.#forms = forms
    this.#path = path
  }

  /** Node makes the native object when it calls back. */
  delivered(): this {
    newContext('DIRHANDLE', this)
    return this
  }

  /** `[name, type, name, type, ...]`, or null at the end. */
  read(encoding: unknown, count: unknown, request?: Waiter): unknown {
    const most = typeof count === 'number' && count > 0 ? count : ENTRIES_AT_ONCE
    const effect = () => {
      naming('readdir', undefined, () => limit(this.#files.fault('readdir', () => READING)))
      this.#entries ??= naming('scandir', this.#path, () => this.#list())
      const entries = this.#entries.slice(this.#next, this.#next + most)
      this.#next += entries.length
      return entries.length === 0 ? null : entries.flatMap(({ name, type }) => [encoded(name, encoding), type])
    }
    return this.#forms.run({ kind: 'readdir', resource: this.#files.shown(this.#path), effect }, request, this.read)
  }

  close(request?: Waiter): unknown {
    const resource = this.#files.shown(this.#path)
    const effect = () => this.#files.closeDirectory(this)
    return this.#forms.run({ kind: 'closedir', resource, effect }, request, this.close)
  }

  #list(): { name: string; type: number }[] {
    return readdir(this.#files.tree, this.#path).map(({ name, inode }) => ({ name, type: direntType(inode) }))
  }
}

/** `opendir`; Node's synchronous form names no path in its error. */
export function opendir(files: Files, forms: Forms, args: Arguments, called: Function): unknown {
  const path = bytesOf(args[0])
  const waiter = forms.waiter(args)
  const effect = () => {
    naming('opendir', waiter === undefined ? undefined : path, () => {
      limit(files.fault('opendir', () => openingDirectory(files, path)))
      if (!find(files.tree, path).isDirectory) fail('ENOTDIR')
    })
    const directory = new OverlayDirectory(files, forms, path)
    files.openDirectory(directory, files.shown(path))
    return directory
  }
  const deliver = (directory: unknown) => (directory as OverlayDirectory).delivered()
  return forms.run({ kind: 'opendir', resource: files.shown(path), effect, deliver }, waiter, called)
}

function naming<T>(syscall: string, path: string | undefined, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof Failure) throw uvError(error.code, syscall, path)
    throw error
  }
}
