/**
 * Every function of the binding that works on the overlay: what its arguments are and what it does.
 *
 * Invariant: `capture` runs at the call and `perform` at the effect. Paths, numbers, strings and lists of buffers are
 * taken at the call; the bytes inside a caller's buffer are looked at when the effect happens, as by a thread of libuv's
 * pool. `perform` throws a `Failure`, which becomes a uv error of `syscall` with the paths as they were given; an
 * operation of several system calls names the failing one itself.
 *
 * Arguments as in lib/fs.js and lib/internal/fs/promises.js of Node 22 to 26. The request stands at a different place
 * in each and is not looked at here.
 */
import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { bytesOf, encoded } from './bytes.ts'
import { copyFile, mkdirAll, mkdtemp, remove } from './compound.ts'
import { Failure, uvError } from './failure.ts'
import type { Files } from './files.ts'
import type { Inode } from './inode.ts'
import { S_IFMT } from './inode.ts'
import * as names from './names.ts'
import { statfsValues, statValues } from './stats.ts'
import { find } from './walk.ts'

// biome-ignore lint/suspicious/noExplicitAny: arguments were validated by Node's JavaScript
export type Arguments = any[]

export interface Operation {
  /** What the world calls it: one word per kind of system call. */
  readonly kind: string
  readonly syscall: string
  /** How many of the arguments, from the first, are paths. 0: the first is a descriptor. */
  readonly paths: 0 | 1 | 2
  /** Which arguments beyond the paths have to be copied at the call. */
  capture?(args: Arguments): void
  perform(files: Files, args: Arguments): unknown
  /** The path of the error, where it is not the arguments as given. */
  errorPath?(args: Arguments): string
  /** The result is an array of a stat, which a callback gets in the shared array. */
  readonly shared?: 'stat' | 'statfs'
}

type Table = Record<string, Operation>

function onPath(syscall: string, perform: Operation['perform'], more?: Partial<Operation>): Operation {
  return { kind: syscall, syscall, paths: 1, perform, ...more }
}

function onDescriptor(syscall: string, perform: Operation['perform'], more?: Partial<Operation>): Operation {
  return { kind: syscall, syscall, paths: 0, perform, ...more }
}

function onTwoPaths(syscall: string, perform: Operation['perform']): Operation {
  return { kind: syscall, syscall, paths: 2, perform }
}

/** `UV_DIRENT_*` of each type of file. */
const DIRENT: Readonly<Record<number, number>> = {
  [constants.S_IFREG]: constants.UV_DIRENT_FILE,
  [constants.S_IFDIR]: constants.UV_DIRENT_DIR,
  [constants.S_IFLNK]: constants.UV_DIRENT_LINK,
  [constants.S_IFIFO]: constants.UV_DIRENT_FIFO,
  [constants.S_IFSOCK]: constants.UV_DIRENT_SOCKET,
  [constants.S_IFCHR]: constants.UV_DIRENT_CHAR,
  [constants.S_IFBLK]: constants.UV_DIRENT_BLOCK,
}

export function direntType(inode: Inode): number {
  return DIRENT[inode.mode & S_IFMT] ?? constants.UV_DIRENT_UNKNOWN
}

const namesAndLinks: Table = {
  access: onPath('access', ({ tree }, [path, mode]) => names.access(tree, path, mode ?? 0)),
  rename: onTwoPaths('rename', ({ tree }, [from, to]) => names.rename(tree, from, to)),
  link: onTwoPaths('link', ({ tree }, [existing, path]) => names.link(tree, existing, path)),
  symlink: onTwoPaths('symlink', ({ tree }, [target, path]) => names.symlink(tree, target, path)),
  unlink: onPath('unlink', ({ tree }, [path]) => names.unlink(tree, path)),
  rmdir: onPath('rmdir', ({ tree }, [path]) => names.rmdir(tree, path)),
  readlink: onPath('readlink', ({ tree }, [path, encoding]) => encoded(names.readlink(tree, path), encoding)),
  realpath: onPath('realpath', ({ tree }, [path, encoding]) => encoded(names.realpath(tree, path), encoding)),
  copyFile: onTwoPaths('copyfile', ({ tree, descriptors }, [from, to, flags]) =>
    copyFile(tree, descriptors, from, to, flags ?? 0),
  ),
  mkdir: onPath('mkdir', ({ tree }, [path, mode, recursive]) => {
    if (!recursive) return names.mkdir(tree, path, mode)
    const first = mkdirAll(tree, path, mode)
    return first === undefined ? undefined : encoded(first, 'utf8')
  }),
  mkdtemp: onPath('mkdtemp', ({ tree }, [prefix, encoding]) => encoded(mkdtemp(tree, prefix), encoding), {
    errorPath: ([prefix]) => `${prefix}XXXXXX`,
  }),
  rmSync: onPath('rm', ({ tree }, [path, _retries, recursive]) => remove(tree, path, recursive === true)),
  readdir: onPath(
    'scandir',
    ({ tree }, [path, encoding, withTypes]) => {
      const listed = names.readdir(tree, path)
      const shown = listed.map(({ name }) => encoded(name, encoding))
      return withTypes ? [shown, listed.map(({ inode }) => direntType(inode))] : shown
    },
    { kind: 'readdir' },
  ),
  readdirRecursive: onPath('scandir', readdirRecursive, { kind: 'readdir' }),
}

