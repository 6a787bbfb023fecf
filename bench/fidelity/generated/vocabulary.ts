/**
 * The asynchronous operations of generated programs. Each calls `done` once, in the callback whose
 * place in the order is compared. Imports nothing of norn, so that stock Node can run them.
 */
import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import dns from 'node:dns'
import { EventEmitter, on, once } from 'node:events'
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { PassThrough, pipeline, Readable } from 'node:stream'
import timers from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import zlib from 'node:zlib'
import type { Context, Start } from './context.ts'
import { overFetch, overHttp, overNet, overWs } from './over-sockets.ts'

/** What decides when an operation calls back. */
export type Source =
  | 'ticks'
  | 'microtasks'
  | 'immediates'
  | 'timers'
  | 'pool'
  // On the pool too, but libuv queues these on their own and bounds their threads.
  | 'slow I/O'
  | 'ports'
  | 'streams'
  | 'platform'
  | 'net'
  | 'http'
  | 'fetch'
  | 'ws'

interface Operation {
  readonly source: Source
  readonly start: Start
}

/** A chain of awaits and promises: `done` runs when it settles. */
const settled =
  (begin: (context: Context) => Promise<unknown>): Start =>
  (done, context) =>
    void begin(context).then(done)

const from = (source: Source, starts: Record<string, Start>): [string, Operation][] =>
  Object.entries(starts).map(([kind, start]) => [kind, { source, start }])

