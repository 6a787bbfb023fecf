/**
 * The files of a world: the tree, the open files and the world they stand in, as one value for the operations.
 */
import { posix } from 'node:path'
import type { Fault, Possible } from '../faults.ts'
import type { Base } from './base.ts'
import { bytesOf, textOf } from './bytes.ts'
import { Descriptors } from './descriptors.ts'
import type { FilesHost } from './host.ts'
import { Tree } from './tree.ts'

const NEEDS_RESOLVING = /\/\/|\/\.|.\/$/

export class Files {
  readonly tree: Tree
  readonly descriptors: Descriptors
  /** Numbers in a statfs of this Node. */
  readonly statfsFields: number
  /** Directories that are open, as they are shown; more than once if so opened. */
  directories: string[] = []
  /** Counts resets, so that handles of an earlier execution are known. */
  generation = 0
  readonly #host: FilesHost

  constructor(base: Base, host: FilesHost, statfsFields: number) {
    this.statfsFields = statfsFields
    this.#host = host
    const { getegid, geteuid } = process
    const umask = process.umask.bind(process) as () => number
    this.tree = new Tree(base, {
      now: () => host.now(),
      cwd: () => bytesOf(host.cwd()),
      umask,
      uid: geteuid?.call(process) ?? 0,
      gid: getegid?.call(process) ?? 0,
      output: (fd, bytes) => host.output(fd, bytes),
      random6: () => host.random6(),
      refuse: (what) => host.refuse(what),
    })
    this.descriptors = new Descriptors(this.tree)
  }

  reset(): void {
    this.generation++
    if (this.directories.length > 0) this.directories = []
    this.tree.reset()
    this.descriptors.reset()
  }

  get faultsAllowed(): boolean {
    return this.#host.faultsAllowed()
  }

  /** What a system call meets that would otherwise go on: nothing, as a rule. */
  fault(call: string, possible: () => Possible): Fault | undefined {
    return this.#host.faulty() ? this.#host.fault(call, possible()) : undefined
  }

  /** A path for people and traces: absolute, without `.`, `..` and doubled slashes, links not followed. */
  shown(path: string): string {
    const text = textOf(path)
    if (text.startsWith('/') && !NEEDS_RESOLVING.test(text)) return text
    return posix.resolve(this.#host.cwd(), text)
  }

  /** What a descriptor stands for, for people and traces. */
  shownDescriptor(fd: unknown): string {
    return (typeof fd === 'number' ? this.descriptors.peek(fd)?.path : undefined) ?? `fd ${fd}`
  }
}
