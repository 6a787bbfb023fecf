/** The queue of events, whose times the tree's own tests leave at zero. */
import { expect, test } from 'vitest'
import type { Inode } from '../../../src/world/files/inode.ts'
import { IN, Inotify } from '../../../src/world/files/inotify.ts'
import { Causality } from '../../../src/world/loop/causality.ts'

const ALL = Number.POSITIVE_INFINITY

/** Two watched directories, whose events are readable after `delayUs`. */
function watched() {
  const causality = new Causality()
  const state = { delayUs: 0 }
  const inotify = new Inotify(() => ({ step: causality.child(), ...state, readyUs: state.delayUs }))
  const [one, two] = ['/one', '/two'].map((path) => {
    const inode = { isDirectory: true } as unknown as Inode
    inotify.add(inode, path)
    return inode
  }) as [Inode, Inode]
  const file = { isDirectory: false } as unknown as Inode
  const create = (directory: Inode, name: string, delayUs = 0) => {
    state.delayUs = delayUs
    inotify.created(directory, name, file)
  }
  const read = (nowUs: number, bytes = ALL) => inotify.read(nowUs, bytes).map(({ path }) => path)
  return { inotify, one, two, create, read }
}

test('an event of a slow thread comes behind later ones, and is read in its time', () => {
  const { inotify, one, two, create, read } = watched()
  create(one, 'slow', 30)
  create(two, 'fast', 10)
  create(one, 'also fast', 10)
  expect([inotify.readyUs(), read(9)]).toEqual([10, []])
  expect(read(29)).toEqual(['/two/fast', '/one/also fast'])
  expect([inotify.readyUs(), read(30), inotify.readyUs()]).toEqual([30, ['/one/slow'], ALL])
})

test('an event equal to the last unread one is dropped; to an earlier or a read one it is not', () => {
  const { one, create, read } = watched()
  for (const name of ['a', 'a', 'b', 'a']) create(one, name)
  expect(read(0)).toEqual(['/one/a', '/one/b', '/one/a'])
  create(one, 'a')
  expect(read(0)).toEqual(['/one/a'])
})

test('a read takes as many events as fit its buffer', () => {
  const { one, create, read } = watched()
  for (const name of ['a', 'x'.repeat(16), 'c']) create(one, name)
  expect(read(0, 32 + 47)).toEqual(['/one/a'])
  expect(read(0, 48 + 32)).toEqual([`/one/${'x'.repeat(16)}`, '/one/c'])
})

test('a directory that is watched no more gives only the end of its watch', () => {
  const { inotify, one, create } = watched()
  const watch = inotify.add(one, '/one')
  inotify.remove(watch)
  create(one, 'late')
  expect(inotify.read(0, ALL).map(({ mask, name }) => [mask, name])).toEqual([[IN.IGNORED, undefined]])
})
