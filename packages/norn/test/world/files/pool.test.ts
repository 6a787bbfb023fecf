/** The pool: what is fixed at the call, what at the effect, and how the callback comes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import type { PoolOperation } from '../../../src/world/files/binding.ts'
import { settle, world } from './world.ts'

const FILE = '/nowhere-real.txt'

/** A pool whose operations wait until the test lets them go. */
function byHand() {
  const waiting: PoolOperation[] = []
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const take = (kind: string) => {
    const index = waiting.findIndex((operation) => operation.kind === kind)
    if (index < 0) throw new Error(`no ${kind} among ${waiting.map(({ kind }) => kind)}`)
    return waiting.splice(index, 1)[0]!
  }
  return {
    conduct: (operation: PoolOperation) => void waiting.push(operation),
    waiting,
    turn,
    take,
    async settle(...kinds: string[]) {
      for (const kind of kinds) {
        settle(take(kind))
        await turn()
      }
    },
  }
}

test('a reader can come between the truncation and the write of a writer', async () => {
  const pool = byHand()
  await world().run(async () => {
    fs.writeFileSync(FILE, 'old')
    const write = fs.promises.writeFile(FILE, 'new')
    await pool.settle('open')
    expect(fs.readFileSync(FILE, 'utf8')).toBe('')
    await pool.settle('write')
    expect(fs.readFileSync(FILE, 'utf8')).toBe('new')
    await pool.settle('close')
    await write
  }, pool.conduct)
})

test('a read of a whole file sees what is there step by step', async () => {
  const pool = byHand()
  await world().run(async () => {
    fs.writeFileSync(FILE, 'four')
    const read = fs.promises.readFile(FILE, 'utf8')
    const called = new Promise((resolve) => fs.readFile(FILE, 'utf8', (_error, text) => resolve(text)))
    await pool.settle('open', 'open', 'fstat', 'fstat')
    fs.writeFileSync(FILE, 'longer than four')
    await pool.settle('read', 'read', 'close', 'close')
    expect(await read).toBe('long')
    expect(await called).toBe('long')
  }, pool.conduct)
})

test('the bytes of a buffer are looked at when the write takes effect, a string at the call', async () => {
  const pool = byHand()
  await world().run(async () => {
    const fd = fs.openSync(FILE, 'w+')
    const buffer = Buffer.from('before')
    fs.write(fd, buffer, () => {})
    buffer.write('after!')
    await pool.settle('write')
    const list = [Buffer.from(' list')]
    fs.writev(fd, list, () => {})
    list[0] = Buffer.from('other')
    await pool.settle('write')
    expect(fs.readFileSync(FILE, 'utf8')).toBe('after! list')
  }, pool.conduct)
})

test('arguments are validated at the call, and nothing is submitted', async () => {
  const pool = byHand()
  await world().run(() => {
    expect(() => fs.readFile(1.5 as never, () => {})).toThrow(/path/)
    expect(() => fs.open(FILE, 'what', () => {})).toThrow(/flags/)
    expect(pool.waiting).toEqual([])
  }, pool.conduct)
})

test('callbacks get as many arguments as from Node', async () => {
  const counted = (start: (callback: (...args: unknown[]) => void) => void) =>
    new Promise<number>((resolve) => start((...args) => resolve(args.length)))
  const program = async () => [
    await counted((callback) => fs.mkdir('/tmp', callback)),
    await counted((callback) => fs.mkdir('/tmp', { recursive: true }, callback)),
    await counted((callback) => fs.access('/tmp', callback)),
    await counted((callback) => fs.readdir('/', callback)),
    await counted((callback) => fs.stat('/tmp', callback)),
    await counted((callback) => fs.unlink('/nowhere-real', callback)),
    await counted((callback) => fs.readlink('/tmp', callback)),
  ]
  expect(await world().run(program)).toEqual(await program())
})

test('asynchronous context flows from the call to the callback', async () => {
  const context = new AsyncLocalStorage<string>()
  await world().run(async () => {
    const seen = await context.run('callback', () => {
      return new Promise((resolve) => fs.stat('/', () => resolve(context.getStore())))
    })
    expect(seen).toBe('callback')
    await context.run('promise', async () => {
      await fs.promises.stat('/')
      expect(context.getStore()).toBe('promise')
    })
    expect(context.getStore()).toBeUndefined()
  })
})

test('a synchronous error has the stack of the program and none of norn', async () => {
  await world().run(async () => {
    const error = caught(() => fs.openSync('/nowhere-real', 'r'))
    expect(error.stack).toMatch(/^Error: ENOENT: no such file or directory, open '\/nowhere-real'\n {4}at .*openSync/)
    expect(error.stack).not.toContain('src/world')
    const later = await new Promise<Error>((resolve) => fs.stat('/nowhere-real', (error) => resolve(error!)))
    expect(later.stack).toBe("Error: ENOENT: no such file or directory, stat '/nowhere-real'")
    expect(Object.keys(error)).toEqual(['errno', 'code', 'syscall', 'path'])
  })
})

test('a handle of an earlier execution closes nothing of this one', async () => {
  const kept = await world().run(() => fs.promises.open('/nowhere-real-2', 'w'))
  await world().run(async () => {
    const fd = fs.openSync('/nowhere-real-3', 'w')
    expect(fd).toBe(kept.fd)
    await kept.close()
    fs.writeSync(fd, 'still open')
  })
})

function caught(step: () => unknown): Error {
  try {
    step()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
