/**
 * Files as bodies of HTTP/2 streams (`respondWithFile`, `respondWithFD`).
 *
 * Follows `StreamPipe` (src/stream_pipe.cc) over `FileHandle` (src/node_file.cc): the thread pool
 * reads up to 64 KiB, and again once the stream has sent them.
 */
import { hostRequire, internalBinding } from '../../loader/internals.ts'
import { type Activity, define } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'
import type { Request } from '../streams/stream-request.ts'
import { streamState } from '../streams/stream-state.ts'

interface FilesHost extends Activity {
  /** Runs something in the next check phase, after C++ in the same stream. */
  soon(sink: object, kind: string, run: () => void): void
}

interface Source {
  readonly fd: number
  /** Where to read, if not everything from the current position. */
  readonly range: { readonly offset: number; readonly length: number }
  onread(): void
}

interface Sink {
  writeBuffer(request: Request, bytes: Uint8Array): number
  shutdown(request: object): number
}

const READ_BYTES = 65536

const { WriteWrap, ShutdownWrap } =
  internalBinding<Record<'WriteWrap' | 'ShutdownWrap', new () => Request>>('stream_wrap')
const { read } = hostRequire('node:fs') as typeof import('node:fs')

export function interceptFileBodies(host: FilesHost): void {
  const binding = internalBinding('stream_pipe') as { StreamPipe: new (source: Source, sink: Sink) => object }

  class FilePipe {
    readonly source: Source
    readonly sink: Sink
    onunpipe: (() => void) | undefined
    #at: number
    #left: number

    constructor(source: Source, sink: Sink) {
      this.source = source
      this.sink = sink
      const { offset, length } = source.range
      this.#at = offset
      this.#left = length < 0 ? Number.POSITIVE_INFINITY : length
    }

    start(): void {
      host.soon(this.sink, 'pipe', () => this.#next())
    }

    #next(): void {
      const bytes = new Uint8Array(Math.min(READ_BYTES, this.#left))
      if (bytes.length === 0) {
        this.#end()
        return
      }
      read(this.source.fd, bytes, 0, bytes.length, this.#at < 0 ? null : this.#at, (error, count) => {
        if (!host.active()) return
        if (error !== null) this.#fails((error as NodeJS.ErrnoException).errno!)
        else if (count === 0) this.#end()
        else this.#write(bytes.subarray(0, count))
      })
    }

    #write(bytes: Uint8Array): void {
      if (this.#at >= 0) this.#at += bytes.length
      this.#left -= bytes.length
      const oncomplete = (status: number) => (status < 0 ? this.#unpipe() : this.#next())
      this.sink.writeBuffer(Object.assign(new WriteWrap(), { oncomplete }), bytes)
    }

    #fails(status: number): void {
      streamState.read(status)
      this.source.onread()
      this.#unpipe()
    }

    #end(): void {
      this.sink.shutdown(new ShutdownWrap())
      streamState.read(uv.UV_EOF!)
      this.source.onread()
      this.#unpipe()
    }

    #unpipe(): void {
      host.soon(this.sink, 'unpipe', () => this.onunpipe?.())
    }
  }

  const { StreamPipe } = binding
  define(
    binding,
    'StreamPipe',
    new Proxy(StreamPipe, {
      construct: (target, [source, sink]: [Source, Sink], newTarget) =>
        host.active() ? new FilePipe(source, sink) : Reflect.construct(target, [source, sink], newTarget),
    }),
  )
}
