/**
 * From a path to where it leads: component by component, through links, as in path_resolution(7).
 *
 * Invariant: a walk changes nothing. At most 40 links are followed (ELOOP), a path has fewer than 4096 bytes and a name
 * at most 255 (ENAMETOOLONG), as on Linux.
 */
import { fail } from './failure.ts'
import type { Inode } from './inode.ts'
import type { Tree } from './tree.ts'

const LINKS = 40
export const PATH_BYTES = 4096
const NAME_BYTES = 255
const SLASH = 47

/**
 * What becomes of a link at the end of the path: it is followed (`stat`); it is followed to a file that may be made,
 * where no slash may come after the name (`open` with O_CREAT); it is followed only where a slash comes after it
 * (`lstat`, `readlink`); or it is the name itself that is wanted (`unlink`, `rename`).
 */
export type LastLink = 'follow' | 'create' | 'stay' | 'name'

/** Where a path leads. */
export interface Place {
  /** The directory that holds the last name. Undefined where the path ends in `.`, `..` or is the root. */
  readonly parent: Inode | undefined
  /** The last name; `.` or `..`; '' for the root. */
  readonly name: string
  /** What stands there, undefined if nothing does. */
  readonly inode: Inode | undefined
  /** A slash came after the last name. */
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

/** What stands at a path; fails where nothing does, and where a slash comes after something that is no directory. */
export function find(tree: Tree, path: string, last: LastLink = 'follow'): Inode {
  const { inode, slash } = walk(tree, path, last)
  if (inode === undefined) fail('ENOENT')
  if (slash && !inode.isDirectory) fail('ENOTDIR')
  return inode
}

function afterSlashes(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) === SLASH) at++
  return at
}
