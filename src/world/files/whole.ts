/**
 * Operations that Node's C++ makes of several steps: a whole file as text, a whole tree of directories.
 *
 * They are synchronous (`readdirRecursive` has other forms too), so nothing can come between their steps.
 */
import { Buffer } from 'node:buffer'
import { encoded } from './bytes.ts'
import { Failure, uvError } from './failure.ts'
import type { Files } from './files.ts'
import * as names from './names.ts'
import type { Arguments } from './operation.ts'
import { direntType } from './stats.ts'

/** Breadth first, as Node 26 walks: names relative to the start; links to directories are followed. */
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
  const fd: number = typeof file === 'number' ? file : descriptors.open(file, flags, 0o666, files.shown(file))
  try {
    const open = within('read', () => {
      descriptors.read(fd, new Uint8Array(0), -1)
      return descriptors.get(fd)
    })
    const bytes = Buffer.alloc(open.inode.isFile ? Math.max(0, open.inode.content.size - open.position) : 0)
    within('read', () => descriptors.read(fd, bytes, -1))
    return bytes.toString('utf8')
  } finally {
    if (typeof file !== 'number') descriptors.close(fd)
  }
}

export function writeFileUtf8(files: Files, [file, data, flags, mode]: Arguments): void {
  const { descriptors } = files
  const fd: number = typeof file === 'number' ? file : descriptors.open(file, flags, mode, files.shown(file))
  try {
    // Nothing to write is not written, so that not even a bad descriptor is noticed.
    if (data.length > 0) within('write', () => descriptors.write(fd, Buffer.from(data, 'utf8'), -1))
  } finally {
    if (typeof file !== 'number') descriptors.close(fd)
  }
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
