/**
 * Small programs with several orders that Node allows. Each prints one line: the order that it saw.
 *
 * `possible` has every line that Node can produce, by its documentation and libuv's source; `why`
 * gives the reason. Another line of stock Node is an error in the list; another line of norn alone
 * is an error in norn. Imports nothing of norn, so that stock Node can run it.
 */
import { pbkdf2 } from 'node:crypto'
import { lookup } from 'node:dns'
import fs from 'node:fs'
import {
  appendFile,
  copyFile,
  mkdir,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { gzip } from 'node:zlib'

export interface OpenProgram {
  /** What leaves the order open. */
  readonly why: string
  readonly possible: readonly string[]
  /** Where the main script ends and the loop begins matters. */
  readonly fromMain?: boolean
  /** @param at a path in a folder of its own, empty at the start */
  run(at: (name: string) => string): Promise<string>
}

/** Notes what happens, in order. */
class Order {
  readonly seen: string[] = []
  note = (what: string) => () => void this.seen.push(what)
  toString(): string {
    return this.seen.join(' ')
  }
}

/** All ways to merge sequences that each keep their order. */
function merges(...sequences: readonly (readonly string[])[]): string[] {
  const left = sequences.filter((sequence) => sequence.length > 0)
  if (left.length === 0) return ['']
  return left.flatMap((sequence) => {
    const rest = left.map((other) => (other === sequence ? other.slice(1) : other))
    return merges(...rest).map((order) => `${sequence[0]} ${order}`.trim())
  })
}

/** More than Node writes in one operation, and less. */
const LARGE = 600_000
const MEDIUM = 100_000

export const programs: Readonly<Record<string, OpenProgram>> = {
  'two stats': {
    why: 'two threads of the pool',
    possible: ['a b', 'b a'],
    async run(at) {
      const order = new Order()
      await Promise.all(['a', 'b'].map((name) => stat(at('.')).then(order.note(name))))
      return `${order}`
    },
  },

  'five stats: which is last to be called back first': {
    why: 'four threads; the fifth starts when one of the four is done',
    possible: ['1', '2', '3', '4'],
    async run(at) {
      const order: number[] = []
      await Promise.all([0, 1, 2, 3, 4].map((i) => stat(at('.')).then(() => order.push(i))))
      return `${order.indexOf(4)}`
    },
  },

  'two chains of files': {
    why: 'nothing is promised between two operations',
    possible: merges(['a1', 'a2'], ['b1', 'b2']),
    async run(at) {
      const order = new Order()
      const chain = async (name: string) => {
        for (const step of [1, 2]) await stat(at('.')).then(order.note(name + step))
      }
      await Promise.all([chain('a'), chain('b')])
      return `${order}`
    },
  },

  'a timer and a file': {
    why: 'a file may take longer than a timer, a loop may be later than a file',
    possible: ['file timer', 'timer file'],
    async run(at) {
      const order = new Order()
      await Promise.all([delay(1).then(order.note('timer')), stat(at('.')).then(order.note('file'))])
      return `${order}`
    },
  },

  'a timer and a chain of files': {
    why: 'the timer may come between any two of them',
    possible: merges(['timer'], ['1', '2', '3']),
    async run(at) {
      const order = new Order()
      const chain = async () => {
        for (const step of ['1', '2', '3']) await readFile(at('file')).then(order.note(step))
      }
      fs.writeFileSync(at('file'), 'x')
      await Promise.all([delay(1).then(order.note('timer')), chain()])
      return `${order}`
    },
  },

  'an immediate and a timer from the main script': {
    why: 'the loop may begin before or after the timer is due',
    fromMain: true,
    possible: ['immediate timer', 'timer immediate'],
    async run() {
      const order = new Order()
      await Promise.all([
        new Promise<void>((resolve) => setTimeout(() => resolve(order.note('timer')()), 0)),
        new Promise<void>((resolve) => setImmediate(() => resolve(order.note('immediate')()))),
      ])
      return `${order}`
    },
  },

  'rounds of immediates and a timer': {
    why: 'a round may take as long as the timer',
    fromMain: true,
    possible: merges(['timer'], ['1', '2', '3']),
    async run() {
      const order = new Order()
      const rounds = async () => {
        for (const round of ['1', '2', '3']) await immediate().then(order.note(round))
      }
      await Promise.all([delay(1).then(order.note('timer')), rounds()])
      return `${order}`
    },
  },

  'rounds of immediates and a file': {
    why: 'a round may take as long as the file',
    possible: merges(['file'], ['1', '2', '3']),
    async run(at) {
      const order = new Order()
      await immediate()
      const rounds = async () => {
        for (const round of ['1', '2', '3']) await immediate().then(order.note(round))
      }
      await Promise.all([stat(at('.')).then(order.note('file')), rounds()])
      return `${order}`
    },
  },

  'an immediate from a timer and another timer': {
    why: 'a late loop finds both timers due at once',
    possible: ['immediate timer', 'timer immediate'],
    async run() {
      const order = new Order()
      const both = Promise.withResolvers<void>()
      const note = (what: string) => () => {
        order.note(what)()
        if (order.seen.length === 2) both.resolve()
      }
      setTimeout(() => setImmediate(note('immediate')), 1)
      setTimeout(note('timer'), 2)
      await both.promise
      return `${order}`
    },
  },

  'a longer timer before a shorter one': {
    why: 'a millisecond may begin, or pass, between the two calls',
    fromMain: true,
    possible: ['2 1', '1 2'],
    async run() {
      const order = new Order()
      await Promise.all([2, 1].map((ms) => delay(ms).then(order.note(`${ms}`))))
      return `${order}`
    },
  },

  'timers in chains and an interval': {
    why: 'each timer may be late, and counts from when it is set',
    // The interval is set first and due first, and counts from before its callback: so it comes
    // again between two timers.
    possible: ['i t i t i', 'i t i i t', 'i i t i t'],
    async run() {
      const order = new Order()
      const interval = new Promise<void>((resolve) => {
        let left = 3
        const timer = setInterval(() => {
          order.note('i')()
          if (--left > 0) return
          clearInterval(timer)
          resolve()
        }, 2)
      })
      const chain = async () => {
        await delay(3).then(order.note('t'))
        await delay(3).then(order.note('t'))
      }
      await Promise.all([interval, chain()])
      return `${order}`
    },
  },

  'a timeout signal and a file': {
    why: 'the signal is a timer',
    possible: ['read', 'aborted'],
    async run(at) {
      fs.writeFileSync(at('file'), 'x'.repeat(LARGE))
      const reading = readFile(at('file'), { signal: AbortSignal.timeout(1) })
      return reading.then(
        () => 'read',
        () => 'aborted',
      )
    },
  },

  'reading while a file is written': {
    why: 'readFile and writeFile are several system calls, and a write is not atomic',
    possible: ['old', 'empty', 'partial', 'new'],
    async run(at) {
      fs.writeFileSync(at('file'), 'old')
      const [, text] = await Promise.all([writeFile(at('file'), 'n'.repeat(LARGE)), readFile(at('file'), 'utf8')])
      return seen(text, LARGE)
    },
  },

  'reading while a small file is written': {
    why: 'readFile and writeFile are several system calls',
    possible: ['old', 'empty', 'new'],
    async run(at) {
      fs.writeFileSync(at('file'), 'old')
      const [, text] = await Promise.all([writeFile(at('file'), 'n'.repeat(3)), readFile(at('file'), 'utf8')])
      return seen(text, 3)
    },
  },

  'reading while one write fills many pages': {
    why: 'the kernel copies page by page',
    possible: ['old', 'empty', 'partial', 'new'],
    async run(at) {
      fs.writeFileSync(at('file'), 'old')
      const [, text] = await Promise.all([writeFile(at('file'), 'n'.repeat(MEDIUM)), readFile(at('file'), 'utf8')])
      return seen(text, MEDIUM)
    },
  },

  'reading while a file is copied': {
    why: 'a copy makes the file, then fills it',
    possible: ['missing', 'empty', 'partial', 'new'],
    async run(at) {
      fs.writeFileSync(at('from'), 'n'.repeat(MEDIUM))
      const [, text] = await Promise.all([
        copyFile(at('from'), at('to')),
        readFile(at('to'), 'utf8').catch(() => undefined),
      ])
      return text === undefined ? 'missing' : seen(text, MEDIUM)
    },
  },

  'the size of a file that is written': {
    why: 'a file is emptied, then filled',
    possible: ['old', 'empty', 'partial', 'new'],
    async run(at) {
      fs.writeFileSync(at('file'), 'old')
      const [, { size }] = await Promise.all([writeFile(at('file'), 'n'.repeat(MEDIUM)), stat(at('file'))])
      return seen(size === 3 ? 'old' : 'n'.repeat(size), MEDIUM)
    },
  },

  'a rename and a read': {
    why: 'the read opens one or the other; it never sees a part',
    possible: ['old', 'new'],
    async run(at) {
      fs.writeFileSync(at('file'), 'old')
      fs.writeFileSync(at('next'), 'n'.repeat(LARGE))
      const [, text] = await Promise.all([rename(at('next'), at('file')), readFile(at('file'), 'utf8')])
      return seen(text, LARGE)
    },
  },

  'two appends': {
    why: 'nothing is promised between two operations',
    possible: ['ab', 'ba'],
    async run(at) {
      await Promise.all(['a', 'b'].map((text) => appendFile(at('log'), text)))
      return fs.readFileSync(at('log'), 'utf8')
    },
  },

  'two removals of one file': {
    why: 'effects come in one order, callbacks in another',
    possible: ['a removed, b missed', 'a missed, b removed', 'b removed, a missed', 'b missed, a removed'],
    async run(at) {
      const order: string[] = []
      fs.writeFileSync(at('victim'), '')
      const remove = (name: string) =>
        unlink(at('victim')).then(
          () => order.push(`${name} removed`),
          () => order.push(`${name} missed`),
        )
      await Promise.all([remove('a'), remove('b')])
      return order.join(', ')
    },
  },

  'looking at once while a thread removes': {
    why: 'a thread of the pool runs beside the main script',
    possible: ['there there', 'there gone', 'gone gone'],
    async run(at) {
      fs.writeFileSync(at('victim'), '')
      const removing = unlink(at('victim'))
      const look = () => (fs.existsSync(at('victim')) ? 'there' : 'gone')
      const looks = [look(), look()]
      await removing
      return looks.join(' ')
    },
  },

  'a directory read while files come and go': {
    why: 'the entries are read at one moment of three operations',
    possible: ['none', 'old', 'new', 'new old'],
    async run(at) {
      fs.writeFileSync(at('old'), '')
      const names = async () => {
        const found: string[] = []
        for await (const { name } of await opendir(at('.'))) found.push(name)
        return found.sort().join(' ')
      }
      const [found] = await Promise.all([names(), unlink(at('old')), writeFile(at('new'), '')])
      return found === '' ? 'none' : found
    },
  },

  'a listing while two files are made': {
    why: 'nothing is promised between two operations',
    possible: ['none', 'a', 'b', 'a b'],
    async run(at) {
      const [found] = await Promise.all([readdir(at('.')), writeFile(at('a'), ''), writeFile(at('b'), '')])
      return found.length === 0 ? 'none' : found.join(' ')
    },
  },

  'directories made while their root is removed': {
    why: 'a recursive mkdir is several trips to the pool',
    possible: ['made, root stays', 'made, root removed'],
    async run(at) {
      fs.mkdirSync(at('root'))
      const [made, removed] = await Promise.all([
        mkdir(at('root/a/b'), { recursive: true }).then(
          () => 'made',
          (error) => error.code,
        ),
        fs.promises.rmdir(at('root')).then(
          () => 'root removed',
          () => 'root stays',
        ),
      ])
      return `${made}, ${removed}`
    },
  },

  'a directory removed while those below it are made': {
    why: 'a recursive mkdir makes each directory in a trip of its own',
    possible: ['missing', 'removed', 'not empty'],
    async run(at) {
      const making = mkdir(at('a/b'), { recursive: true })
      await stat(at('.'))
      await stat(at('.'))
      const removed = await fs.promises.rmdir(at('a')).then(
        () => 'removed',
        (error) => (error.code === 'ENOENT' ? 'missing' : 'not empty'),
      )
      await making
      return removed
    },
  },

  'a tree removed while a file is made in it': {
    why: 'a recursive removal is many operations',
    possible: ['made, gone', 'made, stays ENOTEMPTY', 'ENOENT, gone'],
    async run(at) {
      fs.mkdirSync(at('tree'))
      fs.writeFileSync(at('tree/a'), '')
      const [made, removed] = await Promise.all([
        writeFile(at('tree/b'), '').then(
          () => 'made',
          (error) => error.code,
        ),
        rm(at('tree'), { recursive: true }).then(
          () => 'gone',
          (error) => `stays ${error.code}`,
        ),
      ])
      return `${made}, ${removed}`
    },
  },

  'a stream and a timer': {
    why: 'each chunk is an operation of its own',
    possible: merges(['timer'], ['data', 'data', 'end']),
    async run(at) {
      fs.writeFileSync(at('file'), 'x'.repeat(20))
      const order = new Order()
      const reading = new Promise<void>((resolve) => {
        const stream = fs.createReadStream(at('file'), { highWaterMark: 10 })
        stream.on('data', order.note('data'))
        stream.on('end', () => resolve(order.note('end')()))
      })
      await Promise.all([delay(1).then(order.note('timer')), reading])
      return `${order}`
    },
  },

  'two streams into one file': {
    why: 'each chunk is an operation of its own',
    possible: merges(['a', 'a'], ['b', 'b']).map((order) => order.replaceAll(' ', '')),
    async run(at) {
      const write = (text: string) =>
        new Promise<void>((resolve) => {
          const stream = fs.createWriteStream(at('log'), { flags: 'a', highWaterMark: 1 })
          stream.on('close', () => resolve())
          stream.write(text, () => stream.end(text))
        })
      await Promise.all([write('a'), write('b')])
      return fs.readFileSync(at('log'), 'utf8')
    },
  },

  'a message and a timer': {
    why: 'a message comes with the next poll, a timer when it is due',
    possible: ['message timer', 'timer message'],
    fromMain: true,
    async run() {
      const order = new Order()
      await Promise.all([message().then(order.note('message')), delay(1).then(order.note('timer'))])
      return `${order}`
    },
  },

  'a message and a file': {
    why: 'both come with a poll, the file when its thread is done',
    possible: ['message file', 'file message'],
    async run(at) {
      const order = new Order()
      await Promise.all([stat(at('.')).then(order.note('file')), message().then(order.note('message'))])
      return `${order}`
    },
  },

  'a key and a file': {
    why: 'two threads of the pool',
    possible: ['file key', 'key file'],
    async run(at) {
      const order = new Order()
      const derived = new Promise<void>((resolve) => {
        pbkdf2('secret', 'salt', 1, 8, 'sha1', () => resolve(order.note('key')()))
      })
      await Promise.all([derived, stat(at('.')).then(order.note('file'))])
      return `${order}`
    },
  },

  'compression and a timer': {
    why: 'a thread of the pool may take longer than a timer',
    possible: ['zlib timer', 'timer zlib'],
    async run() {
      const order = new Order()
      const pressed = new Promise<void>((resolve) => {
        gzip('text'.repeat(50_000), () => resolve(order.note('zlib')()))
      })
      await Promise.all([pressed, delay(1).then(order.note('timer'))])
      return `${order}`
    },
  },

  'a name and a file': {
    why: 'two threads of the pool',
    possible: ['file name', 'name file'],
    async run(at) {
      const order = new Order()
      const found = new Promise<void>((resolve) => lookup('localhost', () => resolve(order.note('name')())))
      await Promise.all([found, stat(at('.')).then(order.note('file'))])
      return `${order}`
    },
  },
}

/** A message from one port to another; both are closed when it has come. */
async function message(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<void>()
  port2.once('message', () => {
    port1.close()
    resolve()
  })
  port1.postMessage('text')
  await promise
}

/** What a reader saw of a file that held `old` and is given `size` bytes of new content. */
function seen(text: string, size: number): string {
  if (text === 'old') return 'old'
  if (text === '') return 'empty'
  return text.length < size ? 'partial' : 'new'
}
