/** The files of a world in one value for operations: the tree, the open files and the host. */
import { posix } from 'node:path'
import type { Fault, Possible } from '../loop/faults.ts'
import type { Base } from './base.ts'
import { bytesOf, textOf } from './bytes.ts'
import { Descriptors } from './descriptors.ts'
import type { FilesHost } from './host.ts'
import { Tree } from './tree.ts'

const NEEDS_RESOLVING = /\/\/|\/\.|.\/$/

export class Files {
  readonly tree: Tree
  readonly descriptors: Descriptors
  /** The number of fields in a statfs of this Node. */
  readonly statfsFields: number
  /** Open directories, once per open. */
  directories: { readonly path: string; readonly opened: object }[] = []
  /** Counts resets, to recognise handles of earlier executions. */
  generation = 0
  readonly #host: FilesHost

  constructor(base: Base, host: FilesHost, statfsFields: number) {
    this.statfsFields = statfsFields
    this.#host = host
    const { getegid, geteuid } = process
    this.tree = new Tree(base, {
      now: () => host.now(),
      msOf: (time) => host.msOf(time),
      cwd: () => bytesOf(host.cwd()),
      umask: () => host.umask(),
      uid: geteuid?.call(process) ?? 0,
      gid: getegid?.call(process) ?? 0,
      output: (fd, bytes) => host.output(fd, bytes),
      random6: () => host.random6(),
      announceChange: (path) => host.announceChange('watch', this.shown(path)),
      refuse: (what) => host.refuse(what),
    })
    this.descriptors = new Descriptors(this.tree, (opened) => host.opened(opened))
  }

  reset(): void {
    this.generation++
    if (this.directories.length > 0) this.directories = []
    this.tree.reset()
    this.descriptors.reset()
  }

  /** A directory opens; `path` is the one for people. */
  openDirectory(opened: object, path: string): void {
    this.directories.push({ path, opened })
    this.#host.opened(opened)
  }

  closeDirectory(closed: object): void {
    this.directories = this.directories.filter(({ opened }) => opened !== closed)
  }

  get faultsAllowed(): boolean {
    return this.#host.faultsAllowed()
  }

  /** Draws the fault of a system call that would otherwise succeed; usually none. */
  fault(call: string, possible: () => Possible): Fault | undefined {
    return this.#host.faulty() ? this.#host.fault(call, possible()) : undefined
  }

  /** A path for people and traces: absolute, normalised, links not followed. */
  shown(path: string): string {
    const text = textOf(path)
    if (text.startsWith('/') && !NEEDS_RESOLVING.test(text)) return text
    return posix.resolve(this.#host.cwd(), text)
  }

  /** The path of a descriptor, for people and traces. */
  shownDescriptor(fd: unknown): string {
    return (typeof fd === 'number' ? this.descriptors.peek(fd)?.path : undefined) ?? `fd ${fd}`
  }
}
