/**
 * The faults that a system call may meet: the errors that Linux could return, given the files.
 *
 * After the manual pages: EMFILE where a descriptor is opened; EACCES on paths, never on open
 * descriptors; ENOSPC where the call would take room (a taken name fails with EEXIST on a full disk
 * too); EIO where the disk is touched; reads and writes cut short, but not to zero. Invariant:
 * standard streams, devices, and calls that fail before touching the disk (empty or long paths, bad
 * descriptors) meet none.
 */
import { constants } from 'node:fs'
import type { Fault, Possible } from '../loop/faults.ts'
import type { Description } from './descriptors.ts'
import { fail } from './failure.ts'
import type { Files } from './files.ts'
import { isWithin, lookup } from './names.ts'
import type { Arguments } from './operation.ts'
import { type LastLink, PATH_BYTES, type Place, walk } from './walk.ts'

type FaultsOf = (files: Files, args: Arguments) => Possible

const NONE: Possible = { errors: [] }
const { O_CREAT } = constants

/** Faults of operations before they have any effect, by name in the binding. */
export const FAULTS: Readonly<Record<string, FaultsOf>> = {
  access: onPath('EACCES', 'EIO'),
  unlink: onPath('EACCES', 'EIO'),
  rmdir: onPath('EACCES', 'EIO'),
  readlink: onPath('EACCES', 'EIO'),
  realpath: onPath('EACCES', 'EIO'),
  stat: onPath('EACCES', 'EIO'),
  lstat: onPath('EACCES', 'EIO'),
  statfs: onPath('EACCES', 'EIO'),
  chmod: onPath('EACCES', 'EIO'),
  chown: onPath('EACCES', 'EIO'),
  lchown: onPath('EACCES', 'EIO'),
  utimes: onPath('EACCES', 'EIO'),
  lutimes: onPath('EACCES', 'EIO'),
  readdir: onPath('EACCES', 'EMFILE', 'EIO'),
  readdirRecursive: onPath('EACCES', 'EMFILE', 'EIO'),
  open: (files, [path, flags]) => opening(files, path, flags),
  rename: (files, [from, to]) => onTwo(files, from, to, () => takesNewName(files, from, to)),
  link: (files, [existing, path]) => onTwo(files, existing, path, () => linksNewName(files, existing, path)),
  symlink: (files, [target, path]) => (target === '' ? NONE : making(files, path)),
  fstat: onDescriptor('EIO'),
  fchmod: onDescriptor('EIO'),
  fchown: onDescriptor('EIO'),
  futimes: onDescriptor('EIO'),
  fsync: (files, [fd]) => syncing(files, fd),
  fdatasync: (files, [fd]) => syncing(files, fd),
  ftruncate: (files, [fd, size]) => truncating(files, fd, size ?? 0),
}

export function opening(files: Files, path: string, flags: number): Possible {
  if (!reaches(files, path)) return NONE
  const creates = (flags & O_CREAT) !== 0 && isFree(files, path, 'create')
  return { errors: ['EMFILE', 'EACCES', 'EIO', ...(creates ? ['ENOSPC'] : [])] }
}

export const openingDirectory: (files: Files, path: string) => Possible = (files, path) =>
  onPath('EACCES', 'EMFILE', 'EIO')(files, [path])

/** Faults of a call that creates a name. */
export function making(files: Files, path: string): Possible {
  if (!reaches(files, path)) return NONE
  return { errors: ['EACCES', 'EIO', ...(isFree(files, path, 'name') ? ['ENOSPC'] : [])] }
}

/** The same for one of several directories: Node maps EIO there to the result of another call. */
export function makingOneOfMany(files: Files, path: string): Possible {
  return { errors: making(files, path).errors.filter((code) => code !== 'EIO') }
}

/** Faults of removing one entry in `rmSync`, whose other errors have no code in Node. */
export const removing: (files: Files, path: string) => Possible = (files, path) => onPath('EACCES')(files, [path])

/** Position -1 is the current one. */
export function reading(files: Files, fd: number, length: number, position: number): Possible {
  const open = onDisk(files, fd)
  if (open === undefined || !open.readable || !open.inode.isFile) return NONE
  const there = open.inode.content.size - (position < 0 ? open.position : position)
  const bytes = Math.min(length, there)
  return bytes > 0 ? { errors: ['EIO'], bytes } : NONE
}

