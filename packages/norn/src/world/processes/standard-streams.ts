/**
 * The standard streams of a child process. Follows lib/internal/bootstrap/switches/is_main_thread.js:
 * a pipe is a socket that keeps no loop alive, anything else a synchronous stream or an empty file.
 */

import { createReadStream } from 'node:fs'
import type { Socket, SocketConstructorOpts } from 'node:net'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { hostRequire, internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Streams } from '../isolates/isolate-views.ts'
import { Side } from '../network/connection.ts'
import type { Output } from './child.ts'

interface PipeHandle {
  open(fd: number): number
  unref(): void
  readStop(): number
  reading: boolean
}

type StandardSocket = Socket & { _handle: PipeHandle | null; _readableState: { reading: boolean } }

/** A stream that goes on after it was destroyed. */
type Undestroyed = Writable & { _undestroy(): void; readonly _writableState: { readonly emitClose: boolean } }

/** @param outputOf where a descriptor of the process leads */
export function standardStreams(outputOf: (fd: number) => Output): Streams {
  const known: Partial<Record<keyof Streams, Readable | Writable>> = {}
  return {
    get stdin() {
      return (known.stdin ??= input(outputOf(0))) as Readable
    },
    get stdout() {
      return (known.stdout ??= output(outputOf(1), 1)) as Writable
    },
    get stderr() {
      return (known.stderr ??= output(outputOf(2), 2)) as Writable
    },
  }
}

function socketOf(fd: number, options: SocketConstructorOpts): StandardSocket {
  const { Pipe, constants } = internalBinding('pipe_wrap') as {
    Pipe: new (type: number) => PipeHandle
    constants: { SOCKET: number }
  }
  const { Socket } = hostRequire('node:net') as typeof import('node:net')
  const handle = new Pipe(constants.SOCKET)
  handle.open(fd)
  return new Socket({ ...options, handle } as unknown as SocketConstructorOpts) as StandardSocket
}

function input(from: Output): Readable {
  if (!(from instanceof Side)) return Object.assign(createReadStream('', { fd: 0, autoClose: false }), { fd: 0 })
  const stdin = socketOf(0, { readable: true, writable: false, manualStart: true } as SocketConstructorOpts)
  Object.assign(stdin, { fd: 0 })
  const stop = () => {
    if (stdin._handle === null) return
    stdin._handle.reading = false
    stdin._readableState.reading = false
    stdin._handle.readStop()
  }
  stop()
  stdin.on('pause', () => {
    process.nextTick(() => {
      if (stdin._handle?.reading && !stdin.readableFlowing) stop()
    })
  })
  return stdin
}

function output(to: Output, fd: number): Writable {
  let stream: Writable
  if (to instanceof Side) {
    const socket = socketOf(fd, { readable: false, writable: true })
    socket._handle!.unref()
    stream = Object.assign(socket, { _type: 'pipe' })
  } else {
    const SyncWriteStream = requireInternal<new (fd: number, options: object) => Writable>(
      'internal/fs/sync_write_stream',
    )
    stream = Object.assign(new SyncWriteStream(fd, { autoClose: false }), { _type: 'fs' })
  }
  return Object.assign(stream, {
    fd,
    _isStdio: true,
    destroySoon: stream.destroy,
    _destroy(this: Undestroyed, error: Error | null, done: (error: Error | null) => void) {
      done(error)
      this._undestroy()
      if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'))
    },
  })
}
