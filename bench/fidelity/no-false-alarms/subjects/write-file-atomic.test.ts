// write-file-atomic 8, by its readme.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import writeFileAtomic from 'write-file-atomic'

const folder = () => mkdtemp(join(tmpdir(), 'norn-atomic-'))

test('writes a text, and leaves nothing else', async () => {
  const directory = await folder()
  await writeFileAtomic(join(directory, 'file'), 'text')
  assert.deepEqual([await readdir(directory), await readFile(join(directory, 'file'), 'utf8')], [['file'], 'text'])
})

test('calls back', async () => {
  const file = join(await folder(), 'file')
  await new Promise<void>((resolve, reject) =>
    writeFileAtomic(file, 'text', (error?: Error | null) => (error ? reject(error) : resolve())),
  )
  assert.equal(await readFile(file, 'utf8'), 'text')
})

test('writes bytes', async () => {
  const file = join(await folder(), 'file')
  await writeFileAtomic(file, Buffer.from([0, 255, 1]))
  assert.deepEqual([...(await readFile(file))], [0, 255, 1])
})

test('an encoding may stand for the options', async () => {
  const file = join(await folder(), 'file')
  await writeFileAtomic(file, '4142', 'hex')
  assert.equal(await readFile(file, 'utf8'), 'AB')
})

test('writes to one file are queued in the order of the calls', async () => {
  const file = join(await folder(), 'file')
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map((each) => writeFileAtomic(file, `${each}`).then(() => order.push(each))))
  assert.deepEqual([order, await readFile(file, 'utf8')], [[1, 2, 3, 4], '4'])
})

test('writes to many files do not mix', async () => {
  const directory = await folder()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map((name) => writeFileAtomic(join(directory, name), name.repeat(1000))))
  for (const name of names) assert.equal(await readFile(join(directory, name), 'utf8'), name.repeat(1000))
  assert.deepEqual((await readdir(directory)).sort(), names)
})

test('who reads meanwhile sees the old text or the new one, whole', async () => {
  const file = join(await folder(), 'file')
  const [old, fresh] = ['o'.repeat(5000), 'n'.repeat(7000)]
  await writeFile(file, old)
  const [, ...read] = await Promise.all([
    writeFileAtomic(file, fresh),
    ...Array.from({ length: 6 }, () => readFile(file, 'utf8')),
  ])
  for (const text of read) assert.ok(text === old || text === fresh, `${text.length} characters were read`)
})

test('the mode of an existing file is kept', async () => {
  const file = join(await folder(), 'file')
  await writeFile(file, '', { mode: 0o640 })
  await writeFileAtomic(file, 'text')
  assert.equal((await stat(file)).mode & 0o777, 0o640)
})

test('a mode may be given', async () => {
  const file = join(await folder(), 'file')
  await writeFileAtomic(file, 'text', { mode: 0o600 })
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('tells the name of the temporary file', async () => {
  const file = join(await folder(), 'file')
  let temporary = ''
  await writeFileAtomic(file, 'text', { tmpfileCreated: (name) => void (temporary = name) })
  assert.ok(temporary.startsWith(`${file}.`))
  assert.equal(fs.existsSync(temporary), false)
})

test('a folder that is not there rejects', async () => {
  await assert.rejects(writeFileAtomic(join(await folder(), 'nowhere', 'file'), 'text'), { code: 'ENOENT' })
})

test('what cannot be put in place leaves no temporary file', async () => {
  const directory = await folder()
  const target = join(directory, 'folder')
  fs.mkdirSync(join(target, 'inner'), { recursive: true })
  await assert.rejects(writeFileAtomic(target, 'text'))
  assert.deepEqual(await readdir(directory), ['folder'])
})

test('a link is followed', async () => {
  const directory = await folder()
  await writeFile(join(directory, 'file'), 'old')
  fs.symlinkSync(join(directory, 'file'), join(directory, 'link'))
  await writeFileAtomic(join(directory, 'link'), 'new')
  assert.equal(await readFile(join(directory, 'file'), 'utf8'), 'new')
  assert.ok(fs.lstatSync(join(directory, 'link')).isSymbolicLink())
})

test('sync', async () => {
  const directory = await folder()
  const file = join(directory, 'file')
  writeFileAtomic.sync(file, 'text')
  assert.deepEqual([fs.readFileSync(file, 'utf8'), fs.readdirSync(directory)], ['text', ['file']])
})

test('without fsync', async () => {
  const file = join(await folder(), 'file')
  await writeFileAtomic(file, 'text', { fsync: false })
  assert.equal(await readFile(file, 'utf8'), 'text')
})
