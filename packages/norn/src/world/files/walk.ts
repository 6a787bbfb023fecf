/**
 * Resolves a path component by component, through links, as in path_resolution(7). Invariant: a
 * walk changes nothing. As on Linux, at most 40 links are followed (ELOOP), and a path has fewer
 * than 4096 bytes, a name at most 255 (ENAMETOOLONG).
 */
import { fail } from './failure.ts'
import type { Inode } from './inode.ts'
import type { Named } from './inotify.ts'
import type { Tree } from './tree.ts'

const LINKS = 40
export const PATH_BYTES = 4096
const NAME_BYTES = 255
const SLASH = 47

/**
 * How a link at the end of a path is treated:
 * - `follow`: followed (`stat`)
 * - `create`: followed to a file that may be created, with no slash after the name (`open` with
 *   O_CREAT)
 * - `stay`: followed only if a slash comes after it (`lstat`, `readlink`)
 * - `name`: not followed; the name itself is wanted (`unlink`, `rename`)
 */
export type LastLink = 'follow' | 'create' | 'stay' | 'name'

/** A resolved path. */
export interface Place {
  /** The directory of the last name. Undefined if the path ends in `.`, `..` or is the root. */
  readonly parent: Inode | undefined
  /** The last name; `.` or `..`; '' for the root. */
  readonly name: string
  /** The inode there; undefined if none. */
  readonly inode: Inode | undefined
  /** Whether a slash follows the last name. */
  readonly slash: boolean
}

export function walk(tree: Tree, path: string, last: LastLink): Place {
  if (path.length === 0) fail('ENOENT')
  if (path.length >= PATH_BYTES) fail('ENAMETOOLONG')
  let rest = path.charCodeAt(0) === SLASH ? path : `${tree.host.cwd()}/${path}`
  let directory = tree.root
  let name = ''
  let at = 0
  let links = 0
  for (;;) {
    at = afterSlashes(rest, at)
    if (at === rest.length) return { parent: undefined, name, inode: directory, slash: false }
    let end = rest.indexOf('/', at)
    if (end < 0) end = rest.length
    name = rest.slice(at, end)
    at = end === rest.length ? end : afterSlashes(rest, end)
    if (name === '.') continue
    if (name === '..') {
      directory = directory.parent ?? directory
      continue
    }
    if (name.length > NAME_BYTES) fail('ENAMETOOLONG')
    const inode = tree.child(directory, name)
    const isLast = at === rest.length
    const slash = isLast && end < at
    if (slash && last === 'create') fail('EISDIR')
    if (inode === undefined) {
      if (!isLast) fail('ENOENT')
      return { parent: directory, name, inode, slash }
    }
    if (inode.isLink && (!isLast || last === 'follow' || last === 'create' || (slash && last === 'stay'))) {
      if (++links > LINKS) fail('ELOOP')
      if (inode.target.charCodeAt(0) === SLASH) directory = tree.root
      rest = inode.target + rest.slice(end)
      at = 0
      name = ''
      continue
    }
    if (isLast) return { parent: directory, name, inode, slash }
    if (!inode.isDirectory) fail('ENOTDIR')
    directory = inode
  }
}

/** The inode at a path; fails if there is none, or if a slash follows a non-directory. */
export function find(tree: Tree, path: string, last: LastLink = 'follow'): Inode {
  return locate(tree, path, last).inode
}

/** Where the inode at a path was found: under which name of which directory. */
export function locate(tree: Tree, path: string, last: LastLink = 'follow'): { inode: Inode; through?: Named } {
  const { parent, name, inode, slash } = walk(tree, path, last)
  if (inode === undefined) fail('ENOENT')
  if (slash && !inode.isDirectory) fail('ENOTDIR')
  return parent === undefined ? { inode } : { inode, through: { directory: parent, name } }
}

function afterSlashes(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) === SLASH) at++
  return at
}
