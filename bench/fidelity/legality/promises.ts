/**
 * Node's promises about order: one program for each, which fails if a schedule breaks the promise.
 *
 * The sources are Node's documentation (event loop, timers, process, stream, async_context), the
 * language, libuv's src/threadpool.c, V8's src/wasm/module-compiler.cc, Linux's net/unix/af_unix.c
 * and its manual pages. Stock Node keeps all of these promises under load. Imports nothing of norn,
 * so that stock Node can run it.
 */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { pbkdf2 } from 'node:crypto'
import { lookup } from 'node:dns'
import { once } from 'node:events'
import fs from 'node:fs'
import { appendFile, mkdir, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { gzip } from 'node:zlib'

/** @param at a path in a folder of its own, empty at the start */
type Body = (at: (name: string) => string) => Promise<void>

const now = () => performance.now()

/** Keeps the processor for some milliseconds. */
function work(ms: number): void {
  for (const began = now(); now() - began < ms; );
}

let modules = 0

/** Compiles a module that V8 does not remember: a section holds a number. */
function compileNewModule(): Promise<unknown> {
  const digits = [0, 7, 14, 21].map((shift) => (modules >> shift) & 0x7f)
  modules++
  // biome-ignore lint/suspicious/noExplicitAny: the types of WebAssembly come with the DOM
  return (globalThis as any).WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, 5, 4, ...digits))
}

/** Where a callback of the loop may come from. */
const SOURCES: Readonly<Record<string, (callback: () => void) => void>> = {
  timer: (callback) => void setTimeout(callback, 1),
  immediate: (callback) => void setImmediate(callback),
  file: (callback) => void fs.stat('/', () => callback()),
  key: (callback) => pbkdf2('secret', 'salt', 1, 8, 'sha1', () => callback()),
}

/**
 * Runs a part in a callback of every source, several times each, and checks what it noted once the
 * loop went on.
 */
async function fromEverySource(
  part: (note: (what: string) => void) => void,
  expected: readonly string[],
): Promise<void> {
  const noted: string[] = []
  const names: string[] = []
  let left = 0
  const done = Promise.withResolvers<void>()
  for (const [name, start] of Object.entries(SOURCES)) {
    for (let turn = 0; turn < 3; turn++) {
      left++
      start(() => {
        names.push(`${name} ${turn}`)
        part((what) => noted.push(what))
        if (--left === 0) setImmediate(done.resolve)
      })
    }
  }
  await done.promise
  // Callbacks come in any order; what each of them queued comes right behind it.
  deepEqual(
    noted,
    names.flatMap(() => expected),
  )
}

