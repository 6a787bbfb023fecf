/**
 * The overlay against the disk, for what a drawn program should not do or seldom would: paths that
 * go upwards, whole trees, streams, handles, odd arguments. Each script runs on the overlay, which
 * leaves the disk alone, and for real.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, show, treeOf } from './programs.ts'
import { world } from './world.ts'

type Script = () => unknown

const scripts: Record<string, Script> = {
  'paths that go upwards': () =>
    each([
      ['unlink', '.'],
      ['rmdir', '.'],
      ['rmdir', 'dir/..'],
      ['rename', '.', 'x'],
      ['rename', 'dir/..', 'x'],
      ['mkdir', '..'],
      ['mkdir', 'dir/..'],
      ['mkdir', 'new/../other', { recursive: true }],
      ['readdir', 'link/..'],
      ['stat', 'file/..'],
      ['stat', 'nowhere/..'],
      ['readFile', 'link/../file', 'utf8'],
      ['symlink', '..', 'up'],
      ['readFile', `up/${path.basename(process.cwd())}/file`, 'utf8'],
      ['open', '/'],
      ['readlink', '/'],
      ['stat', ''],
      ['open', 'x'.repeat(256)],
      ['stat', 'dir/./././b'],
      ['stat', `${'dir/../'.repeat(600)}file`],
    ]),
  'links in circles': () =>
    each([
      ['symlink', 'one', 'two'],
      ['symlink', 'two', 'one'],
      ['stat', 'one'],
      ['lstat', 'one'],
      ['writeFile', 'one', 'x'],
      ['mkdir', 'one/x', { recursive: true }],
      ['rm', 'one', { recursive: true }],
      ['realpath', 'two'],
    ]),
  'a directory into itself': () =>
    each([
      ['mkdir', 'p/q/r', { recursive: true }],
      ['rename', 'p', 'p/q/s'],
      ['rename', 'p/q', 'p'],
      ['rename', 'p/q/r', 'dir'],
      ['rename', 'p', 'empty'],
      ['rename', 'file', 'p'],
      ['rename', 'dir', 'file'],
      ['readdir', 'empty', { recursive: true }],
    ]),
  'whole trees': async () => [
    await call('promise', 'cp', 'dir', 'copy/of/it', { recursive: true, filter: () => true }),
    await call('callback', 'readdir', '.', { recursive: true }),
    await call('promise', 'readdir', '.', { recursive: true, withFileTypes: true }),
    sorted(await call('sync', 'readdir', '.', { recursive: true, withFileTypes: true })),
    await call('promise', 'rm', 'copy', { recursive: true }),
    await call('callback', 'rm', 'dir', { recursive: true }),
    await call('sync', 'rm', 'link', { recursive: true, force: true }),
    await call('sync', 'rm', 'nowhere', { recursive: true, force: true }),
  ],
  streams: async () => {
    const written: unknown[] = []
    await new Promise((resolve, reject) => {
      const stream = fs.createWriteStream('stream', { highWaterMark: 4, mode: 0o600 })
      for (const event of ['open', 'ready', 'finish', 'close']) stream.on(event, () => written.push(event))
      stream.on('close', () => resolve(undefined)).on('error', reject)
      stream.write('one ')
      stream.cork()
      stream.write('two ')
      stream.write(Buffer.from('three'))
      stream.uncork()
      stream.end(' four')
    })
    const over = fs.createWriteStream('stream', { flags: 'r+', start: 4 })
    await new Promise((resolve) => over.end('TWO', () => over.close(() => resolve(undefined))))
    return [
      written,
      await text(fs.createReadStream('stream', { start: 2, end: 11, highWaterMark: 3 })),
      await text(fs.createReadStream('stream', 'utf8')),
      await text(fs.createReadStream('nowhere/x')).catch(show),
    ]
  },
  handles: async () => {
    const handle = await fs.promises.open('handle', 'w+')
    const log: unknown[] = []
    ;(handle as unknown as NodeJS.EventEmitter).on('close', () => log.push('close'))
    await handle.writeFile('first\nsecond\nthird')
    await handle.appendFile('\nfourth')
    log.push((await handle.stat()).size, (await handle.read(Buffer.alloc(3), 0, 3, 1)).buffer.toString())
    log.push((await handle.write('FIRST', 0)).bytesWritten, (await handle.readv([Buffer.alloc(2)], 0)).bytesRead)
    await handle.close()
    log.push(handle.fd, await handle.stat().catch(show))
    const lines = await fs.promises.open('handle')
    for await (const line of lines.readLines()) log.push(line)
    const web = await fs.promises.open('handle')
    log.push(await text(web.readableWebStream() as unknown as AsyncIterable<Uint8Array>), web.fd > 0)
    await web.close()
    await using disposed = await fs.promises.open('handle')
    log.push(await text(disposed.createReadStream({ start: 6, autoClose: false })))
    return log
  },
  directories: async () => {
    const log: unknown[] = []
    const names: string[] = []
    await using directory = await fs.promises.opendir('dir', { recursive: true })
    for await (const { name, parentPath } of directory) names.push(`${parentPath}/${name}`)
    log.push(names.sort(), await fs.promises.opendir('file').catch(show), await call('callback', 'opendir', 'nowhere'))
    return log
  },
  'temporary directories': async () => {
    // biome-ignore lint/suspicious/noExplicitAny: not in every Node
    const { mkdtempDisposable } = fs.promises as any
    const made = await fs.promises.mkdtemp('temporary-')
    const log: unknown[] = [made.length, (await fs.promises.stat(made)).mode]
    fs.rmdirSync(made)
    if (mkdtempDisposable === undefined) return log
    const disposable = await mkdtempDisposable('temporary-')
    fs.writeFileSync(path.join(disposable.path, 'x'), 'y')
    await disposable.remove()
    return [...log, fs.existsSync(disposable.path)]
  },
  'bytes and encodings': () => {
    fs.writeFileSync(Buffer.from([0x66, 0xff]), 'not text')
    fs.writeFileSync('ünï', 'text')
    const log = [
      fs.readdirSync('.', 'buffer').map((name) => name.toString('hex')),
      fs.readdirSync('.', 'latin1'),
      fs.readFileSync(Buffer.from([0x66, 0xff]), 'utf8'),
      fs.readFileSync(Buffer.from('ünï'), 'latin1'),
    ]
    fs.unlinkSync(Buffer.from([0x66, 0xff]))
    return log
  },
  'an unlinked file lives on': () => {
    const fd = fs.openSync('file', 'r+')
    fs.unlinkSync('file')
    fs.writeSync(fd, 'WHAT', 0)
    const log = [fs.fstatSync(fd).nlink, fs.readFileSync(fd, 'utf8'), fs.existsSync('file')]
    fs.closeSync(fd)
    return log
  },
  holes: () => {
    const fd = fs.openSync('holes', 'w+')
    fs.ftruncateSync(fd, 10)
    fs.writeSync(fd, 'x', 20)
    fs.ftruncateSync(fd, 15)
    fs.ftruncateSync(fd, 25)
    fs.writeSync(fd, 'y', 24)
    fs.closeSync(fd)
    return fs.readFileSync('holes', 'hex')
  },
}

async function each(calls: [string, ...unknown[]][]): Promise<unknown[]> {
  const log: unknown[] = []
  for (const [name, ...args] of calls)
    log.push([
      name,
      args,
      await call('sync', name, ...args),
      await call('promise', name, ...args).then(closed),
      await call('callback', name, ...args),
    ])
  return log
}

/** A FileHandle that an `open` gave is nothing to compare. */
function closed(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'fd' in value) return (value as fs.promises.FileHandle).close()
  return value
}