const attributes: Table = {
  stat: statOperation('stat', (files, path) => find(files.tree, path)),
  lstat: statOperation('lstat', (files, path) => find(files.tree, path, 'stay')),
  fstat: onDescriptor(
    'fstat',
    ({ tree, descriptors }, [fd, bigint]) => statValues(tree, descriptors.get(fd).inode, bigint === true),
    { shared: 'stat' },
  ),
  statfs: onPath(
    'statfs',
    ({ tree }, [path, bigint]) => {
      find(tree, path)
      return statfsValues(0, bigint === true)
    },
    { shared: 'statfs' },
  ),
  chmod: onPath('chmod', ({ tree }, [path, mode]) => find(tree, path).chmod(mode, tree.host.now())),
  fchmod: onDescriptor('fchmod', ({ tree, descriptors }, [fd, mode]) =>
    descriptors.get(fd).inode.chmod(mode, tree.host.now()),
  ),
  chown: onPath('chown', ({ tree }, [path, uid, gid]) => find(tree, path).chown(uid, gid, tree.host.now())),
  lchown: onPath('lchown', ({ tree }, [path, uid, gid]) => find(tree, path, 'stay').chown(uid, gid, tree.host.now())),
  fchown: onDescriptor('fchown', ({ tree, descriptors }, [fd, uid, gid]) =>
    descriptors.get(fd).inode.chown(uid, gid, tree.host.now()),
  ),
  utimes: onPath('utime', ({ tree }, [path, atime, mtime]) => find(tree, path).utimes(atime, mtime, tree.host.now())),
  lutimes: onPath('lutime', ({ tree }, [path, atime, mtime]) =>
    find(tree, path, 'stay').utimes(atime, mtime, tree.host.now()),
  ),
  futimes: onDescriptor('futime', ({ tree, descriptors }, [fd, atime, mtime]) =>
    descriptors.get(fd).inode.utimes(atime, mtime, tree.host.now()),
  ),
}

const openFiles: Table = {
  open: onPath('open', (files, [path, flags, mode]) => files.descriptors.open(path, flags, mode, files.shown(path))),
  close: onDescriptor('close', ({ descriptors }, [fd]) => descriptors.close(fd)),
  read: onDescriptor('read', ({ descriptors }, [fd, buffer, offset, length, position]) =>
    descriptors.read(fd, view(buffer, offset, length), whole(position)),
  ),
  readBuffers: onDescriptor(
    'read',
    ({ descriptors }, [fd, buffers, position]) =>
      each(
        buffers,
        whole(position),
        true,
        (bytes, at) => descriptors.read(fd, bytes, at),
        () => descriptors.get(fd),
      ),
    { capture: copyList },
  ),
  writeBuffer: onDescriptor('write', ({ descriptors }, [fd, buffer, offset, length, position]) =>
    descriptors.write(fd, view(buffer, offset, length), whole(position)),
  ),
  writeBuffers: onDescriptor(
    'write',
    ({ descriptors }, [fd, buffers, position]) =>
      each(
        buffers,
        whole(position),
        false,
        (bytes, at) => descriptors.write(fd, bytes, at),
        () => descriptors.get(fd),
      ),
    { capture: copyList },
  ),
  writeString: onDescriptor(
    'write',
    ({ descriptors }, [fd, bytes, position]) => descriptors.write(fd, bytes, whole(position)),
    { capture: (args) => void (args[1] = Buffer.from(args[1], args[3] ?? 'utf8')) },
  ),
  ftruncate: onDescriptor('ftruncate', ({ descriptors }, [fd, size]) => descriptors.truncate(fd, size ?? 0)),
  fsync: onDescriptor('fsync', ({ descriptors }, [fd]) => void descriptors.get(fd)),
  fdatasync: onDescriptor('fdatasync', ({ descriptors }, [fd]) => void descriptors.get(fd)),
}

