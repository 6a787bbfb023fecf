/**
 * Operations that create, move and remove names. Invariant: a failing operation changes nothing.
 * The order of errors follows Linux (fs/namei.c), found by comparison with the real file system.
 */
import { fail } from './failure.ts'
import { type Inode, S_IFDIR, S_IFLNK, S_IFSOCK } from './inode.ts'
import type { Tree } from './tree.ts'
import { find, walk } from './walk.ts'

export function mkdir(tree: Tree, path: string, mode: number): void {
  const { parent, name, inode } = walk(tree, path, 'name')
  if (parent === undefined || inode !== undefined) fail('EEXIST')
  const made = tree.make(S_IFDIR | (mode & 0o1777 & ~tree.host.umask()))
  tree.put(parent, name, made)
  tree.inotify.created(parent, name, made)
}

/** Creates the file of a Unix socket, as `bind` does. */
export function makeSocket(tree: Tree, path: string): Inode {
  const { parent, name, inode, slash } = walk(tree, path, 'name')
  if (parent === undefined || inode !== undefined) fail('EADDRINUSE')
  if (slash) fail('ENOENT')
  const made = tree.make(S_IFSOCK | (0o777 & ~tree.host.umask()))
  tree.put(parent, name, made)
  tree.inotify.created(parent, name, made)
  return made
}

export function rmdir(tree: Tree, path: string): void {
  const { parent, name, inode } = walk(tree, path, 'name')
  if (parent === undefined) fail(name === '.' ? 'EINVAL' : name === '..' ? 'ENOTEMPTY' : 'EBUSY')
  if (inode === undefined) fail('ENOENT')
  if (!inode.isDirectory) fail('ENOTDIR')
  if (tree.names(inode).length > 0) fail('ENOTEMPTY')
  tree.drop(parent, name, inode)
  discard(tree, inode)
  tree.inotify.released(inode)
  tree.inotify.deleted(parent, name, inode)
}

export function unlink(tree: Tree, path: string): void {
  const { parent, name, inode, slash } = walk(tree, path, 'name')
  if (parent === undefined) fail('EISDIR')
  if (inode === undefined) fail('ENOENT')
  if (inode.isDirectory) fail('EISDIR')
  if (slash) fail('ENOTDIR')
  tree.drop(parent, name, inode)
  discard(tree, inode)
  tree.inotify.relinked(inode)
  release(tree, parent, name, inode)
  tree.inotify.deleted(parent, name, inode)
}

export function rename(tree: Tree, from: string, to: string): void {
  const source = walk(tree, from, 'name')
  const target = walk(tree, to, 'name')
  if (source.parent === undefined || target.parent === undefined) fail('EBUSY')
  const inode = source.inode
  if (inode === undefined) fail('ENOENT')
  if (!inode.isDirectory && (source.slash || target.slash)) fail('ENOTDIR')
  if (isWithin(target.parent, inode)) fail('EINVAL')
  const replaced = target.inode
  if (replaced !== undefined) {
    if (isWithin(source.parent, replaced)) fail('ENOTEMPTY')
    if (replaced === inode) return
    if (inode.isDirectory && !replaced.isDirectory) fail('ENOTDIR')
    if (!inode.isDirectory && replaced.isDirectory) fail('EISDIR')
    if (replaced.isDirectory && tree.names(replaced).length > 0) fail('ENOTEMPTY')
  }
  const now = tree.host.now()
  if (replaced !== undefined) {
    tree.drop(target.parent, target.name, replaced, now)
    discard(tree, replaced, now)
  }
  tree.drop(source.parent, source.name, inode, now)
  tree.put(target.parent, target.name, inode, now)
  inode.ctimeMs = now
  const old = { directory: source.parent, name: source.name }
  const present = { directory: target.parent, name: target.name }
  tree.inotify.moved(old, present, inode, replaced)
  if (replaced !== undefined) release(tree, present.directory, present.name, replaced)
  tree.opened.move(old, present)
}

export function link(tree: Tree, existing: string, path: string): void {
  const inode = find(tree, existing, 'stay')
  const place = walk(tree, path, 'name')
  if (place.parent === undefined || place.inode !== undefined) fail('EEXIST')
  if (place.slash) fail('ENOENT')
  if (inode.isDirectory) fail('EPERM')
  const now = tree.host.now()
  tree.put(place.parent, place.name, inode, now)
  inode.nlink++
  inode.ctimeMs = now
  tree.inotify.relinked(inode)
  tree.inotify.created(place.parent, place.name, inode)
}

export function symlink(tree: Tree, target: string, path: string): void {
  if (target.length === 0) fail('ENOENT')
  const { parent, name, inode, slash } = walk(tree, path, 'name')
  if (parent === undefined || inode !== undefined) fail('EEXIST')
  if (slash) fail('ENOENT')
  const made = tree.make(S_IFLNK | 0o777)
  made.target = target
  tree.put(parent, name, made)
  tree.inotify.created(parent, name, made)
}

export function readlink(tree: Tree, path: string): string {
  const inode = find(tree, path, 'stay')
  if (!inode.isLink) fail('EINVAL')
  return inode.target
}

/** Names in byte order, as libuv's scandir lists them, with their inodes. */
export function readdir(tree: Tree, path: string): { name: string; inode: Inode }[] {
  const directory = find(tree, path)
  if (!directory.isDirectory) fail('ENOTDIR')
  const listed: { name: string; inode: Inode }[] = []
  for (const name of tree.names(directory)) {
    const inode = tree.child(directory, name)
    if (inode !== undefined) listed.push({ name, inode })
  }
  return listed
}

export function realpath(tree: Tree, path: string): string {
  const { parent, name, inode, slash } = walk(tree, path, 'follow')
  if (inode === undefined) fail('ENOENT')
  if (inode.isDirectory) return tree.pathOf(inode)
  if (slash) fail('ENOTDIR')
  const directory = tree.pathOf(parent!)
  return directory === '/' ? `/${name}` : `${directory}/${name}`
}

/** As root: only execution of a file without any execute bit is refused. */
export function access(tree: Tree, path: string, mode: number): void {
  const inode = find(tree, path)
  if (mode & 1 && !inode.isDirectory && (inode.mode & 0o111) === 0) fail('EACCES')
}

export function exists(tree: Tree, path: string): boolean {
  return lookup(tree, path) !== undefined
}

/** The inode at a path, or undefined if it does not resolve. */
export function lookup(tree: Tree, path: string): Inode | undefined {
  try {
    return find(tree, path)
  } catch {
    return undefined
  }
}

/** Records that an inode lost a name. Open descriptions keep it alive. */
function discard(tree: Tree, inode: Inode, nowMs = tree.host.now()): void {
  inode.nlink = inode.isDirectory ? 0 : inode.nlink - 1
  inode.ctimeMs = nowMs
  if (inode.isDirectory) {
    inode.removed = true
    inode.base = undefined
    inode.entries!.clear()
  }
}

/** A name was removed: watchers learn of the end of its inode, now or when it is closed. */
function release(tree: Tree, directory: Inode, name: string, inode: Inode): void {
  const isOpen = tree.opened.remove(directory, name)
  if (!isOpen && inode.nlink === 0) tree.inotify.released(inode)
}

/** Whether a directory is an ancestor or stands below it. */
export function isWithin(directory: Inode, ancestor: Inode): boolean {
  for (let at: Inode | undefined = directory; at !== undefined; at = at.parent) if (at === ancestor) return true
  return false
}