/** The order of a recursive listing differs between versions of Node. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value
}

const home = process.cwd()
let root = ''

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-files-'))
  for (const index of Object.keys(scripts).keys()) {
    const directory = path.join(root, 'below', String(index))
    fs.mkdirSync(path.join(directory, 'dir', 'a'), { recursive: true })
    fs.writeFileSync(path.join(directory, 'file'), 'what was there before')
    fs.writeFileSync(path.join(directory, 'dir', 'b'), 'deeper', { mode: 0o600 })
    fs.symlinkSync('dir', path.join(directory, 'link'))
    fs.mkdirSync(path.join(directory, 'empty'))
  }
})

afterAll(() => {
  process.chdir(home)
  fs.rmSync(root, { recursive: true, force: true })
})

test.each(Object.keys(scripts).map((name, index) => [name, index] as const))('%s', async (name, index) => {
  process.chdir(path.join(root, 'below', String(index)))
  const script = scripts[name]!
  const before = treeOf('.')
  const [overlay, overlayTree] = await world().run(async () => [await script(), treeOf('.')])
  expect(treeOf('.')).toEqual(before)
  expect(comparable(overlay)).toEqual(comparable(await script()))
  expect(overlayTree).toEqual(treeOf('.'))
})

/** Numbers of descriptors are not compared. */
function comparable(log: unknown): unknown {
  if (!Array.isArray(log)) return log
  return log.map((entry) =>
    Array.isArray(entry) && entry[0] === 'open'
      ? entry.map((part) => (typeof part === 'number' ? 'fd' : part))
      : comparable(entry),
  )
}
