/** `fs.watch` and `fs.watchFile` on the overlay report what stock Node reports of the disk: the same calls, on both. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from './world.ts'

type Poll = () => void | Promise<void>
/** A change, in the folder given. */
type Act = (at: (name: string) => string) => unknown

/** Folders made before the overlay looks: it takes the disk not to change. */
let root: string
let used = 0
beforeAll(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), 'norn-watch-'))
  for (let folder = 0; folder < 300; folder++) fs.mkdirSync(path.join(root, `${folder}/folder`), { recursive: true })
})
afterAll(() => fs.rmSync(root, { recursive: true }))

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** What watchers of the folder and of the things inside report of each act. */
async function reports(watched: readonly string[], before: Act, acts: readonly Act[], poll: Poll): Promise<string[][]> {
  const folder = path.join(root, `${used++}/folder`)
  const at = (name: string) => path.join(folder, name)
  before(at)
  const log: string[] = []
  const watchers = watched.map((name) =>
    fs.watch(
      at(name),
      (event, filename) =>
        void log.push(`${name || '.'}: ${event} ${filename === path.basename(folder) ? '(folder)' : filename}`),
    ),
  )
  const reported: string[][] = []
  for (const act of acts) {
    await act(at)
    await poll()
    reported.push(log.splice(0))
  }
  for (const watcher of watchers) watcher.close()
  return reported
}

async function expectSame(watched: readonly string[], before: Act, ...acts: Act[]): Promise<void> {
  const mine = await world().run(() => reports(watched, before, acts, () => world().poll()))
  const real = await reports(watched, before, acts, async () => {
    for (let count = 0; count < 3; count++) await turn()
  })
  expect(mine).toEqual(real)
}

const CHANGES: Record<string, Act> = {
  'a new file': (at) => fs.writeFileSync(at('new'), 'text'),
  'an empty file': (at) => fs.writeFileSync(at('new'), ''),
  'a file written again': (at) => fs.writeFileSync(at('file'), 'other'),
  'a file appended to': (at) => fs.appendFileSync(at('file'), 'more'),
  'a file truncated': (at) => fs.truncateSync(at('file'), 1),
  'a file cut to the same size': (at) => fs.truncateSync(at('file'), 3),
  'a file touched': (at) => fs.utimesSync(at('file'), 5, 6),
  'a mode': (at) => fs.chmodSync(at('file'), 0o600),
  'an owner': (at) => fs.chownSync(at('file'), 1, 1),
  'an owner kept': (at) => fs.chownSync(at('file'), -1, -1),
  'a mode of a directory': (at) => fs.chmodSync(at('dir'), 0o700),
  'a mode of the folder': (at) => fs.chmodSync(at('.'), 0o700),
  'times of a link': (at) => fs.lutimesSync(at('link'), 5, 6),
  'a mode through a link': (at) => fs.chmodSync(at('link'), 0o600),
  'a file removed': (at) => fs.unlinkSync(at('file')),
  'a directory removed': (at) => fs.rmdirSync(at('dir')),
  'a directory made': (at) => fs.mkdirSync(at('new')),
  'directories made': (at) => fs.mkdirSync(at('new/inner'), { recursive: true }),
  'a tree removed': (at) => fs.rmSync(at('dir'), { recursive: true }),
  'a file renamed': (at) => fs.renameSync(at('file'), at('new')),
  'a file renamed over another': (at) => fs.renameSync(at('file'), at('other')),
  'a file renamed over itself': (at) => fs.renameSync(at('file'), at('file')),
  'a file moved into a directory': (at) => fs.renameSync(at('file'), at('dir/file')),
  'a directory renamed': (at) => fs.renameSync(at('dir'), at('new')),
  'a directory renamed over another': (at) => fs.mkdirSync(at('empty')) ?? fs.renameSync(at('dir'), at('empty')),
  'a symbolic link': (at) => fs.symlinkSync('file', at('new')),
  'a hard link': (at) => fs.linkSync(at('file'), at('new')),
  'one of two names removed': (at) => fs.unlinkSync(at('twin')),
  'a copy': (at) => fs.copyFileSync(at('file'), at('new')),
  'a copy over a file': (at) => fs.copyFileSync(at('file'), at('other')),
  'a copy of nothing': (at) => fs.copyFileSync(at('empty file'), at('new')),
  'a file only read': (at) => fs.readFileSync(at('file')),
  'nothing written': (at) => fs.writeSync(fs.openSync(at('file'), 'r+'), ''),
  'several changes': (at) => {
    fs.writeFileSync(at('new'), 'one')
    fs.writeFileSync(at('new'), 'two')
    fs.appendFileSync(at('file'), 'a')
    fs.appendFileSync(at('file'), 'b')
    fs.unlinkSync(at('new'))
  },
}

