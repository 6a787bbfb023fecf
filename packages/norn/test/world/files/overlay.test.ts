/**
 * What the overlay promises: the disk stays as it is, every execution starts the same, descriptors
 * are used again.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { treeOf } from './programs.ts'
import { world } from './world.ts'

let root = ''
const at = (...parts: string[]) => path.join(root, ...parts)

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-files-'))
  fs.mkdirSync(at('real'))
  fs.writeFileSync(at('real', 'file'), 'from the disk')
  fs.symlinkSync('file', at('real', 'link'))
  fs.linkSync(at('real', 'file'), at('second'))
})

afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

test('no change reaches the disk', async () => {
  const before = treeOf(root)
  await world().run(async () => {
    fs.writeFileSync(at('real', 'link'), 'changed')
    fs.appendFileSync(at('real', 'file'), ' again')
    expect(fs.readFileSync(at('real', 'file'), 'utf8')).toBe('changed again')
    fs.renameSync(at('real'), at('moved'))
    fs.chmodSync(at('moved'), 0o700)
    fs.mkdirSync(at('a', 'b'), { recursive: true })
    await fs.promises.rm(at('moved'), { recursive: true })
    expect(fs.readdirSync(root)).toEqual(['a', 'second'])
  })
  expect(treeOf(root)).toEqual(before)
})

test('every execution starts from the files of the disk', async () => {
  for (let execution = 0; execution < 3; execution++) {
    await world().run(() => {
      expect(fs.readdirSync(root)).toEqual(['real', 'second'])
      expect(fs.readFileSync(at('real', 'link'), 'utf8')).toBe('from the disk')
      fs.rmSync(root, { recursive: true })
      fs.writeFileSync(root, 'now a file')
    })
  }
})

test('two real names of one file stay one file', async () => {
  await world().run(() => {
    fs.writeFileSync(at('second'), 'through the second name')
    expect(fs.readFileSync(at('real', 'file'), 'utf8')).toBe('through the second name')
    expect(fs.statSync(at('second')).ino).toBe(fs.statSync(at('real', 'file')).ino)
  })
})

test('a descriptor is the lowest free number from 20, and closed by a reset', async () => {
  await world().run(() => {
    const open = () => fs.openSync(at('real', 'file'), 'r')
    expect([open(), open(), open()]).toEqual([20, 21, 22])
    fs.closeSync(21)
    fs.closeSync(20)
    expect([open(), open(), open()]).toEqual([20, 21, 23])
    expect(world().files.openDescriptors()).toHaveLength(4)
    expect(world().files.openDescriptors()[0]).toMatchObject({ fd: 20, path: at('real', 'file') })
  })
  await world().run(() => expect(world().files.openDescriptors()).toEqual([]))
})

test('inode numbers are given in the order of asking', async () => {
  const ask = () => {
    fs.writeFileSync(at('made'), '')
    return [fs.statSync(at('made')).ino, fs.statSync(root).ino, fs.statSync(at('made')).ino]
  }
  expect(await world().run(ask)).toEqual([1000, 1001, 1000])
  expect(await world().run(ask)).toEqual([1000, 1001, 1000])
})

test('the standard streams are the host’s', async () => {
  await world().run(async () => {
    fs.writeSync(1, 'out')
    fs.writeFileSync('/dev/stderr', 'err')
    await fs.promises.writeFile('/dev/stdout', 'more')
    fs.writeFileSync('/dev/null', 'nothing')
    expect(fs.readFileSync('/dev/null', 'utf8')).toBe('')
    expect(fs.readFileSync(0, 'utf8')).toBe('')
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true)
  })
  expect(world().printed).toEqual([
    { fd: 1, text: 'out' },
    { fd: 2, text: 'err' },
    { fd: 1, text: 'more' },
  ])
})

test('what was listed or read once is remembered, and what is changed is a copy', async () => {
  const read = () => fs.readFileSync(at('real', 'file'))
  await world().run(() => void read().fill(0, 0))
  await world().run(() => {
    const fd = fs.openSync(at('real', 'file'), 'r+')
    fs.writeSync(fd, 'FROM')
    fs.ftruncateSync(fd, 6)
    fs.closeSync(fd)
    expect(read().toString()).toBe('FROM t')
  })
  await world().run(() => expect(read().toString()).toBe('from the disk'))
})

test('the size of the file system is the same on every machine', async () => {
  await world().run(async () => {
    const { bsize, blocks, bavail, ffree } = fs.statfsSync('/')
    expect({ bsize, blocks, bavail, ffree }).toEqual({ bsize: 4096, blocks: 1 << 24, bavail: 1 << 23, ffree: 1 << 21 })
    expect((await fs.promises.statfs('/', { bigint: true })).ffree).toBe(BigInt(1 << 21))
  })
})
