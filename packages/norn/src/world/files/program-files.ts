/**
 * The overlay as the loader of modules reads it. Invariant: nothing is recorded, and no time passes:
 * to a program, loading a module is one step.
 */
import { Buffer } from 'node:buffer'
import type { ProgramFiles } from '../../loader/program-files.ts'
import { bytesOf, textOf } from './bytes.ts'
import { Failure, fail, uvError } from './failure.ts'
import * as names from './names.ts'
import type { Tree } from './tree.ts'
import { find } from './walk.ts'

export function programFiles(tree: Tree): ProgramFiles {
  return {
    changes: () => tree.changes.count,
    changedPaths: () =>
      Array.from(
        tree.changes.paths((directory) => tree.pathOf(directory)),
        textOf,
      ),
    kind(path) {
      const inode = names.lookup(tree, bytesOf(path))
      if (inode === undefined) return 'nothing'
      return inode.isDirectory ? 'directory' : 'file'
    },
    realPath: (path) => failing('lstat', path, (bytes) => textOf(names.realpath(tree, bytes))),
    read(path) {
      return failing('open', path, (name) => {
        const inode = find(tree, name)
        if (inode.isDirectory) fail('EISDIR')
        const bytes = Buffer.alloc(inode.isFile ? inode.content.size : 0)
        inode.content.read(bytes, 0, bytes.length, 0)
        return bytes
      })
    },
    isOriginal(path) {
      const bytes = bytesOf(path)
      return names.lookup(tree, bytes)?.isOriginal(bytes) ?? false
    },
  }
}

/** Runs a look-up; its failures become uv errors. */
function failing<Result>(syscall: string, path: string, look: (bytes: string) => Result): Result {
  const bytes = bytesOf(path)
  try {
    return look(bytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw error.code === 'EISDIR' ? uvError('EISDIR', 'read') : uvError(error.code, syscall, bytes)
  }
}
