/**
 * Intercepts `internalBinding('fs')` and its neighbours: Node's own JavaScript above (fs,
 * fs/promises, FileHandle, streams, graceful-fs) works on the overlay instead of the disk.
 *
 * Invariant: while the host is active, no function of these bindings reaches libuv, and unknown
 * functions are rejected by name. `fs.openAsBlob` is replaced at the public function, because Node
 * captured its native part (blobs.ts); jobs.ts handles what is special to Node 26.
 */

import { syncBuiltinESMExports } from 'node:module'
import { EPOCH_MS } from '../../contract/wall-clock.ts'
import type { ProgramFiles } from '../../loader/program-files.ts'
import type { Interceptor, LeftOpen } from '../loop/interceptor.ts'
import type { OsProcess } from '../loop/os-process.ts'
import type { Pool } from '../loop/pool.ts'
import { refusing } from '../realm/replace.ts'
import { interceptBlobs } from './blobs.ts'
import { bytesOf, textOf } from './bytes.ts'
import { type DatabaseFiles, databaseFiles } from './database-files.ts'
import { diskBase } from './disk.ts'
import { FAULTS } from './file-faults.ts'
import { Files } from './files.ts'
import { Forms } from './forms.ts'
import { OverlayFileHandle, opendir } from './handles.ts'
import type { FilesHost } from './host.ts'
import {
  type FilesBinding,
  type Internals,
  type Native,
  type NativeClass,
  openInternals,
  renewReadContext,
} from './internals.ts'
import { interceptJobs } from './jobs.ts'
import * as names from './names.ts'
import type { Arguments } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { programFiles } from './program-files.ts'
import { SharedOverlay } from './shared-overlay.ts'
import { type SocketFiles, socketFiles } from './socket-files.ts'
import { isStamp, stampOf, usOf } from './stamps.ts'
import { interceptStatWatchers } from './stat-watchers.ts'
import { interceptWatchers } from './watchers.ts'

export type { PoolOperation } from '../loop/pool.ts'
export type { FilesHost } from './host.ts'

export interface InterceptedFiles {
  /** Restores the starting files and closes all descriptors: once per execution. */
  reset(): void
  openDescriptors(): { fd: number; path: string }[]
  /** For the loader of modules. */
  readonly program: ProgramFiles
  /** The names in a directory, in the order of their bytes. */
  list(path: string): string[]
  /** The files as data, for a process that goes on with them; undefined while the program watches some. */
  share(): SharedOverlay | undefined
  readonly sockets: SocketFiles
  readonly databases: DatabaseFiles
  /** The path of a byte string, for people and traces. */
  shown(path: string): string
  /** Open files and directories, and watchers. */
  addLeft(left: LeftOpen[], isLeft: (opened: object) => boolean): void
  /** Closes the open files of a process that has ended. */
  close(isOfProcess: (opened: object) => boolean): void
  /** Ends what has a native handle: after an execution. */
  leave(): void
}

/** Functions of the loader, which reads real files; its C++ reads them past any binding. */
const LOADER = new Set(['internalModuleReadJSON', 'legacyMainResolve', 'getFormatOfExtensionlessFile'])

/** Classes and functions that need more than a row of OPERATIONS. */
const SPECIAL = new Set([
  'FSReqCallback',
  'FileHandle',
  'StatWatcher',
  'ReadFileJob',
  'WriteFileJob',
  'openFileHandle',
  'existsSync',
  'internalModuleStat',
])

/** Functions of `fs` that exist with a callback and with a `Sync` suffix. */
const FILES =
  'appendFile access chown chmod close copyFile cp exists fchown fchmod fdatasync fstat fsync ftruncate futimes glob ' +
  'lchown link lstat lutimes mkdir mkdtemp open readdir read readv readFile readlink realpath rename rm rmdir stat ' +
  'statfs symlink truncate unlink utimes writeFile write writev opendir'

