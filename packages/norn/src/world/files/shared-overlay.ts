/**
 * The files of an execution as plain data: what the process that runs a child of it gets, and gives back.
 *
 * Both sides number the inodes alike, so that what comes back goes to the inodes that are there: a file
 * that is open stays the one it was. Times stay virtual (stamps.ts). Not taken along are inodes that have
 * no name and descriptors.
 */
import { RealMap } from '../realm/language.ts'
import { Inode } from './inode.ts'
import type { Tree } from './tree.ts'

/** Fields that are plain values. */
const FIELDS = [
  ...(['mode', 'nlink', 'uid', 'gid', 'rdev', 'atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const),
  ...(['number', 'name', 'removed', 'target', 'device'] as const),
]

interface InodeData {
  readonly fields: Readonly<Pick<Inode, (typeof FIELDS)[number]>>
  /** The path of what it overlays; undefined for what the disk does not have. */
  readonly base: string | undefined
  /** Of a file that is not as on the disk. */
  readonly content: { readonly bytes: Uint8Array; readonly size: number } | undefined
  /** Of a directory: the entries that were looked at, by the number of the inode; null for a name that is gone. */
  readonly entries: readonly (readonly [name: string, inode: number | null])[] | undefined
}

/** The first inode is the root. */
export interface Overlay {
  readonly inodes: readonly InodeData[]
  readonly nextNumber: number
  /** Names that changed, by the number of their directory, and inodes of the disk whose data changed. */
  readonly names: readonly (readonly [directory: number, names: readonly string[]])[]
  readonly data: readonly number[]
}

export class SharedOverlay {
  readonly #tree: Tree
  readonly #inodes: Inode[] = []
  readonly #numbers = new RealMap<Inode, number>()

  constructor(tree: Tree) {
    this.#tree = tree
    this.#numberOf(tree.root)
  }

  take(): Overlay {
    const { names, data } = this.#tree.changes.all()
    const numbered = names.map(([directory, changed]) => [this.#numberOf(directory), changed] as const)
    const inodes: InodeData[] = []
    // To look at one numbers those below it.
    for (let at = 0; at < this.#inodes.length; at++) inodes.push(this.#data(this.#inodes[at]!))
    return {
      inodes,
      nextNumber: this.#tree.nextNumber,
      names: numbered,
      // One that lost its name while it was open elsewhere is not among them.
      data: data.flatMap((inode) => this.#numbers.get(inode) ?? []),
    }
  }

  put({ inodes, nextNumber, names, data }: Overlay): void {
    const tree = this.#tree
    for (const { base, fields } of inodes.slice(this.#inodes.length)) {
      this.#numberOf(base === undefined ? new Inode(fields.mode, 0, 0, 0) : tree.overlaying(base))
    }
    for (const [at, inode] of this.#inodes.entries()) this.#restore(inode, inodes[at]!)
    tree.nextNumber = nextNumber
    for (const [directory, changed] of names)
      for (const name of changed) tree.changes.name(this.#inodes[directory]!, name)
    for (const inode of data) tree.changes.data(this.#inodes[inode]!)
  }

  #data(inode: Inode): InodeData {
    const { base, ownContent: content, entries } = inode
    return {
      fields: Object.fromEntries(FIELDS.map((field) => [field, inode[field]])) as InodeData['fields'],
      base: base?.path,
      content: content && { bytes: content.stored(), size: content.size },
      entries: entries && Array.from(entries, ([name, entry]) => [name, entry && this.#numberOf(entry)] as const),
    }
  }

  #restore(inode: Inode, { fields, base, content, entries }: InodeData): void {
    Object.assign(inode, fields)
    if (base === undefined) inode.base = undefined
    if (content !== undefined) inode.content.replace(content.bytes, content.size)
    if (entries === undefined) return
    inode.entries!.clear()
    for (const [name, number] of entries) {
      const entry = number === null ? null : this.#inodes[number]!
      inode.entries!.set(name, entry)
      if (entry?.isDirectory) entry.parent = inode
    }
  }

  #numberOf(inode: Inode): number {
    let number = this.#numbers.get(inode)
    if (number === undefined) {
      number = this.#inodes.push(inode) - 1
      this.#numbers.set(inode, number)
    }
    return number
  }
}
