/**
 * Every function of the binding that works on the overlay, by name.
 *
 * Invariant: each does what libuv or Node's C++ does with the same arguments, on the overlay.
 * Arguments are those of lib/fs.js and lib/internal/fs/promises.js in Node 22 to 26; the request's
 * position varies between functions, and forms.ts finds it.
 */
import { Buffer } from 'node:buffer'
import { encoded, encodingOf } from './bytes.ts'
import { atOnce, beginCopy, mkdirAll, mkdtemp, remove } from './compound.ts'
import { checkPaths, copyTree, overrideFile, treeCopy } from './copy-tree.ts'
import { dividedCopy, dividedRead, dividedWrite } from './divided.ts'
import { Failure, fail, NODE_MAJOR, rmError } from './failure.ts'
import { close, FAULTS, limit, making, read, reading, write, writing } from './file-faults.ts'
import type { Files } from './files.ts'
import { type Inode, isOwner } from './inode.ts'
import { IN } from './inotify.ts'
import * as names from './names.ts'
import { type Arguments, acrossBuffers, type Operation, position as place, view } from './operation.ts'
import { direntType, statfsValues, statValues } from './stats.ts'
import { find, type LastLink, locate } from './walk.ts'
import { readdirRecursive, readFileUtf8, writeFileUtf8 } from './whole.ts'

type Table = Record<string, Operation>

function onPath(syscall: string, perform: Operation['perform'], more?: Partial<Operation>): Operation {
  return { kind: syscall, syscall, paths: 1, perform, ...more }
}

function onDescriptor(syscall: string, perform: Operation['perform'], more?: Partial<Operation>): Operation {
  return { kind: syscall, syscall, paths: 0, perform, accepts: ([fd]) => isDescriptor(fd), ...more }
}

function isDescriptor(fd: unknown): boolean {
  return typeof fd === 'number' && fd === fd >>> 0 && fd <= 0x7fffffff
}

/** As `GetValidFileMode` of src/node_file.cc, which cuts off fractions. */
function isMode(mode: unknown): boolean {
  return mode === undefined || mode === null || (typeof mode === 'number' && mode > -1 && mode < 8)
}

function onTwoPaths(syscall: string, perform: Operation['perform']): Operation {
  return { kind: syscall, syscall, paths: 2, perform }
}

const copy = (perform: Operation['perform']) => onTwoPaths('cp', perform)

const namesAndLinks: Table = {
  access: onPath('access', ({ tree }, [path, mode]) => names.access(tree, path, mode ?? 0), {
    accepts: ([, mode]) => isMode(mode),
  }),
  rename: onTwoPaths('rename', ({ tree }, [from, to]) => names.rename(tree, from, to)),
  link: onTwoPaths('link', ({ tree }, [existing, path]) => names.link(tree, existing, path)),
  symlink: onTwoPaths('symlink', ({ tree }, [target, path]) => names.symlink(tree, target, path)),
  unlink: onPath('unlink', ({ tree }, [path]) => names.unlink(tree, path)),
  rmdir: onPath('rmdir', ({ tree }, [path]) => names.rmdir(tree, path)),
  readlink: onPath('readlink', ({ tree }, [path, encoding]) => encoded(names.readlink(tree, path), encoding)),
  realpath: onPath('realpath', ({ tree }, [path, encoding]) => encoded(names.realpath(tree, path), encoding)),
  copyFile: {
    ...onTwoPaths('copyfile', (files, [from, to, flags]) =>
      beginCopy(files, from, to, flags ?? 0, Number.POSITIVE_INFINITY)(),
    ),
    accepts: ([, , flags]) => isMode(flags),
    divide: (files, [from, to, flags]) => dividedCopy(files, from, to, flags ?? 0),
  },
  mkdir: onPath(
    'mkdir',
    (files, args) => {
      const [path, mode, recursive] = args
      if (recursive) return atOnce(makeAll(files, args))
      limit(files.fault('mkdir', () => making(files, path)))
      return names.mkdir(files.tree, path, mode)
    },
    { steps: (files, args) => (args[2] ? makeAll(files, args) : undefined) },
  ),
  // An error names the template, or in the other forms the path tried: libuv fills it in place.
  mkdtemp: onPath('mkdtemp', (files, args) => {
    const [prefix, encoding, request] = args
    const made = mkdtemp(files, prefix, (path) => {
      args[0] = request === undefined ? `${prefix}XXXXXX` : path
    })
    return encoded(made, encoding)
  }),
  rmSync: onPath('rm', (files, [path, _retries, recursive]) => {
    try {
      remove(files, path, recursive === true)
    } catch (error) {
      throw error instanceof Failure && error.code === 'EACCES' ? rmError('EACCES', 'Permission denied', path) : error
    }
  }),
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

function* makeAll(files: Files, args: Arguments): Generator<undefined, string | Buffer | undefined> {
  const [path, mode, _recursive, request] = args
  const first = yield* mkdirAll(files, path, mode, request && ((at) => void (args[0] = at)))
  return first === undefined ? undefined : encoded(first, 'utf8')
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
    ({ tree, statfsFields }, [path, bigint]) => {
      find(tree, path)
      return statfsValues(statfsFields, bigint === true)
    },
    { shared: 'statfs' },
  ),
  chmod: onPath('chmod', changing('follow', chmod)),
  fchmod: onDescriptor('fchmod', changingOpen(chmod)),
  chown: onPath('chown', changing('follow', chown)),
  lchown: onPath('lchown', changing('stay', chown)),
  fchown: onDescriptor('fchown', changingOpen(chown)),
  utimes: onPath('utime', changing('follow', utimes)),
  lutimes: onPath('lutime', changing('stay', utimes)),
  futimes: onDescriptor('futime', changingOpen(utimes)),
}

