/**
 * The descriptors of each process that lead to pipes and to norn's output, as children inherit them.
 * Files have descriptors of their own (world/files).
 */
import type { OsProcess } from '../loop/os-process.ts'
import { Side } from '../network/connection.ts'
import type { Output } from './child.ts'

export class DescriptorTable {
  #tables = new WeakMap<OsProcess, Map<number, Output>>()
  /** Descriptors that a stream of their process closes. */
  #opened = new WeakMap<OsProcess, Set<number>>()
  readonly #print: (bytes: Uint8Array) => void

  /** @param print the output of the body's process */
  constructor(print: (bytes: Uint8Array) => void) {
    this.#print = print
  }

  give(process: OsProcess, outputs: readonly Output[]): void {
    this.#tables.set(process, new Map(outputs.entries()))
  }

  has(process: OsProcess, fd: number): boolean {
    return process.isFirst ? fd <= 2 : this.#tables.get(process)!.has(fd)
  }

  get(process: OsProcess, fd: number): Output {
    if (process.isFirst) return fd === 1 || fd === 2 ? this.#print : undefined
    return this.#tables.get(process)!.get(fd)
  }

  /** The same for a child: one more descriptor leads there. */
  inherit(process: OsProcess, fd: number): Output {
    const output = this.get(process, fd)
    if (output instanceof Side) output.hold()
    return output
  }

  /** A stream takes a descriptor over. */
  open(process: OsProcess, fd: number): Side | undefined {
    const side = this.get(process, fd)
    if (!(side instanceof Side)) return undefined
    const opened = this.#opened.get(process) ?? new Set()
    this.#opened.set(process, opened.add(fd))
    return side
  }

  write(process: OsProcess, fd: number, bytes: Uint8Array): void {
    const output = this.get(process, fd)
    if (typeof output === 'function') output(bytes)
    else if (output !== undefined && !output.isClosed && !output.peer.isClosed) output.send(bytes)
  }

  /** The process ends: the kernel closes what no stream has. */
  close(process: OsProcess): void {
    for (const [fd, output] of this.#tables.get(process) ?? [])
      if (output instanceof Side && !this.#opened.get(process)?.has(fd)) output.close()
  }
}
