/** The files of Unix sockets, for the sockets themselves. Paths are byte strings. */
import { Failure } from './failure.ts'
import type { Inode } from './inode.ts'
import * as names from './names.ts'
import type { Tree } from './tree.ts'
import { find } from './walk.ts'

/** The inode of a socket's file, or the code of an error such as `ENOENT`. */
type Found = { readonly inode: Inode } | { readonly code: string }

export interface SocketFiles {
  create(path: string): Found
  find(path: string): Found
  remove(path: string): void
  /** Sets the permission bits; returns the code of an error. */
  chmod(path: string, bits: number): string | undefined
}

export function socketFiles(tree: Tree): SocketFiles {
  return {
    create: (path) => attempt(() => names.makeSocket(tree, path)),
    find: (path) => attempt(() => find(tree, path)),
    remove: (path) =>
      void attempt(() => {
        names.unlink(tree, path)
        return tree.root
      }),
    chmod(path, bits) {
      const found = attempt(() => find(tree, path))
      if ('code' in found) return found.code
      found.inode.chmod(bits, tree.host.now())
      return undefined
    },
  }
}

function attempt(action: () => Inode): Found {
  try {
    return { inode: action() }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { code: error.code }
  }
}
