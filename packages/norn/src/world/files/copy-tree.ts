/**
 * `fs.cpSync`, as far as Node's C++ does it: the checks of both paths, the replacement of a file, and
 * the copy of a tree without a filter. Invariant: results, errors, and the state left after an error
 * are those of `CpSyncCheckPaths`, `CpSyncOverrideFile` and `CpSyncCopyDir` (src/node_file.cc of Node
 * 24) over libstdc++. Where these abort the process, the execution is inconclusive. A directory is
 * copied in the order of its names.
 */
import { constants } from 'node:fs'
import { posix } from 'node:path'
import { beginCopy, parentOf as parentDirectory } from './compound.ts'
import { attempt, Failure, fail, nodeError, stdError, uvError } from './failure.ts'
import { limit, making, opening, writing } from './file-faults.ts'
import type { Files } from './files.ts'
import { type Inode, S_IFDIR, S_IFIFO, S_IFMT, S_IFSOCK } from './inode.ts'
import { IN } from './inotify.ts'
import { lookup, mkdir, readdir, readlink, realpath, rmdir, symlink, unlink } from './names.ts'
import { find } from './walk.ts'

const { O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = constants

/** What a copy does with a file that exists at the target. */
type Existing = 'overwrite' | 'skip' | 'fail'

interface TreeCopy {
  readonly existing: Existing
  readonly errorOnExist: boolean
  readonly dereference: boolean
  readonly verbatim: boolean
  readonly timestamps: boolean
}

/**
 * Checks that one path can be copied to the other, and makes the directories above the target. Node
 * looks through a link at the source if it is not to be dereferenced, and the other way round.
 */
export function checkPaths(files: Files, from: string, to: string, dereference: boolean, recursive: boolean): void {
  const { tree } = files
  let source: Inode
  try {
    source = find(tree, from, dereference ? 'stay' : 'follow')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw uvError(error.code, dereference ? 'stat' : 'lstat', from)
  }
  const target = reached(files, to, dereference ? 'follow' : 'stay')
  const isDirectory = source.isDirectory || (dereference && source.isLink)
  if (target !== undefined) {
    if (isSame(files, from, to)) throw nodeError('ERR_FS_CP_EINVAL', `src and dest cannot be the same ${to}`)
    if (isDirectory && !target.isDirectory)
      throw nodeError('ERR_FS_CP_DIR_TO_NON_DIR', `Cannot overwrite non-directory ${to} with directory ${from}`)
    if (!isDirectory && target.isDirectory)
      throw nodeError('ERR_FS_CP_NON_DIR_TO_DIR', `Cannot overwrite directory ${to} with non-directory ${from}`)
  }
  const shown = from.endsWith('/') ? from : `${from}/`
  if ((isDirectory && to.startsWith(shown)) || isBelow(files, from, to))
    throw nodeError('ERR_FS_CP_EINVAL', `Cannot copy ${shown} to a subdirectory of self ${to}`)
  if (isDirectory && !recursive)
    throw nodeError('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${shown}`)
  const type = source.mode & S_IFMT
  if (type === S_IFSOCK) throw nodeError('ERR_FS_CP_SOCKET', `Cannot copy a socket file: ${to}`)
  if (type === S_IFIFO) throw nodeError('ERR_FS_CP_FIFO_PIPE', `Cannot copy a FIFO pipe: ${to}`)
  if (target === undefined || lookup(tree, parentOf(to)) === undefined) attempt(() => makeAll(files, parentOf(to)))
}

/** Replaces a file: removes the name, and copies the file anew. */
export function overrideFile(files: Files, from: string, to: string, mode: number, timestamps: boolean): void {
  const removed = attempt(() => remove(files, to))
  if (removed !== undefined) throw stdError(removed, 'unlink', to)
  const code = attempt(() => (mode === 0 ? copyFile(files, from, to, 'fail') : beginCopy(files, from, to, mode, 0)()))
  if (code !== undefined) throw mode === 0 ? stdError(code, 'cp', to) : uvError(code, 'cp', from, to)
  if (timestamps) copyTimes(files, from, to)
}

/** Copies a directory into another one, which is made if there is none. */
export function copyTree(files: Files, from: string, to: string, how: TreeCopy): void {
  const code = attempt(() => makeAll(files, to))
  if (code !== undefined) throw stdError(code, 'cp', to)
  copyInto(files, from, to, how)
}

/** The options of `CpSyncCopyDir`, from its arguments. */
export function treeCopy([force, dereference, errorOnExist, verbatim, timestamps]: unknown[]): TreeCopy {
  return {
    existing: force === true ? 'overwrite' : errorOnExist === true ? 'fail' : 'skip',
    errorOnExist: force !== true && errorOnExist === true,
    dereference: dereference === true,
    verbatim: verbatim === true,
    timestamps: timestamps === true,
  }
}

function copyInto(files: Files, from: string, to: string, how: TreeCopy): void {
  for (const { name, inode } of orAbort(files, () => readdir(files.tree, from))) {
    const [source, target] = [joined(from, name), joined(to, name)]
    if (inode.isLink) copyLink(files, from, source, to, target, how)
    else if (inode.isDirectory) {
      orAbort(files, () => makeOne(files, target))
      copyInto(files, source, target, how)
    } else if (inode.isFile) {
      const code = attempt(() => copyFile(files, source, target, how.existing))
      if (code === 'EEXIST') {
        const says = `Target already exists: cp returned EEXIST (${target} already exists)`
        throw nodeError('ERR_FS_CP_EEXIST', `[ERR_FS_CP_EEXIST]: ${says}`)
      }
      if (code !== undefined) throw stdError(code, 'cp', to)
      if (how.timestamps) copyTimes(files, source, target)
    }
  }
}

function copyLink(files: Files, from: string, source: string, to: string, target: string, how: TreeCopy): void {
  const { tree } = files
  const leads = readlink(tree, source)
  if (!how.verbatim && present(files, target) !== undefined) clearForLink(files, leads, to, target, how)
  const resolved = how.verbatim ? leads : weaklyCanonical(files, absolute(files, joined(from, leads)))
  const code = attempt(() => {
    limit(files.fault('symlink', () => making(files, target)))
    symlink(tree, resolved, target)
  })
  if (code !== undefined) throw stdError(code, 'cp', to)
}

/** Removes a link in the way of another one; keeps files, and links that lead into each other. */
function clearForLink(files: Files, leads: string, to: string, target: string, how: TreeCopy): void {
  const { tree } = files
  if (!find(tree, target, 'name').isLink) {
    if (find(tree, target).isFile && (!how.dereference || how.errorOnExist)) throw stdError('EEXIST', 'cp', target)
    return
  }
  const led = readlink(tree, target)
  if (!how.dereference && present(files, leads)?.isDirectory === true && isInside(files, leads, led))
    throw nodeError('ERR_FS_CP_EINVAL', `Cannot copy ${leads} to a subdirectory of self ${led}`)
  if (present(files, target)?.isDirectory === true && isInside(files, led, leads))
    throw nodeError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${led} with ${leads}`)
  const code = attempt(() => remove(files, target))
  if (code !== undefined) throw stdError(code, 'cp', to)
}

/** As `std::filesystem::copy_file`: the target has the mode of the source, whatever the mask. */
function copyFile(files: Files, from: string, to: string, existing: Existing): void {
  const { tree, descriptors } = files
  const source = find(tree, from)
  if (!source.isFile) fail('EINVAL')
  const target = unlessMissing(files, to)
  if (target !== undefined) {
    if (!target.isFile) fail('EINVAL')
    if (target === source) fail('EEXIST')
    if (existing === 'skip') return
    if (existing === 'fail') fail('EEXIST')
  }
  limit(files.fault('open', () => opening(files, from, O_RDONLY)))
  const flags = O_WRONLY | O_CREAT | (existing === 'overwrite' ? O_TRUNC : O_EXCL)
  limit(files.fault('open', () => opening(files, to, flags)))
  // A link that leads nowhere is in the way of O_EXCL.
  if (existing === 'skip' && attempt(() => void find(tree, to, 'stay')) === undefined) return
  const fd = descriptors.open(to, flags, 0o200, to)
  try {
    const { inode, entry } = descriptors.get(fd)
    inode.chmod(source.mode, tree.host.now())
    tree.inotify.changed(inode, entry, IN.ATTRIB)
    limit(files.fault('write', () => ({ errors: writing(files, fd, source.content.size).errors })))
    const bytes = new Uint8Array(source.content.size)
    source.content.read(bytes, 0, bytes.length, 0)
    descriptors.write(fd, bytes, -1)
  } finally {
    descriptors.close(fd)
  }
}

function copyTimes(files: Files, from: string, to: string): void {
  const { tree } = files
  const source = find(tree, from)
  const seconds = (time: number) => tree.host.msOf(time) / 1e3
  const target = find(tree, to)
  target.utimes(seconds(source.atimeMs), seconds(source.mtimeMs), tree.host.now())
}

function makeOne(files: Files, path: string): void {
  if (lookup(files.tree, path)?.isDirectory === true) return
  limit(files.fault('mkdir', () => making(files, path)))
  mkdir(files.tree, path, S_IFDIR | 0o777)
}

/** As `std::filesystem::create_directories`. */
function makeAll(files: Files, path: string): void {
  const missing: string[] = []
  for (let at = path.replace(/(?<=.)\/+$/, ''); at !== ''; at = parentOf(at)) {
    const code = attempt(() => void find(files.tree, at))
    if (code === undefined) {
      if (!find(files.tree, at).isDirectory) fail('ENOTDIR')
      break
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') fail(code)
    if (!/(^|\/)\.\.?$/.test(at)) missing.push(at)
  }
  for (const each of missing.reverse()) makeOne(files, each)
}

function remove(files: Files, path: string): void {
  if (find(files.tree, path, 'name').isDirectory) rmdir(files.tree, path)
  else unlink(files.tree, path)
}

/** Whether two paths lead to one inode, as `std::filesystem::equivalent` without an error code. */
function isSame(files: Files, one: string, other: string): boolean {
  const [first, second] = [present(files, one), present(files, other)]
  if (first === undefined || second === undefined) return false
  if (isOther(first) && isOther(second)) return aborts(files)
  return first === second
}

/** Whether the directory of the target is the source. Node looks at no other, though in a loop. */
function isBelow(files: Files, from: string, to: string): boolean {
  const directory = parentOf(to)
  const source = lookup(files.tree, from)
  const above = parentOf(directory)
  const isLooked = plain(parentOf(from)) !== plain(directory) && above !== '' && above !== directory
  return isLooked && source !== undefined && !isOther(source) && lookup(files.tree, directory) === source
}

function isOther(inode: Inode): boolean {
  return !inode.isFile && !inode.isDirectory && !inode.isLink
}

/** Whether a path has another one as its beginning, both as they are written. */
function isInside(files: Files, directory: string, path: string): boolean {
  const [outer, inner] = [absolute(files, directory), absolute(files, path)].map((each) => each.split(/\/+/))
  const parts = outer!.filter((part) => part !== '')
  const inside = inner!.filter((part) => part !== '')
  return parts.every((part, index) => part === inside[index])
}

function absolute(files: Files, path: string): string {
  return path.startsWith('/') ? path : joined(files.tree.host.cwd(), path)
}

/** As `std::filesystem::weakly_canonical`: resolved as far as it exists. */
function weaklyCanonical(files: Files, path: string): string {
  const { tree } = files
  if (present(files, path) !== undefined) return realpath(tree, path)
  const parts = path.split(/\/+/).slice(1)
  let exists = '/'
  let at = 0
  for (; at < parts.length; at++) {
    const next = joined(exists, parts[at]!)
    if (present(files, next) === undefined) break
    exists = next
  }
  const rest = posix.normalize([realpath(tree, exists), ...parts.slice(at)].join('/'))
  return /\/\.\.?$/.test(path) && !rest.endsWith('/') ? `${rest}/` : rest
}

/** The inode at a path, undefined if there is none; for any other reason Node aborts. */
function present(files: Files, path: string): Inode | undefined {
  return orAbort(files, () => unlessMissing(files, path))
}

function unlessMissing(files: Files, path: string): Inode | undefined {
  const code = attempt(() => void find(files.tree, path))
  if (code === undefined) return find(files.tree, path)
  return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : fail(code)
}

function reached(files: Files, path: string, last: 'follow' | 'stay'): Inode | undefined {
  return attempt(() => void find(files.tree, path, last)) === undefined ? find(files.tree, path, last) : undefined
}

/** Runs a call whose error is an exception in Node's C++, which ends the process. */
function orAbort<Result>(files: Files, call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    if (error instanceof Failure) return aborts(files)
    throw error
  }
}

function aborts(files: Files): never {
  return files.tree.host.refuse('fs.cpSync of files on which Node aborts')
}

function joined(directory: string, name: string): string {
  if (name.startsWith('/')) return name
  return directory.endsWith('/') || directory === '' ? directory + name : `${directory}/${name}`
}

/** A path without repeated slashes, as paths are compared. */
function plain(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/')
}

/** '' for a name alone. */
function parentOf(path: string): string {
  return path.includes('/') ? parentDirectory(path) : ''
}
