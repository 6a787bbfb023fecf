/**
 * Transfers visible half done: reads and writes of many pages, and copies.
 *
 * Linux copies page by page and readers take no inode lock (`generic_file_read_iter`), so a read
 * sees part of a concurrent write; a copy creates its file before filling it. A write holds the
 * inode lock to its end (`inode_lock` in `ext4_buffered_write_iter`), so two writes never mix.
 * Invariant: done in two parts with nothing in between, a transfer has the same effect and result
 * as at once.
 */
import { beginCopy } from './compound.ts'
import type { Files } from './files.ts'
import { lookup } from './names.ts'
import type { Divided } from './operation.ts'

const PAGE_BYTES = 4096

/** A write in two parts; undefined if it fits into a page. */
export function dividedWrite(files: Files, fd: number, bytes: Uint8Array, position: number): Divided | undefined {
  if (bytes.length <= PAGE_BYTES) return undefined
  return divided(bytes.length, 1, (first) => files.descriptors.beginWrite(fd, bytes, position, first))
}

/** A read in two parts; undefined if at most a page is left to read. */
export function dividedRead(files: Files, fd: number, target: Uint8Array, position: number): Divided | undefined {
  const open = files.descriptors.peek(fd)
  if (open === undefined) return undefined
  const left = open.inode.size - (position < 0 ? open.position : position)
  const bytes = Math.min(target.length, left)
  if (bytes <= PAGE_BYTES) return undefined
  return divided(bytes, 1, (first) =>
    files.descriptors.beginRead(fd, target, position, first === bytes ? target.length : first),
  )
}

export function dividedCopy(files: Files, from: string, to: string, flags: number): Divided {
  const bytes = lookup(files.tree, from)?.size ?? 0
  return divided(bytes, 0, (first) =>
    beginCopy(files, from, to, flags, first === bytes ? Number.POSITIVE_INFINITY : first),
  )
}

/**
 * @param least the pages transferred at the first place
 *
 * @param start transfers the first bytes and returns a function for the rest
 */
function divided(bytes: number, least: number, start: (first: number) => () => unknown): Divided {
  let rest: (() => unknown) | undefined
  return {
    places: Math.max(1, Math.ceil(bytes / PAGE_BYTES) - least),
    begin: (place) => {
      rest = start((least + place) * PAGE_BYTES)
    },
    effect: () => (rest ?? start(bytes))(),
  }
}