export const vocabulary: Readonly<Record<string, Operation>> = Object.fromEntries([
  ...from('ticks', {
    nextTick: (done) => process.nextTick(done),
  }),
  ...from('microtasks', {
    queueMicrotask: (done) => queueMicrotask(done),
    'three awaits': settled(async () => {
      for (let count = 0; count < 3; count++) await undefined
    }),
    'async generator': settled(async () => {
      for await (const _ of twice()) void _
    }),
    'tick in a promise': (done) => void Promise.resolve().then(() => process.nextTick(done)),
    'promise in a tick': (done) => process.nextTick(() => void Promise.resolve().then(done)),
  }),
  ...from('immediates', {
    setImmediate: (done) => void setImmediate(done),
    'timers/promises setImmediate': settled(() => timers.setImmediate()),
    'immediate in an immediate': (done) => void setImmediate(() => setImmediate(done)),
    'abort of a delay': settled(async () => {
      const controller = new AbortController()
      setImmediate(() => controller.abort())
      await timers.setTimeout(100, undefined, { signal: controller.signal }).catch(() => {})
    }),
    'events.once': settled(async () => {
      const emitter = new EventEmitter()
      setImmediate(() => emitter.emit('event'))
      await once(emitter, 'event')
    }),
    'events.on': settled(async () => {
      const emitter = new EventEmitter()
      setImmediate(() => emitter.emit('event'))
      for await (const _ of on(emitter, 'event')) break
    }),
  }),
  ...from('timers', {
    'setTimeout 0': (done) => void setTimeout(done, 0),
    'setTimeout 1': (done) => void setTimeout(done, 1),
    'setTimeout 2': (done) => void setTimeout(done, 2),
    'setTimeout 4': (done) => void setTimeout(done, 4),
    'timers/promises setTimeout 1': settled(() => timers.setTimeout(1)),
    'timers/promises setInterval 1': settled(async () => {
      for await (const _ of timers.setInterval(1)) break
    }),
    'setInterval 1': (done) => {
      const interval = setInterval(() => {
        clearInterval(interval)
        done()
      }, 1)
    },
    'timeout.refresh': (done) => {
      let isDone = false
      const timeout = setTimeout(() => {
        isDone = true
        done()
      }, 1)
      setImmediate(() => {
        if (!isDone) timeout.refresh()
      })
    },
    'AbortSignal.timeout 2': (done) => {
      AbortSignal.timeout(2).addEventListener('abort', () => done())
    },
  }),
  ...from('ports', {
    'a new MessageChannel': (done) => {
      const { port1, port2 } = new MessageChannel()
      port2.on('message', () => {
        port2.close()
        done()
      })
      port1.postMessage(0)
    },
    'an open MessageChannel': (done, { open }) => open.send(done),
    'the close of a port': (done) => {
      const { port1, port2 } = new MessageChannel()
      port2.on('close', done)
      port1.close()
    },
    BroadcastChannel: (done, { fresh }) => {
      const name = fresh()
      const [sender, receiver] = [new BroadcastChannel(name), new BroadcastChannel(name)]
      receiver.onmessage = () => {
        sender.close()
        receiver.close()
        done()
      }
      sender.postMessage(0)
    },
  }),
  ...from('pool', {
    'fs.stat': (done, { at }) => fs.stat(at('file'), () => done()),
    'fs.readFile': (done, { at }) => fs.readFile(at('file'), () => done()),
    'fs.writeFile': (done, { at, fresh }) => fs.writeFile(at(fresh()), 'text', () => done()),
    'fs.read': (done, { fd }) => fs.read(fd, Buffer.alloc(8), 0, 8, 0, () => done()),
    'fs.mkdir and fs.rmdir': (done, { at, fresh }) => {
      const path = at(fresh())
      fs.mkdir(path, () => fs.rmdir(path, () => done()))
    },
    'fs.readdir': (done, { at }) => fs.readdir(at('.'), () => done()),
    'fs/promises stat': settled(({ at }) => fsPromises.stat(at('file'))),
    'fs/promises readFile': settled(({ at }) => fsPromises.readFile(at('file'))),
    'fs/promises writeFile': settled(({ at, fresh }) => fsPromises.writeFile(at(fresh()), 'text')),
    'fs/promises appendFile': settled(({ at, fresh }) => fsPromises.appendFile(at(fresh()), 'text')),
    FileHandle: settled(async ({ at }) => {
      const handle = await fsPromises.open(at('file'))
      await handle.stat()
      await handle.close()
    }),
    'fs/promises opendir': settled(async ({ at }) => {
      for await (const _ of await fsPromises.opendir(at('.'))) void _
    }),
    'zlib.gzip': (done) => zlib.gzip('text', () => done()),
    'zlib.deflateRaw': (done) => zlib.deflateRaw('text', () => done()),
    'crypto.pbkdf2': (done) => pbkdf2('a', 'b', 1, 8, 'sha1', () => done()),
    'crypto.randomBytes': (done) => randomBytes(8, () => done()),
    'crypto.scrypt': (done) => scrypt('a', 'b', 8, { N: 2, r: 1, p: 1 }, () => done()),
    'crypto.subtle.digest': settled(() => crypto.subtle.digest('SHA-1', new Uint8Array(8))),
  }),
  ...from('slow I/O', {
    'dns.lookup': (done) => dns.lookup('localhost', () => done()),
    'dns.promises.lookup': settled(() => dns.promises.lookup('localhost')),
    'three dns.lookup': (done) => {
      for (let count = 0; count < 2; count++) dns.lookup('localhost', () => {})
      dns.lookup('localhost', () => done())
    },
  }),
  ...from('streams', {
    'Readable.from': settled(async () => {
      for await (const _ of Readable.from(['a', 'b'])) void _
    }),
    PassThrough: (done) => {
      const stream = new PassThrough()
      stream.once('data', () => done())
      stream.end('a')
    },
    pipeline: (done) => void pipeline(Readable.from(['a', 'b']), new PassThrough().resume(), () => done()),
    'the end of a file stream': (done, { at }) =>
      void fs.createReadStream(at('file'), { highWaterMark: 64 }).on('end', done).resume(),
    'the close of a file stream': (done, { at }) => void fs.createReadStream(at('file')).on('close', done).resume(),
    'the finish of a file stream': (done, { at, fresh }) =>
      void fs.createWriteStream(at(fresh())).on('finish', done).end('text'),
    'a gzip stream': (done) => void zlib.createGzip().on('end', done).resume().end('text'),
    ReadableStream: settled(async () => {
      const stream = new ReadableStream({
        pull(controller) {
          controller.enqueue(1)
          controller.close()
        },
      })
      for await (const _ of stream) void _
    }),
  }),
  ...from('net', overNet),
  ...from('http', overHttp),
  ...from('fetch', overFetch),
  ...from('ws', overWs),
  ...from('platform', {
    'WebAssembly.compile': settled(() => compileWasm(newModule())),
    'WebAssembly.compile of nothing': (done) => void compileWasm(new Uint8Array()).catch(done),
    'WebAssembly.compile of no module': (done) => void compileWasm(Uint8Array.of(1, 2, 3)).catch(done),
    'Atomics.waitAsync': settled(async () => {
      const cell = new Int32Array(new SharedArrayBuffer(4))
      const { value } = Atomics.waitAsync(cell, 0, 0) as { value: Promise<unknown> }
      setImmediate(() => Atomics.notify(cell, 0))
      await value
    }),
  }),
])

// biome-ignore lint/suspicious/noExplicitAny: the types of WebAssembly come with the DOM
const compileWasm = (bytes: Uint8Array): Promise<object> => (globalThis as any).WebAssembly.compile(bytes)

let modules = 0

/** A module with a section named by a number, as V8 remembers those that it has compiled. */
function newModule(): Uint8Array {
  const number = modules++
  const digits = [0, 7, 14, 21].map((shift) => (number >> shift) & 0x7f)
  return Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, 5, 4, ...digits)
}

async function* twice() {
  yield 1
  yield 2
}

/** Ports opened now; messages that were sent call back in order. */
export function openPorts(): Context['open'] & { close(): void } {
  const { port1, port2 }: { port1: MessagePort; port2: MessagePort } = new MessageChannel()
  const waiting: (() => void)[] = []
  port2.on('message', () => waiting.shift()!())
  port2.unref()
  return {
    send(done) {
      port2.ref()
      waiting.push(() => {
        if (waiting.length === 0) port2.unref()
        done()
      })
      port1.postMessage(0)
    },
    close: () => port2.close(),
  }
}
