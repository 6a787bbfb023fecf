/** What is recorded of the contents of files: changes alone, bounded, each with the event before it. */
import { expect, it } from 'vitest'
import type { ProgramFiles } from '../../../src/loader/program-files.ts'
import { FileContents } from '../../../src/world/files/file-contents.ts'

function filesOf(held: Record<string, string | Uint8Array>) {
  let reads = 0
  const files = {
    changes: () => Object.keys(held).length,
    changedPaths: () => Object.keys(held),
    kind: (path: string) => (held[path] === '' ? 'nothing' : 'file'),
    read: (path: string) => {
      reads++
      return Buffer.from(held[path]!)
    },
  } as unknown as ProgramFiles
  return { contents: new FileContents(files, (path) => path.replace('/p/', '')), reads: () => reads }
}

it('each change has the event that was the last one before it', () => {
  const held: Record<string, string> = {}
  const { contents } = filesOf(held)
  held['/p/early'] = 'by a module that loads'
  contents.take(-1)
  held['/p/a'] = 'one'
  contents.take(3)
  contents.take(4)
  Object.assign(held, { '/p/a': 'two', '/p/early': 'changed' })
  contents.take(5)
  held['/p/a'] = ''
  contents.take(8)
  expect(contents.changes).toEqual([
    { at: 3, path: 'a', text: 'one' },
    { at: 5, path: 'early', text: 'changed' },
    { at: 5, path: 'a', text: 'two' },
    { at: 8, path: 'a' },
  ])
})

it('is cut, and of what is no text only the size is kept', () => {
  const { contents } = filesOf({ long: 'x'.repeat(9000), binary: new Uint8Array([0, 1, 2]) })
  contents.take(0)
  const [long, binary] = contents.changes.map(({ text }) => text!)
  expect([long!.length < 1600, long!.endsWith('(9000 bytes)'), binary]).toEqual([true, true, '(3 bytes)'])
})

it('nothing is read while nothing has changed, and of many files the first ones', () => {
  const none = filesOf({})
  none.contents.take(0)
  expect(none.reads()).toBe(0)
  const many = filesOf(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'])))
  many.contents.take(0)
  expect(many.reads()).toBe(32)
})
