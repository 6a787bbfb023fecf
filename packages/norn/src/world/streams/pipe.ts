/**
 * Intercepts Unix sockets and pipes: `net` over paths, and the standard streams and channels of
 * children.
 *
 * Follows src/pipe_wrap.cc of Node, src/unix/pipe.c of libuv and net/unix/af_unix.c of Linux: a
 * socket is found by the inode of its file, or by an abstract name (`\0name`); an error of `connect`
 * comes from the pending queue; closing removes the name that was bound, whatever is there now.
 */

import { internalBinding } from '../../loader/internals.ts'
import { bytesOf, textOf } from '../files/bytes.ts'
import type { SocketFiles } from '../files/socket-files.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { OsProcess } from '../loop/os-process.ts'
import { type Courier, Side } from '../network/connection.ts'
import type { Passed } from '../network/flow.ts'
import { atOnce, type NetworkHost } from '../network/network-host.ts'
import type { Gateway } from '../open/gateway.ts'
import { uv } from '../realm/uv.ts'
import { AcceptQueue } from './accept-queue.ts'
import { backlogOf } from './backlog.ts'
import { dialOut, failConnect, joinConnect } from './connecting.ts'
import type { Channel, Stream } from './stream-base.ts'
import { type Method, Streams } from './stream-methods.ts'
import type { Request } from './stream-request.ts'
import { PassedSocket, type Tcp } from './tcp.ts'

const { Pipe, constants } = internalBinding('pipe_wrap') as {
  Pipe: (new (type: number) => object) & { prototype: Record<string, unknown> }
  constants: Record<'SOCKET' | 'UV_READABLE' | 'UV_WRITABLE', number>
}

/** The size of `sun_path`, in bytes. */
const PATH_BYTES = 108

interface Bound {
  readonly stream: Stream
  /** The path, or the abstract name, as a byte string. */
  readonly path: string
  /** The file's inode; an abstract name is its own key. */
  readonly key: object | string
  readonly queue: AcceptQueue
  /** Who listens. */
  readonly isolate: Isolate
  backlog: number
}

export interface PipeHost extends NetworkHost {
  readonly table: { open(process: OsProcess, fd: number): Side | undefined }
  readonly tcp: Tcp
  readonly udp: { pass(handle: object): Passed | undefined; receive(passed: Passed): object }
  /** The way out in open mode. */
  readonly gateway: Gateway | undefined
  readonly files: { readonly sockets: SocketFiles; shown(path: string): string }
}

/** A connection over a pipe or a Unix socket on its way to another process. */
export class PassedPipe implements Passed {
  readonly side: Side

  constructor(side: Side) {
    this.side = side
  }

  close(): void {
    this.side.close()
  }
}

export const pipes: Interceptor<PipeHost, { readonly pipes: Pipes; streamOf(handle: object): Stream | undefined }> = {
  name: 'pipes',
  install: (host) => {
    const pipes = new Pipes(host)
    const { streams } = pipes
    return {
      provides: { pipes, streamOf: (handle) => host.tcp.streams.find(handle) ?? streams.find(handle) },
      leave: () => pipes.reset(),
      leftOpen: (left) => streams.addLeft(left),
      closeOf: (isolate) => streams.closeOf(isolate),
    }
  },
}