type Change = (inode: Inode, nowMs: number, one: number, other: number) => unknown

function chmod(inode: Inode, nowMs: number, mode: number): void {
  inode.chmod(mode, nowMs)
}

/** Returns false if it changes nothing that watchers learn of. */
function chown(inode: Inode, nowMs: number, uid: number, gid: number): boolean {
  inode.chown(uid, gid, nowMs)
  return isOwner(uid) || isOwner(gid)
}

function utimes(inode: Inode, nowMs: number, atime: number, mtime: number): void {
  inode.utimes(atime, mtime, nowMs)
}

/** An operation on the attributes of the inode at a path. */
function changing(last: LastLink, change: Change): Operation['perform'] {
  return ({ tree }, [path, one, other]) => {
    const { inode, through } = locate(tree, path, last)
    if (change(inode, tree.host.now(), one, other) !== false) tree.inotify.changed(inode, through, IN.ATTRIB)
  }
}

function changingOpen(change: Change): Operation['perform'] {
  return ({ tree, descriptors }, [fd, one, other]) => {
    const { inode, entry } = descriptors.get(fd)
    if (change(inode, tree.host.now(), one, other) !== false) tree.inotify.changed(inode, entry, IN.ATTRIB)
  }
}

/** One system call over several buffers (`readv`, `writev`). */
function overBuffers(syscall: 'read' | 'write'): Operation {
  return onDescriptor(
    syscall,
    (files, [fd, buffers, position]) => {
      const { descriptors } = files
      // libuv looks at the buffers first; a bad descriptor fails even where all are empty.
      if (buffers.length === 0) fail('EINVAL')
      descriptors.get(fd)
      const length = (buffers as ArrayBufferView[]).reduce((sum, { byteLength }) => sum + byteLength, 0)
      const at = place(position)
      const possible = () => (syscall === 'read' ? reading(files, fd, length, at) : writing(files, fd, length))
      const most = limit(files.fault(syscall, possible))
      return acrossBuffers(buffers, at, most, syscall === 'read', (bytes, at) => descriptors[syscall](fd, bytes, at))
    },
    { capture: copyList },
  )
}

const openFiles: Table = {
  open: onPath('open', (files, [path, flags, mode]) => files.descriptors.open(path, flags, mode, files.shown(path))),
  close: onDescriptor('close', (files, [fd]) => close(files, fd)),
  read: onDescriptor(
    'read',
    (files, [fd, buffer, offset, length, position]) => read(files, fd, view(buffer, offset, length), place(position)),
    {
      divide: (files, [fd, buffer, offset, length, position]) =>
        dividedRead(files, fd, view(buffer, offset, length), place(position)),
    },
  ),
  readBuffers: overBuffers('read'),
  writeBuffer: onDescriptor(
    'write',
    (files, [fd, buffer, offset, length, position]) => write(files, fd, view(buffer, offset, length), place(position)),
    {
      divide: (files, [fd, buffer, offset, length, position]) =>
        dividedWrite(files, fd, view(buffer, offset, length), place(position)),
    },
  ),
  writeBuffers: overBuffers('write'),
  writeString: onDescriptor('write', (files, [fd, bytes, position]) => write(files, fd, bytes, place(position)), {
    capture: (args) => void (args[1] = Buffer.from(args[1], encodingOf(args[3]))),
    divide: (files, [fd, bytes, position]) => dividedWrite(files, fd, bytes, place(position)),
  }),
  ftruncate: onDescriptor('ftruncate', ({ descriptors }, [fd, size]) => descriptors.truncate(fd, size ?? 0)),
  fsync: onDescriptor('fsync', ({ descriptors }, [fd]) => void descriptors.get(fd)),
  fdatasync: onDescriptor('fdatasync', ({ descriptors }, [fd]) => void descriptors.get(fd)),
}

/** The parts of `cpSync` that Node does in C++. */
const copies: Table = {
  cpSyncCheckPaths: copy((files, [from, to, dereference, recursive]) =>
    checkPaths(files, from, to, dereference === true, recursive === true),
  ),
  cpSyncOverrideFile: copy((files, [from, to, mode, timestamps]) =>
    overrideFile(files, from, to, mode, timestamps === true),
  ),
  // From Node 26 on it keeps the modes of directories and dereferences links.
  ...(NODE_MAJOR < 26 && {
    cpSyncCopyDir: copy((files, [from, to, ...how]) => copyTree(files, from, to, treeCopy(how))),
  }),
}

/** Functions with synchronous forms only; the first argument is a path or a descriptor. */
const wholeFiles: Table = {
  readFileUtf8: onPath('open', readFileUtf8, { kind: 'readFile' }),
  writeFileUtf8: onPath('open', writeFileUtf8, { kind: 'writeFile' }),
}

const all: Table = { ...namesAndLinks, ...attributes, ...openFiles, ...copies, ...wholeFiles }

export const OPERATIONS: Readonly<Table> = Object.fromEntries(
  Object.entries(all).map(([name, operation]) => {
    const faults = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined
    return [name, faults === undefined ? operation : { ...operation, faults }]
  }),
)

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

function copyList(args: Arguments): void {
  args[1] = [...args[1]]
}
