/**
 * Operations that libuv (`uv_fs_copyfile`, `uv_fs_mkdtemp`) and Node's C++ (`MKDirpSync`, `RmSync`)
 * compose from several system calls. Invariant: results, errors, and the state left after an error
 * are those of that sequence.
 */
import { constants } from 'node:fs'
import { attempt, fail } from './failure.ts'
import { limit, making, makingOneOfMany, opening, removing, writing } from './file-faults.ts'
import type { Files } from './files.ts'
import { IN } from './inotify.ts'
import { lookup, mkdir, readdir, rmdir, unlink } from './names.ts'
import { find, walk } from './walk.ts'
import { holding } from './write-lock.ts'

/** The attempts to find a free name before EEXIST. */
const TEMPORARY_TRIES = 100

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants

/**
 * Makes directories; returns the first one made, or undefined. Node's two implementations differ in
 * errors: the asynchronous one reports the failing path to `failedAt`, maps every non-directory to
 * ENOTDIR, and cuts a path at its last slash. Yields between system calls, because the asynchronous
 * one makes a trip to the pool for each.
 */
export function* mkdirAll(
  files: Files,
  path: string,
  mode: number,
  failedAt: ((path: string) => void) | undefined,
): Generator<undefined, string | undefined> {
  const { tree } = files
  let first: string | undefined
  const paths = [path]
  for (let calls = 0; paths.length > 0; calls++) {
    if (calls > 0) yield
    const next = paths.pop()!
    const code = attempt(() => {
      limit(files.fault('mkdir', () => makingOneOfMany(files, next)))
      mkdir(tree, next, mode)
    })
    if (code === undefined) {
      first ??= next
      continue
    }
    failedAt?.(next)
    if (code === 'ENOENT') {
      const parent = failedAt === undefined ? parentOf(next) : next.slice(0, next.lastIndexOf('/') >>> 0)
      if (parent !== next) paths.push(next, parent)
      if (paths.length > 0) continue
    } else if (code === 'ENOTDIR' || code === 'EACCES' || code === 'ENOSPC' || code === 'EPERM') fail(code)
    yield
    const inside = code === 'EEXIST' && paths.length > 0
    if (failedAt !== undefined && inside && lookup(tree, next)?.isDirectory !== true) fail('ENOTDIR')
    if (!find(tree, next).isDirectory) fail(inside ? 'ENOTDIR' : 'EEXIST')
  }
  return first
}

/** Runs all system calls of an operation at once. */
export function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Returns the path made; calls `tried` with every attempt. */
export function mkdtemp(files: Files, prefix: string, tried: (path: string) => void): string {
  for (let tries = 0; tries < TEMPORARY_TRIES; tries++) {
    const path = prefix + files.tree.host.random6()
    tried(path)
    const code = attempt(() => {
      limit(files.fault('mkdtemp', () => making(files, path)))
      mkdir(files.tree, path, 0o700)
    })
    if (code === undefined) return path
    if (code !== 'EEXIST') fail(code)
  }
  return fail('EEXIST')
}

/**
 * Creates the copy with its first bytes; the returned function copies the rest. If copying fails,
 * the target is removed, even if it existed before.
 */
export function beginCopy(files: Files, from: string, to: string, flags: number, first: number): () => void {
  const { tree, descriptors } = files
  limit(files.fault('open', () => opening(files, from, O_RDONLY)))
  const source = descriptors.open(from, O_RDONLY, 0, from)
  try {
    const { inode } = descriptors.get(source)
    const targetFlags = O_WRONLY | O_CREAT | (flags & COPYFILE_EXCL ? O_EXCL : 0)
    limit(files.fault('open', () => opening(files, to, targetFlags)))
    const target = descriptors.open(to, targetFlags, inode.mode, to)
    const { inode: copy, entry } = descriptors.get(target)
    if (copy === inode) {
      descriptors.close(target)
      return () => {}
    }
    const now = tree.host.now()
    copy.finishWrite?.()
    if (copy.isFile) {
      copy.content.truncate(0)
      tree.inotify.changed(copy, entry, IN.MODIFY)
    }
    copy.chown(inode.uid, inode.gid, now)
    copy.chmod(inode.mode, now)
    if (inode.isFile) {
      copy.atimeMs = inode.atimeMs
      copy.mtimeMs = inode.mtimeMs
    }
    // The times, the owner and the mode are a system call each.
    for (let call = 0; call < 3; call++) tree.inotify.changed(copy, entry, IN.ATTRIB)
    let stopped = inode.isDirectory ? 'EISDIR' : flags & COPYFILE_FICLONE_FORCE ? 'ENOTSUP' : undefined
    if (stopped === undefined && inode.isFile) {
      const fault = files.fault('write', () => ({ errors: writing(files, target, inode.content.size).errors }))
      if (typeof fault === 'string') stopped = fault
    }
    descriptors.close(target)
    if (stopped !== undefined) {
      unlink(tree, to)
      fail(stopped)
    }
    const transfer = (begin: number, end: number) => {
      if (!inode.isFile || !copy.isFile) return
      const bytes = new Uint8Array(Math.max(0, Math.min(end, inode.content.size) - begin))
      inode.content.read(bytes, 0, bytes.length, begin)
      copy.content.write(bytes, begin)
      if (bytes.length > 0) tree.inotify.changed(copy, entry, IN.MODIFY)
    }
    // A copy without content keeps the times of its source.
    const changed = (time?: number) => {
      if (!inode.isFile || inode.content.size > 0) tree.modified(copy, time)
    }
    transfer(0, first)
    changed(now)
    return holding(copy, () => {
      transfer(first, Number.POSITIVE_INFINITY)
      changed()
    })
  } finally {
    descriptors.close(source)
  }
}

/** Removes the entry at a path, recursively if asked; a path without an entry is no error. */
export function remove(files: Files, path: string, recursive: boolean): void {
  const { tree } = files
  if (attempt(() => walk(tree, path, 'name')) !== undefined) return
  const { inode, slash } = walk(tree, path, 'name')
  if (inode === undefined || (slash && !inode.isDirectory)) return
  if (inode.isDirectory && recursive) {
    for (const { name } of readdir(tree, path)) remove(files, `${path}/${name}`, true)
  }
  limit(files.fault('rm', () => removing(files, path)))
  if (inode.isDirectory) rmdir(tree, path)
  else unlink(tree, path)
}

/** As `std::filesystem::path::parent_path`: `a/` is a child of `a`. A name alone has no parent, and is returned. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  if (slash < 0) return path
  let end = slash
  while (end > 0 && path[end - 1] === '/') end--
  return end === 0 ? '/' : path.slice(0, end)
}
