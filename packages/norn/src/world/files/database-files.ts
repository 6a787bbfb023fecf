/** The files of databases, for SQLite. Paths are byte strings. Nothing is recorded, and no time passes. */
import { Failure } from './failure.ts'
import { type Inode, S_IFREG } from './inode.ts'
import * as names from './names.ts'
import type { Tree } from './tree.ts'
import { walk } from './walk.ts'

export interface DatabaseFiles {
  /** The absolute path without links; undefined if no file can be there. */
  canonical(path: string): string | undefined
  /** What is at a canonical path. */
  find(path: string): Inode | undefined
  /** Creates an empty file, as SQLite opens one. */
  create(path: string): Inode
  bytes(inode: Inode): Uint8Array
  /** Replaces the content. */
  write(inode: Inode, bytes: Uint8Array): void
}

export function databaseFiles(tree: Tree): DatabaseFiles {
  return {
    canonical(path) {
      try {
        const { parent, name, inode } = walk(tree, path, 'create')
        if (parent === undefined || (inode !== undefined && !inode.isFile)) return undefined
        const directory = tree.pathOf(parent)
        return directory === '/' ? `/${name}` : `${directory}/${name}`
      } catch (error) {
        if (error instanceof Failure) return undefined
        throw error
      }
    },
    find: (path) => names.lookup(tree, path),
    create(path) {
      const { parent, name } = walk(tree, path, 'create')
      const made = tree.make(S_IFREG | (0o644 & ~tree.host.umask()))
      tree.put(parent!, name, made)
      tree.inotify.created(parent!, name, made)
      return made
    },
    bytes({ content }) {
      const bytes = new Uint8Array(content.size)
      content.read(bytes, 0, bytes.length, 0)
      return bytes
    },
    write(inode, bytes) {
      inode.content.truncate(0)
      inode.content.write(bytes, 0)
      tree.modified(inode)
    },
  }
}
