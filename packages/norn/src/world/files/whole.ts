/**
 * Operations on whole files and directory trees that Node's C++ composes from several steps. They
 * are synchronous (`readdirRecursive` has other forms too), so nothing comes between their steps.
 */
import { Buffer } from 'node:buffer'
import { encoded } from './bytes.ts'
import { Failure, uvError } from './failure.ts'
import { close, limit, opening, reading, write } from './file-faults.ts'
import type { Files } from './files.ts'
import * as names from './names.ts'
import type { Arguments } from './operation.ts'
import { direntType } from './stats.ts'

/**
 * Breadth first, as Node 26 walks: names relative to the start; links to directories are followed.
 */
export function readdirRecursive({ tree }: Files, [path, encoding, withTypes]: Arguments): unknown {
  const shown: (string | Buffer)[] = []
  const types: number[] = []
  const counts: number[] = []
  const directories = ['']
  for (let at = 0; at < directories.length; at++) {
    const directory = directories[at]!
    const listed = names.readdir(tree, directory === '' ? path : `${path}/${directory}`)
    counts.push(listed.length)
    for (const { name, inode } of listed) {
      const relative = directory === '' ? name : `${directory}/${name}`
      shown.push(encoded(withTypes ? name : relative, encoding))
      types.push(direntType(inode))
      const target = inode.isLink ? names.lookup(tree, `${path}/${relative}`) : inode
      if (target?.isDirectory) directories.push(relative)
    }
  }
  if (!withTypes) return shown
  const places = directories.map((directory) => encoded(directory, encoding))
  return [shown, Uint8Array.from(types), Uint32Array.from(counts), places]
}

export function readFileUtf8(files: Files, [file, flags]: Arguments): string {
  const { descriptors } = files
  const fd = descriptorOf(files, file, flags, 0o666)
  try {
    const open = within('read', () => {
      descriptors.read(fd, new Uint8Array(0), -1)
      return descriptors.get(fd)
    })
    const bytes = Buffer.alloc(open.inode.isFile ? Math.max(0, open.inode.content.size - open.position) : 0)
    within('read', () => {
      // Node reads to the end, so a short read changes nothing.
      limit(files.fault('read', () => ({ errors: reading(files, fd, bytes.length, -1).errors })))
      descriptors.read(fd, bytes, -1)
    })
    return bytes.toString('utf8')
  } finally {
    if (typeof file !== 'number') descriptors.close(fd)
  }
}

export function writeFileUtf8(files: Files, [file, data, flags, mode]: Arguments): void {
  const fd = descriptorOf(files, file, flags, mode)
  const bytes = Buffer.from(data, 'utf8')
  try {
    // Node writes nothing for empty data, so it does not notice a bad descriptor either.
    for (let from = 0; from < bytes.length; ) from += within('write', () => write(files, fd, bytes.subarray(from), -1))
  } catch (error) {
    if (typeof file !== 'number') files.descriptors.close(fd)
    throw error
  }
  if (typeof file !== 'number') within('close', () => close(files, fd))
}

function descriptorOf(files: Files, file: string | number, flags: number, mode: number): number {
  if (typeof file === 'number') return file
  limit(files.fault('open', () => opening(files, file, flags)))
  return files.descriptors.open(file, flags, mode, files.shown(file))
}

/** A step whose errors name no path. */
function within<T>(syscall: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof Failure) throw uvError(error.code, syscall)
    throw error
  }
}