export const fileBinding: Interceptor<FileParts, { readonly files: InterceptedFiles }> = {
  name: 'files',
  builtins: {
    fs: {
      controlled:
        `${FILES} ${FILES.replaceAll(/(\S+)/g, '$1Sync')} createReadStream createWriteStream ` +
        'ReadStream WriteStream FileReadStream FileWriteStream Dir Utf8Stream mkdtempDisposableSync ' +
        'watch watchFile unwatchFile openAsBlob',
      uncontrolled: 'openAsBlobSync',
      plain: 'Dirent Stats _toUnixTimestamp',
      note:
        'Works on an overlay over the real disk, which norn never writes. Watchers report the changes that the program ' +
        'makes, as on Linux.',
    },
    'fs/promises': {
      controlled:
        'access copyFile cp glob open opendir rename truncate rm rmdir mkdir readdir readlink symlink lstat stat statfs ' +
        'link unlink chmod lchown chown utimes lutimes realpath mkdtemp mkdtempDisposable writeFile appendFile readFile ' +
        'watch',
      plain: 'lchmod',
    },
  },
  install: (host) => {
    /** What child processes have open. */
    const owners = new WeakMap<object, OsProcess>()
    /** Which process acts: an operation of the pool takes effect whichever ran last. */
    const actor = () => (host.pool.performing?.step.isolate ?? host.causality.isolate).process
    let temporaryNames = 0
    const files = interceptFiles({
      ...host,
      baseTimeMs: EPOCH_MS - DAY_MS,
      now: () => stampOf(host.nowUs()),
      msOf: (time) => (isStamp(time) ? host.wallMsAt(usOf(time)) : time),
      random6: () => (temporaryNames++).toString(36).padStart(6, '0'),
      output: (fd, bytes) => host.table.write(actor(), fd, bytes),
      opened(opened) {
        if (!actor().isFirst) owners.set(opened, actor())
        host.opened(opened)
      },
    })
    return {
      provides: { files },
      enter() {
        temporaryNames = 0
        files.reset()
      },
      leave: () => files.leave(),
      leftOpen: (left) => files.addLeft(left, (opened) => !owners.has(opened)),
      closeOf(isolate) {
        if (isolate.parent === undefined) files.close((opened) => owners.get(opened) === isolate.process)
      },
    }
  },
}

const DAY_MS = 24 * 3600 * 1000

/** The parts of the world that files use. */
export interface FileParts extends Omit<FilesHost, 'baseTimeMs' | 'now' | 'msOf' | 'random6' | 'output'> {
  wallMsAt(us: number): number
  readonly pool: Pool
  /** What the descriptors of each process lead to. */
  readonly table: { write(process: OsProcess, fd: number, bytes: Uint8Array): void }
}

/** Call once, at process start, before the program's modules are loaded. */
export function interceptFiles(host: FilesHost): InterceptedFiles {
  const internals = openInternals()
  const binding = internals.files
  const files = new Files(diskBase(binding, host.baseTimeMs), host, binding.statFsValues.length)
  const forms = new Forms(host, binding)
  for (const [name, native] of Object.entries(binding as Record<string, Native>)) {
    if (typeof native !== 'function' || LOADER.has(name) || SPECIAL.has(name)) continue
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
    binding[name] =
      operation === undefined ? refusing(host, publicName(name), native) : forms.intercept(files, operation, native)
  }
  interceptHandles(host, binding, files, forms)
  interceptQuestions(host, binding, files)
  interceptDirectories(host, internals, files, forms)
  interceptJobs(host, internals, files, forms)
  const watchers = [
    interceptWatchers(host, files, internals.events.FSEvent),
    interceptStatWatchers(host, files, internals.files),
  ]
  renewReadContext()
  interceptBlobs(host, files)
  syncBuiltinESMExports()
  return {
    reset: () => files.reset(),
    openDescriptors: () => files.descriptors.list(),
    program: programFiles(files.tree),
    list: (path) => names.readdir(files.tree, bytesOf(path)).map(({ name }) => textOf(name)),
    share: () => (files.tree.inotify.isInUse ? undefined : new SharedOverlay(files.tree)),
    sockets: socketFiles(files.tree),
    databases: databaseFiles(files.tree),
    shown: (path) => files.shown(path),
    addLeft(left, isLeft) {
      if (files.descriptors.isEmpty && files.directories.length === 0 && watchers.every((each) => each.isEmpty()))
        return
      const open = [...files.descriptors.list(), ...files.directories, ...watchers.flatMap((each) => each.leftOpen())]
      for (const each of open) if (isLeft(each.opened)) left.push(each)
    },
    close(isOfProcess) {
      for (const { fd, opened } of files.descriptors.list()) if (isOfProcess(opened)) files.descriptors.close(fd)
      files.directories = files.directories.filter(({ opened }) => !isOfProcess(opened))
    },
    leave() {
      for (const each of watchers) each.leave()
    },
  }
}

