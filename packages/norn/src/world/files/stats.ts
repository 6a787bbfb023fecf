/**
 * Stats, in the number arrays that Node's binding passes to its JavaScript.
 *
 * Invariant: they do not vary between machines or runs: the device and the file system's size are
 * fixed, inode numbers are the tree's. Times are milliseconds in a double, with a resolution of a
 * quarter of a microsecond today.
 */
import { type Inode, S_IFMT } from './inode.ts'
import type { Tree } from './tree.ts'

export type StatValues = Float64Array | BigInt64Array

/**
 * In the order of libuv: dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, then four
 * times.
 */
const DEVICE = 1
const BLOCK_BYTES = 4096
const SECTOR_BYTES = 512

export function statValues(tree: Tree, inode: Inode, bigint: boolean): StatValues {
  const { size } = inode
  const blocks = inode.isFile || inode.isDirectory ? Math.ceil(size / BLOCK_BYTES) * (BLOCK_BYTES / SECTOR_BYTES) : 0
  const values = [
    DEVICE,
    inode.mode,
    inode.nlink,
    inode.uid,
    inode.gid,
    inode.rdev,
    BLOCK_BYTES,
    tree.numberOf(inode),
    size,
    blocks,
  ]
  for (const kept of [inode.atimeMs, inode.mtimeMs, inode.ctimeMs, inode.birthtimeMs]) {
    const time = tree.host.msOf(kept)
    const seconds = Math.floor(time / 1e3)
    values.push(seconds, Math.round((time - seconds * 1e3) * 1e6))
  }
  return numbers(values, bigint)
}

/** A file system of 64 GiB, half of it free: type, bsize, blocks, bfree, bavail, files, ffree. */
const FILE_SYSTEM = [0xef53, BLOCK_BYTES, 1 << 24, 1 << 23, 1 << 23, 1 << 22, 1 << 21]

/** With `frsize` after `bsize`, in the eight fields of Node 24 and later. */
const FILE_SYSTEM_WITH_FRAGMENTS = FILE_SYSTEM.toSpliced(2, 0, BLOCK_BYTES)

/** @param fields the number of fields in this Node's array */
export function statfsValues(fields: number, bigint: boolean): StatValues {
  return numbers(fields > FILE_SYSTEM.length ? FILE_SYSTEM_WITH_FRAGMENTS : FILE_SYSTEM, bigint)
}

function numbers(values: readonly number[], bigint: boolean): StatValues {
  return bigint ? BigInt64Array.from(values, BigInt) : new Float64Array(values)
}

/** Copies values into the array that Node shares between stats read at once. */
export function share(shared: StatValues, values: StatValues): StatValues {
  ;(shared as Float64Array).set(values as Float64Array)
  return shared
}

/** `UV_DIRENT_*` by type of file: the type bits of a mode, shifted down. */
const DIRENT_TYPES: readonly number[] = [0, 4, 6, 0, 2, 0, 7, 0, 1, 0, 3, 0, 5]

/** The type of a directory entry: 1 a file, 2 a directory, 3 a link, 6 a character device, ... */
export function direntType(inode: Inode): number {
  return DIRENT_TYPES[(inode.mode & S_IFMT) >> 12] ?? 0
}