const before: Act = (at) => {
  for (const name of ['file', 'other']) fs.writeFileSync(at(name), name.slice(0, 3))
  fs.writeFileSync(at('empty file'), '')
  fs.mkdirSync(at('dir'))
  fs.symlinkSync('file', at('link'))
  fs.linkSync(at('other'), at('twin'))
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`${name}: the same events for a folder, and for all in it`, async () => {
    await expectSame([''], before, change)
    await expectSame(['file', 'other', 'dir', 'link'], before, change)
    await expectSame(['', 'file', 'other', 'twin', 'dir', 'empty file'], before, change)
  })
}

test('a file that is open after its removal', async () => {
  let fd: number
  await expectSame(
    ['', 'file'],
    before,
    (at) => void (fd = fs.openSync(at('file'), 'a')),
    (at) => fs.unlinkSync(at('file')),
    () => fs.writeSync(fd, 'more'),
    (at) => fs.writeFileSync(at('file'), 'another'),
    () => fs.closeSync(fd),
  )
})

test('an open file that is renamed', async () => {
  let fd: number
  await expectSame(
    ['', 'dir', 'other'],
    before,
    (at) => void (fd = fs.openSync(at('file'), 'a')),
    (at) => fs.renameSync(at('file'), at('dir/moved')),
    () => fs.writeSync(fd, 'more'),
    () => fs.fchmodSync(fd, 0o600),
    (at) => fs.renameSync(at('other'), at('dir/moved')),
    () => fs.writeSync(fd, 'more'),
    () => fs.closeSync(fd),
  )
})

test('many changes before they are read are several reads', async () => {
  await expectSame(['', 'file'], before, (at) => {
    for (let count = 0; count < 400; count++) fs.chmodSync(at(count % 2 ? 'other' : 'file'), 0o600)
  })
})

test('a listener that closes another watcher', async () => {
  const run = async (poll: Poll) => {
    const folder = path.join(root, `${used++}/folder`)
    const log: string[] = []
    const first = fs.watch(folder, () => {
      log.push('first')
      second.close()
      fs.watch(folder, () => log.push('third')).unref()
    })
    const second = fs.watch(folder, () => log.push('second'))
    fs.writeFileSync(path.join(folder, 'file'), 'x')
    await poll()
    first.close()
    return log
  }
  const mine = await world().run(() => run(() => world().poll()))
  expect(mine).toEqual(await run(() => turn().then(turn)))
})

test.each(['utf8', 'buffer', 'hex'] as const)('names in %s', async (encoding) => {
  const run = async (poll: Poll) => {
    const folder = path.join(root, `${used++}/folder`)
    const log: unknown[] = []
    const watcher = fs.watch(folder, { encoding } as fs.WatchOptions, (_, name) => log.push(name))
    fs.writeFileSync(path.join(folder, 'ü'), 'x')
    await poll()
    watcher.close()
    return log
  }
  const mine = await world().run(() => run(() => world().poll()))
  expect(mine).toEqual(await run(() => turn().then(turn)))
})

test('a path that does not exist, and one through a file', async () => {
  const failing = (name: string) => {
    try {
      fs.watch(path.join(root, name))
    } catch (error) {
      return { ...(error as object), message: String(error) }
    }
    return undefined
  }
  for (const name of ['none', '0/folder/none']) {
    expect(await world().run(() => failing(name))).toEqual(failing(name))
  }
})
