import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseFramesFile, readFramesFolder } from '../../../src/cluster/frames/key-frames.ts'
import { frames } from '../../../src/cluster.ts'

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
  ['{', /^x\.json: not valid JSON/],
  [[], /^x\.json: the file must be an object/],
  [{ frames: [] }, /"name" must be a non-empty string/],
  [{ name: 'one', frames: [] }, /"frames" must be an array of 1 to 64 frames/],
  [{ ...one, cluster: 1 }, /"cluster" must be the name of a cluster/],
  [{ ...one, steps: [] }, /the file has an unknown key "steps": use "name", "about", "cluster", "frames"/],
  [{ name: 'one', frames: [{ when: {} }] }, /frames\[0\] has an unknown key "when": use/],
  [{ name: 'one', frames: [{ where: { some: {} } }] }, /^x\.json: frames\[0\]\.where\.some is empty/],
])('%j is refused', (value, why) => {
  expect(() => parse(value)).toThrow(why)
})

test('a missing or empty folder is refused, and two files of one name', () => {
  expect(() => readFramesFolder(join(folder, 'none'))).toThrow(/no such folder/)
  expect(() => readFramesFolder(folder)).toThrow(/contains no files of key frames/)
  writeFileSync(join(folder, 'a.json'), JSON.stringify(one))
  writeFileSync(join(folder, 'b.json'), JSON.stringify(one))
  expect(() => readFramesFolder(folder)).toThrow(/two files have the "name" "one"/)
  expect(() => readFramesFolder(join(folder, 'a.json'))).toThrow(/not a folder/)
})

test('predicates in TypeScript are named by an object, or by their place', () => {
  const yes = () => true
  expect(frames('f', [yes, yes]).frames.map(({ name }) => name)).toEqual(['frame 1', 'frame 2'])
  expect(frames('f', { begun: yes, done: yes }).frames.map(({ name }) => name)).toEqual(['begun', 'done'])
  expect(() => frames('f', [])).toThrow(/predicates must number 1 to 64/)
  expect(() => frames('', [yes])).toThrow(/name must be a non-empty string/)
  expect(() => frames('f', { begun: true as never })).toThrow(/'begun' is not a function/)
})