export class Pipes {
  readonly #host: PipeHost
  readonly streams: Streams
  #bound = new Map<object | string, Bound>()
  #places = new WeakMap<Stream, Bound>()
  #connections = 0
  /** How handles travel to another process. */
  readonly #channel: Channel = {
    pass: (handle) => {
      const { tcp, udp, refuse } = this.#host
      return tcp.pass(handle) ?? this.pass(handle) ?? udp.pass(handle) ?? refuse('a handle over IPC')
    },
    receive: (passed) => {
      if (passed instanceof PassedPipe) return this.receive(passed)
      const { tcp, udp } = this.#host
      return passed instanceof PassedSocket ? tcp.receive(passed) : udp.receive(passed)
    },
  }

  constructor(host: PipeHost) {
    this.#host = host
    const methods: Record<string, Method> = {
      bind: (stream: Stream, path: string) => this.#bind(stream, bytesOf(path)),
      listen: (stream: Stream, backlog: number) => this.#listen(stream, backlog),
      connect: (stream: Stream, request: Request, path: string) => this.#connect(stream, request, bytesOf(path)),
      fchmod: (stream: Stream, mode: number) => this.#permit(stream, mode),
      open: (stream: Stream, fd: number) => {
        this.#establish(
          stream,
          host.table.open(host.causality.isolate.process, fd) ?? host.refuse('a pipe over a file descriptor'),
        )
        return 0
      },
    }
    this.streams = new Streams(host, Pipe, methods)
  }

  /**
   * Joins two handles of class `Pipe`, as `socketpair` does: the ends of a child's standard stream
   * or channel. Each belongs to the isolate that first uses its stream.
   *
   * @param names of the ends, for traces
   */
  pair(one: object, two: object, names: readonly [one: string, two: string]): void {
    const side = this.connect(one, names)
    this.#establish(this.streams.of(two)!, side)
  }

  #establish(stream: Stream, side: Side): void {
    stream.establish(side)
    if (side.transport === 'ipc') stream.channel = this.#channel
  }

  /**
   * Connects a handle of class `Pipe`; returns the other side, which norn may own.
   *
   * @param names of the handle's end and of the other, for traces
   * @param courier draws how long things are on their way
   */
  connect(
    handle: object,
    [name, otherName]: readonly [string, string],
    courier: Courier = this.#host,
    transport: 'pipe' | 'ipc' = 'pipe',
  ): Side {
    const side = new Side(name, transport, courier)
    const other = new Side(otherName, transport, courier)
    Side.pair(side, other)
    this.#establish(this.streams.of(handle)!, side)
    return other
  }

  /** The descriptor of a handle, to be sent to another process; undefined if it is not of the class. */
  pass(handle: object): PassedPipe | undefined {
    const stream = this.streams.find(handle)
    if (stream === undefined) return undefined
    const { side } = stream
    if (side === undefined) return this.#host.refuse('a listening Unix socket sent to another process')
    side.hold()
    return new PassedPipe(side)
  }

  receive({ side }: PassedPipe): object {
    const handle = new Pipe(constants.SOCKET)
    this.streams.of(handle)!.establish(side)
    return handle
  }

  reset(): void {
    this.streams.reset()
    if (this.#bound.size > 0) this.#bound = new Map()
    this.#connections = 0
  }

  #bind(stream: Stream, path: string): number {
    if (path.length > PATH_BYTES || hasInnerNul(path) || this.#isOpen(stream)) return uv.UV_EINVAL!
    const key = this.#create(path)
    if (typeof key === 'number') return key
    const { isolate } = this.#host.causality
    const bound = { stream, path, key, queue: new AcceptQueue(), isolate, backlog: 0 }
    this.#places.set(stream, bound)
    stream.release = () => {
      if (!isAbstract(path)) this.#host.files.sockets.remove(path)
      if (this.#bound.get(key) === bound) this.#bound.delete(key)
      return false
    }
    this.#bound.set(key, bound)
    stream.call()
    return 0
  }

  /** Creates the file of a path; returns the socket's key, or an error. */
  #create(path: string): object | string | number {
    if (isAbstract(path)) return this.#bound.has(path) ? uv.UV_EADDRINUSE! : path
    const found = this.#host.files.sockets.create(path)
    if ('inode' in found) return found.inode
    return found.code === 'ENOENT' ? uv.UV_EACCES! : uv[`UV_${found.code}`]!
  }

  #listen(stream: Stream, backlog: number): number {
    const bound = this.#places.get(stream)
    if (stream.isClosed || bound === undefined) return uv.UV_EINVAL!
    stream.call()
    bound.backlog = backlogOf(backlog)
    stream.name = this.#shown(bound.path)
    this.#host.traffic?.()?.listens(stream.name)
    stream.backlog = bound.queue
    bound.queue.poll(stream)
    stream.accept = (side) => this.streams.accept(stream, side, () => new Pipe(constants.SOCKET))
    stream.refresh()
    return 0
  }

  #connect(stream: Stream, request: Request, path: string): number {
    if (path.length === 0 || path.length > PATH_BYTES || hasInnerNul(path)) return uv.UV_EINVAL!
    if (stream.connecting !== undefined) return uv.UV_EALREADY!
    stream.call()
    const attempt = { stream, request, type: 'PIPECONNECTWRAP' } as const
    const name = this.#shown(path)
    const { gateway } = this.#host
    const real = textOf(path)
    const near = (courier: Courier) => new Side(`${name} (client ${++this.#connections})`, 'pipe', courier)
    if (gateway?.reachesPath(real) && !this.#isServed(path))
      return dialOut(attempt, gateway, { path: real }, near(this.#host), name)
    const found = isAbstract(path) ? { inode: path } : this.#host.files.sockets.find(path)
    if ('code' in found) return failConnect(attempt, uv[`UV_${found.code}`]!, name)
    const listener = this.#bound.get(found.inode)
    if (listener?.stream.backlog === undefined) return failConnect(attempt, uv.UV_ECONNREFUSED!, name)
    // Linux lets one more wait than the backlog says.
    if (listener.queue.exceeds(listener.backlog, this.#host.nowUs())) return failConnect(attempt, uv.UV_EAGAIN!, name)
    const isWithin = listener.isolate === this.#host.causality.isolate
    const courier = isWithin ? atOnce(this.#host) : this.#host
    return joinConnect(attempt, listener.queue, near(courier), new Side(name, 'pipe', courier), isWithin)
  }

  /** Whether a server of the program has the name. */
  #isServed(path: string): boolean {
    for (const bound of this.#bound.values()) if (bound.path === path) return true
    return false
  }

  #permit(stream: Stream, mode: number): number {
    const bound = this.#places.get(stream)
    if (stream.isClosed || bound === undefined) return uv.UV_EBADF!
    const readable = (mode & constants.UV_READABLE) === 0 ? 0 : 0o444
    const writable = (mode & constants.UV_WRITABLE) === 0 ? 0 : 0o222
    const code = this.#host.files.sockets.chmod(bound.path, readable | writable)
    return code === undefined ? 0 : uv[`UV_${code}`]!
  }

  #isOpen(stream: Stream): boolean {
    return stream.isClosed || stream.side !== undefined || this.#places.has(stream)
  }

  #shown(path: string): string {
    return isAbstract(path) ? `@${textOf(path.slice(1))}` : this.#host.files.shown(path)
  }
}

function isAbstract(path: string): boolean {
  return path.startsWith('\0') || path === ''
}

function hasInnerNul(path: string): boolean {
  return !isAbstract(path) && path.includes('\0')
}
