/**
 * Intercepts `fs.openAsBlob`: a blob over a file of the overlay. Its bytes are taken when it opens; as in
 * Node (src/dataqueue/queue.cc), each read is one of the pool, and fails once the file has another size or
 * another time. A blob made of it and of others is not told of that.
 */
import { AsyncResource } from 'node:async_hooks'
import fs from 'node:fs'
import { requireInternal } from '../../loader/internals.ts'
import { bytesOf } from './bytes.ts'
import { fail } from './failure.ts'
import type { Files } from './files.ts'
import type { FilesHost } from './host.ts'
import { lookup } from './names.ts'

interface Handle {
  getReader(): { pull(callback: Pulled): void }
  slice(start: number, end: number): Handle
}

type Pulled = (status: number, buffer?: ArrayBuffer) => void

interface Blobs {
  readonly kHandle: symbol
  createBlob(handle: Handle, length: number, type: string): Blob
  createBlobFromFilePath(path: string): Blob
}

interface Utilities {
  getValidatedPath(path: unknown): string | Buffer
  validateObject(value: unknown, name: string): void
  validateString(value: unknown, name: string): void
}

const FAILED = -1

export function interceptBlobs(host: FilesHost, files: Files): void {
  const { openAsBlob } = fs
  fs.openAsBlob = (path, options = {}) => {
    if (!host.active()) return openAsBlob(path, options)
    return Promise.resolve(open(host, files, path, options))
  }
}

function open(host: FilesHost, files: Files, given: unknown, options: { readonly type?: string }): Blob {
  const { getValidatedPath } = requireInternal<Utilities>('internal/fs/utils')
  const { validateObject, validateString } = requireInternal<Utilities>('internal/validators')
  const { kHandle, createBlob, createBlobFromFilePath } = requireInternal<Blobs>('internal/blob')
  validateObject(options, 'options')
  const type = options.type || ''
  validateString(type, 'options.type')
  const path = bytesOf(getValidatedPath(given))
  const inode = lookup(files.tree, path)
  if (inode === undefined)
    throw Object.assign(new TypeError('Unable to open file as blob'), { code: 'ERR_INVALID_ARG_VALUE' })
  const { size, mtimeMs } = inode
  const bytes = new Uint8Array(inode.isFile ? size : 0)
  if (inode.isFile) inode.content.read(bytes, 0, size, 0)
  const check = () => {
    const now = lookup(files.tree, path)
    if (now?.isFile !== true || now.size !== size || now.mtimeMs !== mtimeMs) fail('ENOENT')
  }
  const over = (handle: Handle): Handle => {
    const [getReader, slice] = [handle.getReader.bind(handle), handle.slice.bind(handle)]
    handle.slice = (start, end) => over(slice(start, end))
    handle.getReader = () => {
      const reader = getReader()
      const pull = reader.pull.bind(reader)
      reader.pull = (callback) => {
        const resource = new AsyncResource('BLOBREADER')
        host.submit({
          kind: 'read',
          resource: files.shown(path),
          effect: check,
          complete: (error) => resource.runInAsyncScope(() => (error == null ? pull(callback) : callback(FAILED))),
        })
      }
      return reader
    }
    return handle
  }
  const memory = new Blob([bytes]) as unknown as Record<symbol, Handle>
  const blob = createBlob(over(memory[kHandle]!), size, type)
  // Nor can it be cloned: a mark that Node keeps to itself.
  const marked = createBlobFromFilePath(process.execPath)
  for (const mark of Object.getOwnPropertySymbols(marked)) if (!(mark in blob)) Object.assign(blob, { [mark]: true })
  return blob
}