/** The public name of a native function. */
function publicName(native: string): string {
  if (native.startsWith('cpSync')) return 'fs.cpSync'
  return native === 'CpDirJob' ? 'fs.cp' : `fs.${native}`
}

function interceptHandles(host: FilesHost, binding: FilesBinding, files: Files, forms: Forms): void {
  const handle = (fd: unknown, offset?: unknown, length?: unknown) =>
    new OverlayFileHandle(files, forms, binding, fd as number, offset as number, length as number)
  const openFileHandle = binding.openFileHandle!
  binding.openFileHandle = function intercepted(this: unknown, ...args: Arguments): unknown {
    if (!host.active()) return openFileHandle.apply(this, args)
    const waiter = forms.waiter(args)
    return forms.run({ ...forms.task(files, OPERATIONS.open!, args), deliver: (fd) => handle(fd) }, waiter, intercepted)
  }
  Object.defineProperty(binding, 'FileHandle', {
    value: new Proxy(binding.FileHandle as unknown as NativeClass, {
      construct: (target, args, newTarget) =>
        host.active() ? handle(args[0], args[1], args[2]) : Reflect.construct(target, args, newTarget),
    }),
  })
}

/** Functions that return an answer and never fail. */
function interceptQuestions(host: FilesHost, binding: FilesBinding, files: Files): void {
  const { existsSync, internalModuleStat } = binding as Record<string, Native>
  binding.existsSync = function (this: unknown, ...args: Arguments): boolean {
    if (!host.active()) return existsSync!.apply(this, args)
    const path = bytesOf(args[0])
    host.performed('access', files.shown(path))
    return files.fault('access', () => FAULTS.access!(files, [path])) === undefined && names.exists(files.tree, path)
  }
  // Used by the loader, recursive readdir and cp: 0 is a file, 1 a directory, below 0 nothing. The
  // overlay falls through to the disk, so it answers for all. Node 22 passes the binding before the
  // path.
  binding.internalModuleStat = function (this: unknown, ...args: Arguments): number {
    if (!host.active()) return internalModuleStat!.apply(this, args)
    const inode = names.lookup(files.tree, bytesOf(args.at(-1)))
    if (inode === undefined) return -2
    return inode.isDirectory ? 1 : 0
  }
}

function interceptDirectories(host: FilesHost, { directories }: Internals, files: Files, forms: Forms): void {
  for (const [name, native] of Object.entries(directories)) {
    if (typeof native !== 'function' || name === 'DirHandle') continue
    if (name !== 'opendir' && name !== 'opendirSync') directories[name] = refusing(host, `fs_dir.${name}`, native)
    else {
      directories[name] = function intercepted(this: unknown, ...args: Arguments): unknown {
        return host.active() ? opendir(files, forms, args, intercepted) : native.apply(this, args)
      }
    }
  }
}