export function writing(files: Files, fd: number, bytes: number): Possible {
  const open = onDisk(files, fd)
  return open?.writable && open.inode.isFile && bytes > 0 ? { errors: ['ENOSPC', 'EIO'], bytes } : NONE
}

/** Writes on their way to the disk may fail, which close(2) may report. */
function closing(files: Files, fd: number): Possible {
  return onDisk(files, fd)?.writable ? { errors: ['EIO'] } : NONE
}

/** Closes a descriptor, even where close(2) fails. */
export function close(files: Files, fd: number): void {
  const fault = files.fault('close', () => closing(files, fd))
  files.descriptors.close(fd)
  if (typeof fault === 'string') fail(fault)
}

/** Reads once, up to the limit of a fault. */
export function read(files: Files, fd: number, target: Uint8Array, position: number): number {
  const most = limit(files.fault('read', () => reading(files, fd, target.length, position)))
  return files.descriptors.read(fd, target.subarray(0, most), position)
}

/** Writes once, up to the limit of a fault. */
export function write(files: Files, fd: number, source: Uint8Array, position: number): number {
  const most = limit(files.fault('write', () => writing(files, fd, source.length)))
  return files.descriptors.write(fd, source.subarray(0, most), position)
}

/** The bytes that a call may transfer; fails if the fault is an error. */
export function limit(fault: Fault | undefined): number {
  return typeof fault === 'string' ? fail(fault) : (fault ?? Number.POSITIVE_INFINITY)
}

function syncing(files: Files, fd: number): Possible {
  const open = onDisk(files, fd)
  if (open === undefined) return NONE
  return { errors: open.writable ? ['EIO', 'ENOSPC'] : ['EIO'] }
}

function truncating(files: Files, fd: number, size: number): Possible {
  const open = onDisk(files, fd)
  if (!open?.writable || !open.inode.isFile) return NONE
  return { errors: size > open.inode.content.size ? ['EIO', 'ENOSPC'] : ['EIO'] }
}

function onPath(...errors: string[]): FaultsOf {
  return (files, [path]) => (reaches(files, path) ? { errors } : NONE)
}

function onDescriptor(...errors: string[]): FaultsOf {
  return (files, [fd]) => (onDisk(files, fd) === undefined ? NONE : { errors })
}

function onTwo(files: Files, one: string, other: string, takesRoom: () => boolean): Possible {
  if (!reaches(files, one) || !reaches(files, other)) return NONE
  return { errors: ['EACCES', 'EIO', ...(takesRoom() ? ['ENOSPC'] : [])] }
}

/** Whether a call looks up the path on the disk, and it is not a device. */
function reaches(files: Files, path: unknown): boolean {
  if (typeof path !== 'string' || path.length >= PATH_BYTES || /^\/*$/.test(path)) return false
  return lookup(files.tree, path)?.device === undefined
}

/** An open description of something on the disk. */
function onDisk(files: Files, fd: unknown): Description | undefined {
  const open = typeof fd === 'number' ? files.descriptors.peek(fd) : undefined
  return open?.inode.device === undefined ? open : undefined
}

function isFree(files: Files, path: string, last: LastLink): boolean {
  const place = placeOf(files, path, last)
  return place?.parent !== undefined && !place.parent.removed && place.inode === undefined
}

function takesNewName(files: Files, from: string, to: string): boolean {
  const [source, target] = [placeOf(files, from, 'name'), placeOf(files, to, 'name')]
  if (source?.parent === undefined || source.inode === undefined || !isFree(files, to, 'name')) return false
  if (!source.inode.isDirectory) return !source.slash && !target!.slash
  return !isWithin(target!.parent!, source.inode)
}

function linksNewName(files: Files, existing: string, path: string): boolean {
  const source = placeOf(files, existing, 'stay')?.inode
  if (source === undefined || source.isDirectory) return false
  return isFree(files, path, 'name') && !placeOf(files, path, 'name')!.slash
}

/** Undefined if the path does not resolve. */
function placeOf(files: Files, path: string, last: LastLink): Place | undefined {
  try {
    return walk(files.tree, path, last)
  } catch {
    return undefined
  }
}