/** Functions that have synchronous forms alone; the first argument is a path or a descriptor. */
const wholeFiles: Table = {
  readFileUtf8: onPath('open', readFileUtf8, { kind: 'readFile' }),
  writeFileUtf8: onPath('open', writeFileUtf8, { kind: 'writeFile' }),
}

export const OPERATIONS: Readonly<Table> = { ...namesAndLinks, ...attributes, ...openFiles, ...wholeFiles }

/** Captures the arguments of a call, in place: paths become byte strings, lists are copied, strings are encoded. */
export function capture(operation: Operation, args: Arguments): void {
  for (let index = 0; index < operation.paths; index++) {
    if (typeof args[index] !== 'number') args[index] = bytesOf(args[index])
  }
  operation.capture?.(args)
}

/** Runs an operation on captured arguments; throws uv errors alone, or what the host threw. */
export function perform(files: Files, operation: Operation, args: Arguments): unknown {
  try {
    return operation.perform(files, args)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const path = operation.paths === 0 ? undefined : (operation.errorPath?.(args) ?? args[0])
    throw uvError(error.code, operation.syscall, path, operation.paths === 2 ? args[1] : undefined)
  }
}

/** What an operation on captured arguments works on, for the world. */
export function resourceOf(files: Files, operation: Operation, args: Arguments): string {
  const first = operation.syscall === 'symlink' ? args[1] : args[0]
  return typeof first === 'string' ? files.shown(first) : files.shownDescriptor(first)
}

function statOperation(syscall: 'stat' | 'lstat', look: (files: Files, path: string) => Inode): Operation {
  return onPath(
    syscall,
    (files, [path, bigint, _request, throwIfNoEntry]) => {
      try {
        return statValues(files.tree, look(files, path), bigint === true)
      } catch (error) {
        if (throwIfNoEntry !== false || !(error instanceof Failure)) throw error
        if (error.code === 'ENOENT' || (error.code === 'ENOTDIR' && syscall === 'stat')) return undefined
        throw error
      }
    },
    { shared: 'stat' },
  )
}

/** Breadth first, as Node 26 walks: names relative to the start; links to directories are followed. */
function readdirRecursive({ tree }: Files, [path, encoding, withTypes]: Arguments): unknown {
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

function readFileUtf8(files: Files, [file, flags]: Arguments): string {
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

function writeFileUtf8(files: Files, [file, data, flags, mode]: Arguments): void {
  const { descriptors } = files
  const fd: number = typeof file === 'number' ? file : descriptors.open(file, flags, mode, files.shown(file))
  try {
    within('write', () => descriptors.write(fd, Buffer.from(data, 'utf8'), -1))
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

function copyList(args: Arguments): void {
  args[1] = [...args[1]]
}

/** The bytes of any view from `offset`, `length` of them if it is given. */
function view(buffer: ArrayBufferView, offset: unknown, length: unknown): Uint8Array {
  const from = typeof offset === 'number' ? offset : 0
  const count = typeof length === 'number' ? length : buffer.byteLength - from
  return new Uint8Array(buffer.buffer, buffer.byteOffset + from, count)
}

/** Where to read or write; -1 for where the description stands. */
function whole(position: unknown): number {
  if (typeof position === 'bigint') return Number(position)
  return typeof position === 'number' && Number.isSafeInteger(position) ? position : -1
}

/** One system call over several buffers; a read ends at the first that it could not fill. */
function each(
  buffers: ArrayBufferView[],
  position: number,
  endsWhenShort: boolean,
  step: (bytes: Uint8Array, position: number) => number,
  check: () => unknown,
): number {
  check()
  let total = 0
  for (const buffer of buffers) {
    const bytes = view(buffer, 0, undefined)
    const count = step(bytes, position < 0 ? -1 : position + total)
    total += count
    if (endsWhenShort && count < bytes.length) break
  }
  return total
}
