// graceful-fs 4, by its readme: fs, but for too many open files.
import assert from 'node:assert/strict'
import realFs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fs from 'graceful-fs'

const folder = () => realFs.mkdtempSync(join(tmpdir(), 'norn-graceful-'))
const tooMany = () => Object.assign(new Error('EMFILE, made for this test'), { code: 'EMFILE' })

test('writes and reads', async () => {
  const file = join(folder(), 'file')
  await promisify(fs.writeFile)(file, 'one ')
  await promisify(fs.appendFile)(file, 'two')
  assert.equal(await promisify(fs.readFile)(file, 'utf8'), 'one two')
})

test('hundreds of files at once', async () => {
  const directory = folder()
  const names = Array.from({ length: 300 }, (_, index) => join(directory, `${index}`))
  await Promise.all(names.map((name, index) => promisify(fs.writeFile)(name, `${index}`)))
  const texts = await Promise.all(names.map((name) => promisify(fs.readFile)(name, 'utf8')))
  assert.deepEqual(texts, Object.keys(names))
})

test('an open that fails for too many files is tried again', async () => {
  const file = join(folder(), 'file')
  const { open } = realFs
  let failures = 3
  const patched = { ...realFs } as typeof realFs
  patched.open = ((...args: unknown[]) => {
    if (failures-- > 0) process.nextTick(args.at(-1) as (error: Error) => void, tooMany())
    else (open as Function)(...args)
  }) as typeof realFs.open
  fs.gracefulify(patched)
  const fd = await new Promise<number>((resolve, reject) => {
    patched.open(file, 'w', (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  realFs.closeSync(fd)
  assert.equal(failures < 0, true)
})

test('readdir is sorted', async () => {
  const directory = folder()
  for (const name of ['c', 'a', 'b']) realFs.writeFileSync(join(directory, name), '')
  assert.deepEqual(await promisify(fs.readdir)(directory), ['a', 'b', 'c'])
})

test('errors are those of fs', async () => {
  const file = join(folder(), 'nowhere')
  for (const call of [fs.readFile, fs.stat, fs.readdir, fs.lstat] as ((path: string, done: unknown) => void)[]) {
    await assert.rejects(promisify(call as (path: string) => void)(file), { code: 'ENOENT' })
  }
})

test('streams', async () => {
  const file = join(folder(), 'file')
  await new Promise<void>((resolve, reject) => {
    const out = fs.createWriteStream(file)
    out.on('error', reject).on('close', resolve)
    for (let line = 0; line < 50; line++) out.write(`line ${line}\n`)
    out.end()
  })
  let text = ''
  for await (const chunk of fs.createReadStream(file, { encoding: 'utf8', highWaterMark: 64 })) text += chunk
  assert.equal(text.split('\n').length, 51)
})

test('a read stream of a file that is not there tells it', async () => {
  const stream = fs.createReadStream(join(folder(), 'nowhere'))
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => stream.on('error', resolve))
  assert.equal(error.code, 'ENOENT')
})

test('copyFile and rename', async () => {
  const directory = folder()
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(directory, name)) as [string, string, string]
  await promisify(fs.writeFile)(a, 'text')
  await promisify(fs.copyFile)(a, b)
  await promisify(fs.rename)(b, c)
  assert.deepEqual(realFs.readdirSync(directory), ['a', 'c'])
})

test('arguments are checked as by fs', () => {
  assert.throws(() => fs.readFile('/', 5 as never), TypeError)
  assert.throws(() => fs.open({} as never, 'r', () => {}), TypeError)
})

test('fs itself is left alone', () => {
  assert.notEqual(fs.open, realFs.open)
  assert.notEqual(fs.readFile, realFs.readFile)
})
