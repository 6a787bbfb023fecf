/**
 * Intercepts `internalBinding('fs')` and its neighbours: Node's own JavaScript above (fs,
 * fs/promises, FileHandle, streams, graceful-fs) works on the overlay instead of the disk.
 *
 * Invariant: while the host is active, no function of these bindings reaches libuv, and unknown
 * functions are rejected by name. `fs.openAsBlob` is rejected at the public function, because Node
 * captured its native part; jobs.ts handles what is special to Node 26.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { ProgramFiles } from '../../loader/program-files.ts'
import type { LeftOpen } from '../isolation/leaks.ts'
import { refusing } from '../realm/replace.ts'
import { bytesOf } from './bytes.ts'
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
import { type SocketFiles, socketFiles } from './socket-files.ts'
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
  readonly sockets: SocketFiles
  readonly databases: DatabaseFiles
  /** The path of a byte string, for people and traces. */
  shown(path: string): string
  /** Open files and directories, and watchers. */
  leftOpen(): LeftOpen[]
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
  fs.openAsBlob = refusing(host, 'fs.openAsBlob', fs.openAsBlob)
  syncBuiltinESMExports()
  return {
    reset: () => files.reset(),
    openDescriptors: () => files.descriptors.list(),
    program: programFiles(files.tree),
    sockets: socketFiles(files.tree),
    databases: databaseFiles(files.tree),
    shown: (path) => files.shown(path),
    leftOpen: () => [...files.descriptors.list(), ...files.directories, ...watchers.flatMap((each) => each.leftOpen())],
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
