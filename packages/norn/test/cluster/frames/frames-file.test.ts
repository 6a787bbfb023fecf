import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseFramesFile, readFramesFolder } from '../../../src/cluster/frames/frames-file.ts'
import { frames } from '../../../src/cluster/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-frames-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = { name: 'one', frames: [{ where: { messages: 1 } }] }
const parse = (value: unknown) => parseFramesFile('x.json', typeof value === 'string' ? value : JSON.stringify(value))

test('a file has a name, and frames that may have one', () => {
  expect(parse(one)).toEqual({ name: 'one', frames: [{ name: 'frame 1', where: { messages: 1 } }] })
  expect(parse({ ...one, cluster: 'c', about: 'why' }).cluster).toBe('c')
})

test('what docs/clusters.md shows is a file of key frames', () => {
  const shown = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/clusters.md', 'utf8'))![1]!
  expect(parse(shown).frames.map(({ name }) => name)).toEqual(['one leads', 'two lead', 'b is down'])
})

test('the files of a folder come in the order of their names', () => {
  const all = readFramesFolder(resolve(import.meta.dirname, '../../../../../examples/leader-election/frames'))
  expect(all.map(({ name }) => name)).toEqual([
    'a deposed leader that does not know it',
    'a voter that crashed',
    'split votes',
  ])
})

test.each<[unknown, RegExp]>([
  ['{', /^x\.json: this is not JSON/],
  [[], /^x\.json: the file is to be an object/],
  [{ frames: [] }, /"name" is to be a text/],
  [{ name: 'one', frames: [] }, /"frames" is to be a list of 1 to 64 frames/],
  [{ ...one, cluster: 1 }, /"cluster" is to be the name of a cluster/],
  [{ ...one, steps: [] }, /the file has "steps"; it may have "name", "about", "cluster", "frames"/],
  [{ name: 'one', frames: [{ when: {} }] }, /frames\[0\] has "when"; it may have/],
  [{ name: 'one', frames: [{ where: { some: {} } }] }, /^x\.json: frames\[0\]\.where\.some is empty/],
])('%j is refused', (value, why) => {
  expect(() => parse(value)).toThrow(why)
})

test('a folder that is none, holds nothing or two of a name is refused', () => {
  expect(() => readFramesFolder(join(folder, 'none'))).toThrow(/there is no such folder/)
  expect(() => readFramesFolder(folder)).toThrow(/it holds no files of key frames/)
  writeFileSync(join(folder, 'a.json'), JSON.stringify(one))
  writeFileSync(join(folder, 'b.json'), JSON.stringify(one))
  expect(() => readFramesFolder(folder)).toThrow(/two of its files are called "one"/)
  expect(() => readFramesFolder(join(folder, 'a.json'))).toThrow(/it is no folder/)
})

test('predicates in TypeScript are named by an object, or by their place', () => {
  const yes = () => true
  expect(frames('f', [yes, yes]).frames.map(({ name }) => name)).toEqual(['frame 1', 'frame 2'])
  expect(frames('f', { begun: yes, done: yes }).frames.map(({ name }) => name)).toEqual(['begun', 'done'])
  expect(() => frames('f', [])).toThrow(/there must be 1 to 64 of them/)
  expect(() => frames('', [yes])).toThrow(/the name must be a text/)
  expect(() => frames('f', { begun: true as never })).toThrow(/'begun' is no function/)
})
