/** Large transfers in two parts: what is seen in between, and that nothing else is different. */
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PoolOperation } from '../../../src/world/files/binding.ts'
import { settle, world } from './world.ts'

const FILE = '/nowhere-divided.txt'
const COPY = '/nowhere-copy.txt'
const PAGE = 4096

/** Runs a program whose operations wait in a list; those that it asks for one by one. */
async function byHand(program: (take: () => PoolOperation) => void): Promise<void> {
  const waiting: PoolOperation[] = []
  await world().run(
    () => program(() => waiting.shift()!),
    (operation) => void waiting.push(operation),
  )
}

/** The file as runs of one letter: `a4096 b10`. */
function contents(path = FILE): string {
  const runs = fs.readFileSync(path, 'latin1').match(/(.)\1*/gs) ?? []
  return runs.map((run) => run.charAt(0) + run.length).join(' ')
}

const letters = (letter: string, count: number) => Buffer.alloc(count, letter)

describe('a write of many pages', () => {
  test('is seen page by page', () =>
    byHand((take) => {
      fs.writeFileSync(FILE, letters('o', 3 * PAGE))
      fs.write(fs.openSync(FILE, 'r+'), letters('n', 2 * PAGE + 1), 0, null, null, () => {})
      const write = take()
      expect(write.divided!.places).toBe(2)
      write.divided!.begin(0)
      expect(contents()).toBe(`n${PAGE} o${2 * PAGE}`)
      expect(write.effect()).toBe(2 * PAGE + 1)
      expect(contents()).toBe(`n${2 * PAGE + 1} o${PAGE - 1}`)
    }))

  test('never mixes with another write, which ends it first', () =>
    byHand((take) => {
      const fd = fs.openSync(FILE, 'a')
      fs.write(fd, letters('a', 2 * PAGE), () => {})
      fs.write(fd, letters('b', 2 * PAGE), () => {})
      const [first, second] = [take(), take()]
      first.divided!.begin(0)
      second.divided!.begin(0)
      expect(contents()).toBe(`a${2 * PAGE} b${PAGE}`)
      expect(first.effect()).toBe(2 * PAGE)
      expect(second.effect()).toBe(2 * PAGE)
      expect(contents()).toBe(`a${2 * PAGE} b${2 * PAGE}`)
    }))

  test('is ended by a truncation', () =>
    byHand((take) => {
      fs.write(fs.openSync(FILE, 'w'), letters('a', 2 * PAGE), () => {})
      const write = take()
      write.divided!.begin(0)
      fs.truncateSync(FILE, 5)
      expect(write.effect()).toBe(2 * PAGE)
      expect(contents()).toBe('a5')
    }))

  test('leaves the position behind its end, and fails where it would fail at once', () =>
    byHand((take) => {
      const fd = fs.openSync(FILE, 'w+')
      fs.write(fd, letters('a', 2 * PAGE), () => {})
      const write = take()
      write.divided!.begin(0)
      write.effect()
      fs.writeSync(fd, 'end')
      expect(contents()).toBe(`a${2 * PAGE} e1 n1 d1`)
      fs.write(fs.openSync(FILE, 'r'), letters('a', 2 * PAGE), () => {})
      const refused = take()
      expect(() => refused.divided!.begin(0)).toThrow('EBADF')
    }))
})

describe('a read of many pages', () => {
  test('may see the file before a write and after it', () =>
    byHand((take) => {
      fs.writeFileSync(FILE, letters('o', 2 * PAGE))
      const buffer = Buffer.alloc(2 * PAGE)
      fs.read(fs.openSync(FILE, 'r'), buffer, 0, buffer.length, null, () => {})
      const read = take()
      read.divided!.begin(0)
      fs.writeFileSync(FILE, letters('n', 2 * PAGE))
      expect(read.effect()).toBe(2 * PAGE)
      expect([buffer.indexOf('n'), buffer.lastIndexOf('o')]).toEqual([PAGE, PAGE - 1])
    }))

  test('ends where the file ends by then', () =>
    byHand((take) => {
      fs.writeFileSync(FILE, letters('o', 2 * PAGE))
      fs.read(fs.openSync(FILE, 'r'), Buffer.alloc(2 * PAGE), 0, 2 * PAGE, null, () => {})
      const read = take()
      read.divided!.begin(0)
      fs.truncateSync(FILE, PAGE + 7)
      expect(read.effect()).toBe(PAGE + 7)
    }))
})

test('a copy makes the file, then fills it', () =>
  byHand((take) => {
    fs.writeFileSync(FILE, letters('o', 2 * PAGE))
    fs.copyFile(FILE, COPY, () => {})
    const copy = take()
    copy.divided!.begin(0)
    expect(contents(COPY)).toBe('')
    copy.effect()
    expect(contents(COPY)).toBe(`o${2 * PAGE}`)
  }))

test.each([
  ['a write', () => fs.write(fs.openSync(FILE, 'w'), letters('a', PAGE), () => {})],
  ['a read', () => fs.read(fs.openSync(FILE, 'r'), Buffer.alloc(9 * PAGE), 0, 9 * PAGE, null, () => {})],
  ['what else there is', () => fs.stat(FILE, () => {})],
])('%s of a page or less is done at once', (_, start) =>
  byHand((take) => {
    fs.writeFileSync(FILE, letters('o', PAGE))
    start()
    const operation = take()
    expect(operation.divided).toBe(undefined)
    settle(operation)
  }),
)