export const promises: Readonly<Record<string, Body>> = {
  'ticks run in the order in which they were queued': () =>
    fromEverySource(
      (note) => {
        process.nextTick(note, '1')
        process.nextTick(() => {
          note('2')
          process.nextTick(note, '4')
        })
        process.nextTick(note, '3')
      },
      ['1', '2', '3', '4'],
    ),

  'microtasks run in the order in which they were queued': () =>
    fromEverySource(
      (note) => {
        Promise.resolve().then(() => note('1'))
        queueMicrotask(() => {
          note('2')
          queueMicrotask(() => note('5'))
          Promise.resolve().then(() => note('6'))
        })
        Promise.reject().catch(() => note('3'))
        queueMicrotask(() => note('4'))
      },
      ['1', '2', '3', '4', '5', '6'],
    ),

  'a new module of WebAssembly is compiled after the next immediate': async () => {
    const order: string[] = []
    await immediate()
    await Promise.all([
      compileNewModule().then(() => order.push('module')),
      immediate().then(() => order.push('immediate')),
    ])
    deepEqual(order, ['immediate', 'module'])
  },

  'ticks come before microtasks': () =>
    fromEverySource(
      (note) => {
        queueMicrotask(() => note('micro'))
        process.nextTick(() => {
          note('tick')
          process.nextTick(note, 'tick of tick')
        })
      },
      ['tick', 'tick of tick', 'micro'],
    ),

  'microtasks are all done before a tick that one of them queued': () =>
    fromEverySource(
      (note) => {
        queueMicrotask(() => {
          process.nextTick(note, 'tick')
          queueMicrotask(() => note('micro of micro'))
        })
        queueMicrotask(() => note('micro'))
      },
      ['micro', 'micro of micro', 'tick'],
    ),

  'ticks and microtasks are drained before the loop goes on': () => {
    const expected = Array.from({ length: 20 }, (_, depth) => `${depth}`)
    return fromEverySource((note) => {
      const deeper = (depth: number) => {
        note(`${depth}`)
        if (depth === 19) return
        if (depth % 2 === 0) process.nextTick(deeper, depth + 1)
        else queueMicrotask(() => deeper(depth + 1))
      }
      deeper(0)
    }, expected)
  },

  'the reactions of one promise run in the order of their making': () =>
    fromEverySource(
      (note) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        for (const each of ['1', '2', '3']) promise.then(() => note(each))
        promise.then(() => note('4')).then(() => note('6'))
        promise.finally(() => note('5'))
        resolve()
      },
      ['1', '2', '3', '4', '5', '6'],
    ),

  'awaits are served in order': async () => {
    const order: string[] = []
    const walk = async (name: string) => {
      for (let i = 0; i < 3; i++) {
        await null
        order.push(name + i)
      }
    }
    await Promise.all([walk('a'), walk('b'), walk('c')])
    deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  },

  'a rejection that a tick or a microtask handles is handled': () =>
    fromEverySource(
      (note) => {
        const byTick = Promise.reject(new Error('by a tick'))
        process.nextTick(() => byTick.catch(() => note('1')))
        const byMicrotask = Promise.reject(new Error('by a microtask'))
        queueMicrotask(() => void byMicrotask.catch(() => note('2')))
      },
      ['1', '2'],
    ),

  'immediates run in the order of their making': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    fs.stat('/', () => {
      for (const each of ['3', '4', '5']) setImmediate(() => order.push(each))
      setImmediate(done.resolve)
    })
    for (const each of ['0', '1', '2']) setImmediate(() => order.push(each))
    await done.promise
    deepEqual(order.toSorted(), ['0', '1', '2', '3', '4', '5'])
    deepEqual(
      order.filter((each) => each < '3'),
      ['0', '1', '2'],
    )
    deepEqual(
      order.filter((each) => each >= '3'),
      ['3', '4', '5'],
    )
  },

  'an immediate from an immediate waits for the next round': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    setImmediate(() => {
      order.push('1')
      setImmediate(() => {
        order.push('4')
        done.resolve()
      })
    })
    setImmediate(() => order.push('2'))
    setImmediate(() => order.push('3'))
    await done.promise
    deepEqual(order, ['1', '2', '3', '4'])
  },

  'ticks and microtasks come between two immediates': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    setImmediate(() => {
      queueMicrotask(() => order.push('micro'))
      process.nextTick(() => order.push('tick'))
    })
    setImmediate(() => {
      order.push('immediate')
      done.resolve()
    })
    await done.promise
    deepEqual(order, ['tick', 'micro', 'immediate'])
  },

  'from the callback of a file an immediate comes before any timer': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    fs.stat('/', () => {
      setTimeout(() => {
        order.push('timer')
        done.resolve()
      }, 0)
      setImmediate(() => order.push('immediate'))
      work(2)
    })
    await done.promise
    deepEqual(order, ['immediate', 'timer'])
  },

  'timers of one duration run in the order of their making': async () => {
    const order: number[] = []
    for (let i = 0; i < 5; i++) setTimeout(() => order.push(i), 5)
    await delay(1)
    for (let i = 5; i < 10; i++) setTimeout(() => order.push(i), 5)
    const last = Promise.withResolvers<void>()
    setTimeout(last.resolve, 5)
    await last.promise
    deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  },

  'a timer of 0 ms is one of 1 ms': async () => {
    const order: number[] = []
    const last = Promise.withResolvers<void>()
    for (const [index, ms] of [1, 0, -5, 1, 2 ** 31, Number.NaN].entries()) setTimeout(() => order.push(index), ms)
    setTimeout(last.resolve, 0)
    await last.promise
    deepEqual(order, [0, 1, 2, 3, 4, 5])
  },

  'a timer that is refreshed goes behind those of its duration': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    const refreshed = setTimeout(() => {
      order.push('refreshed')
      done.resolve()
    }, 3)
    setTimeout(() => order.push('other'), 3)
    refreshed.refresh()
    await done.promise
    deepEqual(order, ['other', 'refreshed'])
  },

  'a timer of 4 ms comes before one of 3 ms that is set a millisecond later': async () => {
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    const note = (what: string) => () => {
      order.push(what)
      if (order.length === 2) done.resolve()
    }
    setTimeout(note('4'), 4)
    work(1)
    setTimeout(note('3'), 3)
    await done.promise
    deepEqual(order, ['4', '3'])
  },

  'a timer is never early': async () => {
    for (const ms of [1, 2, 7, 13]) {
      const asked = now()
      await new Promise((resolve) => setTimeout(resolve, ms))
      // The loop's clock is in whole milliseconds.
      ok(now() - asked > ms - 1, `${ms}: ${now() - asked}`)
    }
  },

  'an interval does not overtake itself': async () => {
    const began = now()
    let fired = 0
    const done = Promise.withResolvers<void>()
    const interval = setInterval(() => {
      fired++
      ok(now() - began > 4 * fired - 1, `${fired}: ${now() - began}`)
      if (fired < 4) return
      clearInterval(interval)
      done.resolve()
    }, 4)
    await done.promise
  },

  'what is cleared does not run': async () => {
    const ran: string[] = []
    const done = Promise.withResolvers<void>()
    const timer = setTimeout(() => ran.push('timer'), 5)
    const interval = setInterval(() => ran.push('interval'), 5)
    const second = setImmediate(() => ran.push('second'))
    setImmediate(() => {
      clearImmediate(third)
      clearTimeout(timer)
      clearInterval(interval)
    })
    const third = setImmediate(() => ran.push('third'))
    clearImmediate(second)
    setTimeout(() => clearTimeout(behind), 7)
    const behind = setTimeout(() => ran.push('behind'), 7)
    setTimeout(done.resolve, 12)
    work(1)
    await done.promise
    // The loop may come to the timer of 5 ms before it comes to the immediate that clears it.
    deepEqual(
      ran.filter((each) => each !== 'timer' && each !== 'interval'),
      [],
    )
    await delay(1)
    const before = ran.length
    const late = setTimeout(() => ran.push('late'), 1)
    process.nextTick(() => clearTimeout(late))
    await delay(3)
    equal(ran.length, before)
  },

  'no callback comes during the call that asks for it': async (at) => {
    let calling = true
    let left = 0
    const done = Promise.withResolvers<void>()
    const later = () => {
      left++
      return () => {
        equal(calling, false)
        if (--left === 0) done.resolve()
      }
    }
    setTimeout(later(), 0)
    setImmediate(later())
    process.nextTick(later())
    queueMicrotask(later())
    fs.stat('/', later())
    fs.mkdir(at('made'), later())
    fs.open(at('missing'), later())
    fs.realpath('/', later())
    stat('/').then(later())
    gzip('text', later())
    pbkdf2('secret', 'salt', 1, 8, 'sha1', later())
    lookup('localhost', later())
    Readable.from(['x']).once('data', later())
    new PassThrough().end(later())
    calling = false
    await done.promise
  },

  'a callback comes after its effect': async (at) => {
    const done = Promise.withResolvers<void>()
    equal(fs.existsSync(at('made')), false)
    fs.mkdir(at('made'), (error) => {
      equal(error, null)
      equal(fs.existsSync(at('made')), true)
      done.resolve()
    })
    await done.promise
  },

  'what waited for an operation sees its effect': async (at) => {
    await writeFile(at('a'), 'one')
    await Promise.all([stat('/'), stat('/'), stat('/')])
    equal(await readFile(at('a'), 'utf8'), 'one')
    await unlink(at('a'))
    equal(await stat(at('a')).catch((error) => error.code), 'ENOENT')
  },

  'what is done at once is seen at once, by every thread': async (at) => {
    fs.mkdirSync(at('made'))
    equal(fs.existsSync(at('made')), true)
    equal((await stat(at('made'))).isDirectory(), true)
    const gone = stat(at('made/inside')).catch((error) => error.code)
    equal(await gone, 'ENOENT')
    fs.writeFileSync(at('made/inside'), 'text')
    equal(await readFile(at('made/inside'), 'utf8'), 'text')
  },

  'the pool has four threads, and starts in order': async () => {
    const order: number[] = []
    await Promise.all(Array.from({ length: 12 }, (_, i) => stat('/').then(() => order.push(i))))
    // When the n-th has come to its end, n others have, and four were started beyond those.
    for (const [nth, index] of order.entries()) ok(index < nth + 4, order.join(' '))
  },

  'of two that make a name exclusively one succeeds': async (at) => {
    const tries = [mkdir(at('lock')), mkdir(at('lock')), open(at('file'), 'wx'), open(at('file'), 'wx')]
    const outcomes = await Promise.allSettled(tries)
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value?.close()
    const statuses = outcomes.map(({ status }) => status)
    deepEqual(statuses.slice(0, 2).sort(), ['fulfilled', 'rejected'])
    deepEqual(statuses.slice(2).sort(), ['fulfilled', 'rejected'])
  },

  'two appends never mix': async (at) => {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(20_000))
    await Promise.all(texts.map((text) => appendFile(at('log'), text)))
    const runs = fs.readFileSync(at('log'), 'utf8').match(/(.)\1*/g)
    deepEqual(runs?.toSorted(), texts)
  },

  'a rename is seen at once and whole': async (at) => {
    fs.writeFileSync(at('file'), 'old')
    fs.writeFileSync(at('next'), 'n'.repeat(20_000))
    const reads = [1, 2].map(() => readFile(at('file'), 'utf8'))
    const [, ...texts] = await Promise.all([rename(at('next'), at('file')), ...reads])
    for (const text of texts) ok(text === 'old' || text.length === 20_000, `${text.length}`)
  },

  'a file that is read as a stream opens, gives data, ends and closes, and loses nothing': async (at) => {
    const text = Array.from({ length: 2000 }, (_, i) => `${i},`).join('')
    fs.writeFileSync(at('source'), text)
    const events: string[] = []
    const stream = fs.createReadStream(at('source'), { highWaterMark: 1000, encoding: 'utf8' })
    let got = ''
    stream.on('data', (chunk) => {
      got += chunk
      events.push('data')
    })
    for (const event of ['open', 'ready', 'end', 'close']) stream.on(event, () => events.push(event))
    await once(stream, 'close')
    equal(got, text)
    deepEqual([...new Set(events)], ['open', 'ready', 'data', 'end', 'close'])
    equal(events.lastIndexOf('data') < events.indexOf('end'), true)
  },

  'a file that is written as a stream finishes and closes, and holds the chunks in order': async (at) => {
    const chunks = Array.from({ length: 6 }, (_, i) => `${i}`.repeat(5000))
    const events: string[] = []
    const stream = fs.createWriteStream(at('sink'), { highWaterMark: 1000 })
    for (const event of ['open', 'finish', 'close']) stream.on(event, () => events.push(event))
    for (const [index, chunk] of chunks.entries()) stream.write(chunk, () => events.push(`${index}`))
    stream.end()
    await once(stream, 'close')
    equal(fs.readFileSync(at('sink'), 'utf8'), chunks.join(''))
    deepEqual(events, ['open', '0', '1', '2', '3', '4', '5', 'finish', 'close'])
  },

  'a stream through others loses and reorders nothing': async (at) => {
    const text = Array.from({ length: 2000 }, (_, i) => `${i},`).join('')
    fs.writeFileSync(at('source'), text)
    const source = fs.createReadStream(at('source'), { highWaterMark: 1000 })
    await pipeline(source, new PassThrough({ highWaterMark: 10 }), fs.createWriteStream(at('sink')))
    equal(fs.readFileSync(at('sink'), 'utf8'), text)
  },

  'a writable is given one chunk at a time, in order': async () => {
    let writing = 0
    const got: number[] = []
    const sink = new Writable({
      objectMode: true,
      highWaterMark: 3,
      write(chunk, _, done) {
        equal(++writing, 1)
        fs.stat('/', () => {
          writing--
          got.push(chunk)
          done()
        })
      },
    })
    await pipeline(Readable.from([1, 2, 3, 4, 5]), sink)
    deepEqual(got, [1, 2, 3, 4, 5])
  },

  'lines are read in order': async (at) => {
    const lines = Array.from({ length: 300 }, (_, i) => `line ${i}`)
    fs.writeFileSync(at('lines'), lines.join('\n'))
    const got: string[] = []
    const input = fs.createReadStream(at('lines'), { highWaterMark: 100 })
    for await (const line of createInterface({ input })) got.push(line)
    deepEqual(got, lines)
  },

  'operations that wait for each other keep their order': async (at) => {
    for (const word of ['a', 'b', 'c']) await appendFile(at('log'), word)
    const file = await open(at('log'), 'a+')
    for (const word of ['d', 'e']) await file.write(word)
    await file.close()
    equal(fs.readFileSync(at('log'), 'utf8'), 'abcde')
  },

  'messages of one port come in order, and its close behind them': async () => {
    const { port1, port2 } = new MessageChannel()
    const order: unknown[] = []
    port2.on('message', (value) => order.push(value))
    const closed = once(port2, 'close')
    for (const value of [1, 2, 3]) port1.postMessage(value)
    await stat('/')
    for (const value of [4, 5]) port1.postMessage(value)
    port1.close()
    await closed
    deepEqual(order, [1, 2, 3, 4, 5])
  },

  'from the callback of a message an immediate comes before any timer': async () => {
    const { port1, port2 } = new MessageChannel()
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    port2.once('message', () => {
      port1.close()
      setTimeout(() => {
        order.push('timer')
        done.resolve()
      }, 0)
      setImmediate(() => order.push('immediate'))
      work(2)
    })
    port1.postMessage('text')
    await done.promise
    deepEqual(order, ['immediate', 'timer'])
  },

  'asynchronous context goes where the call was made': async (at) => {
    const storage = new AsyncLocalStorage<string>()
    const calls: Readonly<Record<string, (done: () => void) => void>> = {
      ...SOURCES,
      tick: (done) => process.nextTick(done),
      microtask: (done) => queueMicrotask(done),
      promise: (done) => void stat('/').then(done),
      missing: (done) => fs.open(at('missing'), () => done()),
      gzip: (done) => gzip('text', () => done()),
      lookup: (done) => lookup('localhost', () => done()),
      stream: (done) => void fs.createReadStream(at('file')).on('data', done),
      interval: (done) => {
        const interval = setInterval(() => {
          clearInterval(interval)
          done()
        }, 1)
      },
    }
    fs.writeFileSync(at('file'), 'x')
    const seen = Object.entries(calls).map(
      ([name, call]) =>
        new Promise<void>((resolve, reject) => {
          storage.run(name, () =>
            call(() => {
              if (storage.getStore() === name) resolve()
              else reject(new Error(`${name} sees ${storage.getStore()}`))
            }),
          )
        }),
    )
    await Promise.all(seen)
    equal(storage.getStore(), undefined)
  },
  'what a process sends to itself over a Unix socket is there at the next poll': async (at) => {
    const seen: string[] = []
    const server = net.createServer((socket) => {
      seen.push('accepted')
      socket.on('data', (text) => seen.push(String(text))).on('end', () => seen.push('end'))
    })
    await once(server.listen(at('x.sock')), 'listening')
    await immediate()
    const client = net.connect(at('x.sock'), () => seen.push('connected'))
    // From one immediate to the next the loop polls once.
    await immediate()
    deepEqual(seen.splice(0).toSorted(), ['accepted', 'connected'])
    for (const text of ['one', 'two']) {
      client.write(text)
      await immediate()
      deepEqual(seen.splice(0), [text])
    }
    client.end()
    await immediate()
    deepEqual(seen, ['end'])
    server.close()
  },
}

/**
 * Promises about the end of a process: what is still to happen when the body settles. A broken one
 * throws from there.
 */
export const atTheEnd: Readonly<Record<string, Body>> = {
  "'beforeExit' comes when nothing is left, 'exit' once behind it, and nothing after that": async () => {
    const order: string[] = []
    setTimeout(() => order.push('timer'), 3)
    fs.stat('/', () => order.push('file'))
    process.once('beforeExit', () => {
      deepEqual(order.splice(0).toSorted(), ['file', 'timer'])
      order.push('beforeExit')
      setImmediate(() => order.push('immediate'))
      process.once('beforeExit', () => order.push('beforeExit again'))
    })
    process.on('exit', () => {
      deepEqual(order, ['beforeExit', 'immediate', 'beforeExit again'])
      order.push('exit')
      process.nextTick(() => order.push('never'))
      setTimeout(() => order.push('never'), 0)
    })
    // Whatever listens later sees what came of the first.
    process.on('exit', () => equal(order.at(-1), 'exit'))
  },
}
