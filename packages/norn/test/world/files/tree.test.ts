/** The core alone, over a base that is a few lines: no Node, no disk. */
import { expect, test } from 'vitest'
import type { Base, BaseStat } from '../../../src/world/files/base.ts'
import { Descriptors } from '../../../src/world/files/descriptors.ts'
import { Failure, uvError } from '../../../src/world/files/failure.ts'
import { mkdir, readdir, realpath, rename, symlink, unlink } from '../../../src/world/files/names.ts'
import { Tree, type TreeHost } from '../../../src/world/files/tree.ts'
import { find } from '../../../src/world/files/walk.ts'
import { Causality } from '../../../src/world/loop/causality.ts'

const FILES: Record<string, string | null> = { '/': null, '/home': null, '/home/a': 'first', '/home/b': 'second' }

function baseOf(files: Record<string, string | null>): Base & { looked: string[] } {
  const looked: string[] = []
  const stat = (path: string): BaseStat => ({
    mode: files[path] === null ? 0o040755 : 0o100644,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size: files[path]?.length ?? 4096,
    device: 1,
    inode: 1,
    atimeMs: 1,
    mtimeMs: 1,
    ctimeMs: 1,
    birthtimeMs: 1,
  })
  return {
    looked,
    lstat(path) {
      looked.push(path)
      return path in files ? stat(path) : undefined
    },
    readdir: (path) => {
      const prefix = path === '/' ? '/' : `${path}/`
      const below = Object.keys(files).filter((file) => file.startsWith(prefix) && file !== path)
      return below.map((file) => file.slice(prefix.length)).filter((name) => name !== '' && !name.includes('/'))
    },
    readlink: () => '',
    readFile: (path) => Buffer.from(files[path] ?? ''),
  }
}

function makeTree(base: Base, host: Partial<TreeHost> = {}): Tree {
  return new Tree(base, {
    now: () => 5,
    msOf: (time) => time,
    cwd: () => '/home',
    umask: () => 0o022,
    uid: 0,
    gid: 0,
    output: () => {},
    random6: () => 'random',
    announceChange: () => ({ step: new Causality().child(), delayUs: 0, readyUs: 0 }),
    refuse: (what) => {
      throw new Error(what)
    },
    ...host,
  })
}

const names = (tree: Tree, path: string) => readdir(tree, path).map(({ name }) => name)
const code = (step: () => unknown) => {
  try {
    step()
    return undefined
  } catch (error) {
    return error instanceof Failure ? error.code : error
  }
}

test('the base is looked at once for all executions', () => {
  const base = baseOf(FILES)
  const tree = makeTree(base)
  for (let execution = 0; execution < 3; execution++) {
    expect(names(tree, '/home')).toEqual(['a', 'b'])
    expect(code(() => find(tree, '/home/missing'))).toBe('ENOENT')
    tree.reset()
  }
  expect(base.looked).toEqual(['/', '/home', '/home/a', '/home/b'])
})

test('a removed file of the base stays removed, until a reset', () => {
  const tree = makeTree(baseOf(FILES))
  unlink(tree, 'a')
  rename(tree, 'b', 'c')
  expect(names(tree, '/home')).toEqual(['c'])
  mkdir(tree, 'a', 0o777)
  expect(find(tree, '/home/a').mode).toBe(0o040755)
  tree.reset()
  expect(names(tree, '/home')).toEqual(['a', 'b'])
})

test('a directory of the base moves with what is in it', () => {
  const tree = makeTree(baseOf(FILES))
  rename(tree, '/home', '/moved')
  expect(names(tree, '/')).toEqual(['moved'])
  expect(realpath(tree, '/moved/a')).toBe('/moved/a')
  expect(code(() => find(tree, 'a'))).toBe('ENOENT')
})

test('more than forty links are a circle', () => {
  const tree = makeTree(baseOf(FILES))
  for (let at = 0; at < 41; at++) symlink(tree, at === 0 ? 'a' : `l${at - 1}`, `l${at}`)
  expect(realpath(tree, 'l39')).toBe('/home/a')
  expect(code(() => find(tree, 'l40'))).toBe('ELOOP')
})

test('a write past the bound of a file fails as on a full disk and changes nothing', () => {
  const tree = makeTree(baseOf(FILES))
  const descriptors = new Descriptors(tree, () => {})
  const fd = descriptors.open('a', 2, 0, '/home/a')
  expect(code(() => descriptors.write(fd, Buffer.from('x'), 2 ** 40))).toBe('ENOSPC')
  descriptors.truncate(fd, 2 ** 40)
  expect(find(tree, 'a').size).toBe(2 ** 40)
  const end = Buffer.alloc(4, 1)
  expect(descriptors.read(fd, end, 2 ** 40 - 2)).toBe(2)
  expect([...end]).toEqual([0, 0, 1, 1])
})

test('an error has the text and the numbers of libuv', () => {
  const error = uvError('ENOTEMPTY', 'rename', '/a', '/b')
  expect(error.message).toBe("ENOTEMPTY: directory not empty, rename '/a' -> '/b'")
  expect(Object.entries(error)).toEqual([
    ['errno', -39],
    ['code', 'ENOTEMPTY'],
    ['syscall', 'rename'],
    ['path', '/a'],
    ['dest', '/b'],
  ])
})
