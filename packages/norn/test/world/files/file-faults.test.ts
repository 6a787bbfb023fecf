/**
 * Faults of the file system: which of them each operation may meet, the error that the program gets
 * in every form, and what is left behind. The errors are those that Node 24 and 26 gave when strace
 * let the same system calls fail.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { getSystemErrorMap } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { internalBinding } from '../../../src/loader/internals.ts'
import { OPERATIONS } from '../../../src/world/files/operations.ts'
import type { Fault, Possible } from '../../../src/world/loop/faults.ts'
import { treeOf } from './programs.ts'
import { world } from './world.ts'

const FORMS = ['sync', 'callback', 'promise'] as const
type Form = (typeof FORMS)[number]

// biome-ignore lint/suspicious/noExplicitAny: functions of fs by name
type Functions = Record<string, any>

interface Row {
  /** The public function; of a descriptor without its `f` where a FileHandle has it so. */
  readonly method: string
  /** `FD` stands for the file, open for reading and writing. */
  readonly args: readonly unknown[]
  readonly errors: readonly string[]
  /** Bytes that it would move. */
  readonly bytes?: number
  /** What stands in an error. */
  readonly syscall: string
  readonly path?: string
  readonly dest?: string
  /** The call that meets the fault, if it is not called as the method. */
  readonly call?: string
  /** The method of a FileHandle. */
  readonly ofHandle?: string
  readonly forms?: readonly Form[]
}

const NODE_MAJOR = Number.parseInt(process.versions.node, 10)

/** Before Node 24 it is made of `unlink` and `rmdir`. */
const HAS_RM = typeof internalBinding('fs').rmSync === 'function'

const rmMessage = (at: string) => `EACCES, Permission denied: ${NODE_MAJOR < 26 ? `${at} ` : ''}'${at}'`

const FD = Symbol('descriptor')
const TEXT = '0123456789'
const PATH = ['EACCES', 'EIO']
const NEW_NAME = ['EACCES', 'EIO', 'ENOSPC']

const onFile = (method: string, errors: readonly string[], more: readonly unknown[] = []): Row => ({
  method,
  args: ['file', ...more],
  errors,
  syscall: method,
  path: 'file',
})

const onDescriptor = (
  method: string,
  ofHandle: string,
  errors: readonly string[],
  more: readonly unknown[] = [],
): Row => ({
  method,
  args: [FD, ...more],
  errors,
  syscall: method,
  ofHandle,
})

/** By the name in the binding. */
const ROWS: Readonly<Record<string, Row>> = {
  access: onFile('access', PATH),
  unlink: onFile('unlink', PATH),
  stat: onFile('stat', PATH),
  lstat: onFile('lstat', PATH),
  statfs: onFile('statfs', PATH),
  chmod: onFile('chmod', PATH, [0o600]),
  chown: onFile('chown', PATH, [1, 1]),
  lchown: onFile('lchown', PATH, [1, 1]),
  utimes: { ...onFile('utimes', PATH, [1, 1]), syscall: 'utime', call: 'utime' },
  lutimes: { ...onFile('lutimes', PATH, [1, 1]), syscall: 'lutime', call: 'lutime' },
  readlink: { ...onFile('readlink', PATH), args: ['link'], path: 'link' },
  realpath: onFile('realpath', PATH),
  rmdir: { ...onFile('rmdir', PATH), args: ['empty'], path: 'empty' },
  readdir: { ...onFile('readdir', ['EACCES', 'EMFILE', 'EIO']), args: ['dir'], syscall: 'scandir', path: 'dir' },
  open: onFile('open', ['EMFILE', 'EACCES', 'EIO'], ['r+']),
  rename: { method: 'rename', args: ['file', 'new'], errors: NEW_NAME, syscall: 'rename', path: 'file', dest: 'new' },
  link: { method: 'link', args: ['file', 'new'], errors: NEW_NAME, syscall: 'link', path: 'file', dest: 'new' },
  symlink: {
    method: 'symlink',
    args: ['file', 'new'],
    errors: NEW_NAME,
    syscall: 'symlink',
    path: 'file',
    dest: 'new',
  },
  mkdir: { method: 'mkdir', args: ['new'], errors: NEW_NAME, syscall: 'mkdir', path: 'new' },
  mkdtemp: { method: 'mkdtemp', args: ['new-'], errors: NEW_NAME, syscall: 'mkdtemp' },
  copyFile: {
    method: 'copyFile',
    args: ['file', 'dir/inside'],
    errors: ['EMFILE', 'EACCES', 'EIO'],
    call: 'open',
    syscall: 'copyfile',
    path: 'file',
    dest: 'dir/inside',
  },
  fstat: onDescriptor('fstat', 'stat', ['EIO']),
  fchmod: onDescriptor('fchmod', 'chmod', ['EIO'], [0o600]),
  fchown: onDescriptor('fchown', 'chown', ['EIO'], [1, 1]),
  futimes: { ...onDescriptor('futimes', 'utimes', ['EIO'], [1, 1]), syscall: 'futime', call: 'futime' },
  ftruncate: onDescriptor('ftruncate', 'truncate', ['EIO', 'ENOSPC'], [20]),
  fsync: onDescriptor('fsync', 'sync', ['EIO', 'ENOSPC']),
  fdatasync: onDescriptor('fdatasync', 'datasync', ['EIO', 'ENOSPC']),
  close: onDescriptor('close', 'close', ['EIO']),
  read: { ...onDescriptor('read', 'read', ['EIO'], [Buffer.alloc(20), 0, 20, null]), bytes: 10 },
  readBuffers: {
    ...onDescriptor('readv', 'readv', ['EIO'], [[Buffer.alloc(3), Buffer.alloc(4)]]),
    syscall: 'read',
    call: 'read',
    bytes: 7,
  },
  writeBuffer: { ...onDescriptor('write', 'write', ['ENOSPC', 'EIO'], [Buffer.from('abc')]), bytes: 3 },
  writeString: { ...onDescriptor('write', 'write', ['ENOSPC', 'EIO'], ['äbc']), bytes: 4 },
  writeBuffers: {
    ...onDescriptor('writev', 'writev', ['ENOSPC', 'EIO'], [[Buffer.from('ab'), Buffer.from('c')]]),
    syscall: 'write',
    call: 'write',
    bytes: 3,
  },
  rmSync: { ...onFile('rm', ['EACCES']), forms: ['sync'] },
  readFileUtf8: {
    ...onFile('readFile', ['EMFILE', 'EACCES', 'EIO'], ['utf8']),
    call: 'open',
    syscall: 'open',
    forms: ['sync'],
  },
  writeFileUtf8: {
    ...onFile('writeFile', ['EMFILE', 'EACCES', 'EIO'], ['text']),
    call: 'open',
    syscall: 'open',
    forms: ['sync'],
  },
}

/** Calls a row's function in a form, and gives the error. */
async function failing(row: Row, form: Form, arm: () => void): Promise<unknown> {
  const { method, args, ofHandle } = row
  const isOpen = args[0] === FD
  if (isOpen && form === 'promise') {
    const handle = await fs.promises.open('file', 'r+')
    arm()
    return errorOf(() => (handle as unknown as Functions)[ofHandle!](...args.slice(1)))
  }
  const fd = isOpen ? fs.openSync('file', 'r+') : undefined
  const given = args.map((arg) => (arg === FD ? fd : arg))
  arm()
  if (form === 'promise') return errorOf(() => (fs.promises as Functions)[method](...given))
  const { native } = method === 'realpath' ? fs[form === 'sync' ? 'realpathSync' : 'realpath'] : { native: undefined }
  if (form === 'sync') return errorOf(() => (native ?? (fs as Functions)[`${method}Sync`])(...given))
  const call = (native ?? (fs as Functions)[method]) as (...all: unknown[]) => void
  return new Promise((resolve) => call(...given, (error: unknown) => resolve(plain(error))))
}

async function errorOf(action: () => unknown): Promise<unknown> {
  try {
    await action()
    return undefined
  } catch (error) {
    return plain(error)
  }
}

const plain = (error: unknown) => (error instanceof Error ? { ...error, message: error.message } : error)

function nodeError(code: string, syscall: string, path?: string, dest?: string) {
  const [errno, [, text]] = [...getSystemErrorMap()].find(([, [name]]) => name === code)!
  const where = `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`
  const message = `${code}: ${text}, ${syscall}${where}`
  return {
    message,
    errno,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest }),
  }
}

const home = process.cwd()
let root = ''

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-files-'))
  fs.writeFileSync(path.join(root, 'file'), TEXT)
  fs.symlinkSync('file', path.join(root, 'link'))
  fs.mkdirSync(path.join(root, 'empty'))
  fs.mkdirSync(path.join(root, 'dir'))
  fs.writeFileSync(path.join(root, 'dir', 'inside'), 'inside')
  process.chdir(root)
})

afterAll(() => {
  process.chdir(home)
  fs.rmSync(root, { recursive: true, force: true })
})

/** Lets the n-th system call with a name meet a fault, once armed; tells what it could have met. */
function fault(name: string, meets: Fault | undefined, nth = 1) {
  const asked: Possible[] = []
  let armed = false
  const maker = (call: string, possible: Possible): Fault | undefined => {
    if (!armed || call !== name) return undefined
    return asked.push(possible) === nth ? meets : undefined
  }
  return { asked, maker, arm: () => void (armed = true), disarm: () => void (armed = false) }
}

describe('every operation', () => {
  test('has a row here', () => {
    // Node 26 alone has the first; it is a walk of readdir. The parts of `cpSync` meet no faults.
    const without = /^(?:readdirRecursive|cpSync\w+)$/
    expect(Object.keys(ROWS).sort()).toEqual(
      Object.keys(OPERATIONS)
        .filter((name) => !without.test(name))
        .sort(),
    )
  })

  for (const [name, row] of Object.entries(ROWS)) {
    if (name === 'rmSync' && !HAS_RM) continue
    const call = row.call ?? row.method
    for (const form of row.forms ?? FORMS) {
      for (const code of row.errors) {
        test(`${name}, ${form}: ${code} as Node has it, and nothing has changed`, async () => {
          const { asked, maker, arm, disarm } = fault(call, code)
          await world().run(
            async () => {
              const before = treeOf('.')
              const error = await failing(row, form, arm)
              disarm()
              const expected =
                name === 'rmSync'
                  ? { message: rmMessage('file'), errno: 13, code, path: 'file', syscall: 'rm' }
                  : name === 'mkdtemp'
                    ? nodeError(code, 'mkdtemp', (error as { path: string }).path)
                    : nodeError(code, row.syscall, row.path, row.dest)
              expect(error).toEqual(expected)
              expect(asked).toEqual([{ errors: row.errors, ...(row.bytes === undefined ? {} : { bytes: row.bytes }) }])
              expect(treeOf('.')).toEqual(before)
            },
            undefined,
            maker,
          )
        })
      }
    }
  }

  test('mkdtemp names the template, or what was tried', async () => {
    const { maker, arm } = fault('mkdtemp', 'ENOSPC')
    await world().run(
      async () => {
        const { path } = (await failing(ROWS.mkdtemp!, 'sync', arm)) as { path: string }
        expect(path).toBe('new-XXXXXX')
      },
      undefined,
      maker,
    )
  })
})

/** What a call could have met, in a world in which nothing fails. */
async function possible(call: string, action: () => unknown): Promise<Possible[]> {
  const { asked, maker, arm } = fault(call, undefined)
  arm()
  await world().run(
    async () => {
      await Promise.resolve(action()).catch(() => {})
    },
    undefined,
    maker,
  )
  return asked
}

const quietly = (action: () => unknown) => () => {
  try {
    action()
  } catch {}
}

describe('only what Linux could return', () => {
  test('no room is wanted where a name is taken, or where there is no directory for it', async () => {
    const room = async (call: string, action: () => unknown) =>
      (await possible(call, quietly(action))).some(({ errors }) => errors.includes('ENOSPC'))
    expect(await room('open', () => fs.openSync('new', 'w'))).toBe(true)
    expect(await room('open', () => fs.openSync('file', 'w'))).toBe(false)
    expect(await room('open', () => fs.openSync('nowhere/new', 'w'))).toBe(false)
    expect(await room('open', () => fs.openSync('new', 'r'))).toBe(false)
    expect(await room('mkdir', () => fs.mkdirSync('dir'))).toBe(false)
    expect(await room('mkdir', () => fs.mkdirSync('nowhere/new'))).toBe(false)
    expect(await room('rename', () => fs.renameSync('file', 'dir/inside'))).toBe(false)
    expect(await room('rename', () => fs.renameSync('nowhere', 'new'))).toBe(false)
    expect(await room('rename', () => fs.renameSync('dir', 'dir/new'))).toBe(false)
    expect(await room('rename', () => fs.renameSync('dir', 'new'))).toBe(true)
    expect(await room('link', () => fs.linkSync('dir', 'new'))).toBe(false)
    expect(await room('symlink', () => fs.symlinkSync('x', 'file'))).toBe(false)
    expect(await room('ftruncate', () => fs.truncateSync('file', 3))).toBe(false)
  })

  test('a path that is never looked up meets nothing', async () => {
    for (const odd of ['', '/', '///', 'x'.repeat(5000)]) {
      expect(
        await possible(
          'stat',
          quietly(() => fs.statSync(odd)),
        ),
      ).toEqual([{ errors: [] }])
    }
    expect(
      await possible(
        'symlink',
        quietly(() => fs.symlinkSync('', 'new')),
      ),
    ).toEqual([{ errors: [] }])
  })

  test('a descriptor that is not open, or is open for something else, meets nothing', async () => {
    const none = [{ errors: [] }]
    expect(
      await possible(
        'read',
        quietly(() => fs.readSync(999, Buffer.alloc(5), 0, 5, null)),
      ),
    ).toEqual(none)
    expect(
      await possible(
        'read',
        quietly(() => fs.readSync(fs.openSync('file', 'a'), Buffer.alloc(5), 0, 5, null)),
      ),
    ).toEqual(none)
    expect(
      await possible(
        'read',
        quietly(() => fs.readSync(fs.openSync('dir', 'r'), Buffer.alloc(5), 0, 5, null)),
      ),
    ).toEqual(none)
    expect(
      await possible(
        'write',
        quietly(() => fs.writeSync(fs.openSync('file', 'r'), 'x')),
      ),
    ).toEqual(none)
    expect(
      await possible(
        'ftruncate',
        quietly(() => fs.ftruncateSync(fs.openSync('file', 'r'), 3)),
      ),
    ).toEqual(none)
    expect(
      await possible(
        'close',
        quietly(() => fs.closeSync(999)),
      ),
    ).toEqual(none)
  })

  test('standard streams and devices meet nothing', async () => {
    expect(await possible('write', () => fs.writeSync(1, 'text'))).toEqual([{ errors: [] }])
    expect(await possible('read', () => fs.readSync(0, Buffer.alloc(5), 0, 5, null))).toEqual([{ errors: [] }])
    expect(await possible('open', () => fs.writeFileSync('/dev/stdout', 'text'))).toEqual([{ errors: [] }])
    expect(await possible('write', () => fs.writeFileSync('/dev/null', 'text'))).toEqual([{ errors: [] }])
    expect(
      await possible(
        'fsync',
        quietly(() => fs.fsyncSync(1)),
      ),
    ).toEqual([{ errors: [] }])
    world().printed.length = 0
  })

  test('at the end of a file nothing is read, so that cannot fail; one byte cannot be cut short', async () => {
    const fd = () => fs.openSync('file', 'r+')
    const read = (length: number, position: number) =>
      possible('read', () => fs.readSync(fd(), Buffer.alloc(20), 0, length, position))
    expect(await read(20, 10)).toEqual([{ errors: [] }])
    expect(await read(20, 9)).toEqual([{ errors: ['EIO'], bytes: 1 }])
    expect(await read(4, 3)).toEqual([{ errors: ['EIO'], bytes: 4 }])
    expect(await possible('write', () => fs.writeSync(fd(), ''))).toEqual([{ errors: [] }])
  })

  test('closing fails only where something may not have been written yet', async () => {
    expect(await possible('close', () => fs.closeSync(fs.openSync('file', 'r')))).toEqual([{ errors: [] }])
    expect(await possible('close', () => fs.closeSync(fs.openSync('file', 'a')))).toEqual([{ errors: ['EIO'] }])
  })

  test('existsSync has no error to give, so it says no', async () => {
    const { maker, arm } = fault('access', 'EACCES')
    arm()
    expect(await world().run(() => fs.existsSync('file'), undefined, maker)).toBe(false)
  })
})

describe('what is left behind', () => {
  test('a descriptor is closed, whatever close answers', async () => {
    const { maker, arm } = fault('close', 'EIO')
    arm()
    await world().run(
      async () => {
        const handle = await fs.promises.open('file', 'r+')
        await expect(handle.close()).rejects.toThrow('EIO: i/o error, close')
        expect(world().files.openDescriptors()).toEqual([])
      },
      undefined,
      maker,
    )
  })

  test('a copy that fails on its way removes its target, even one that was there before', async () => {
    for (const target of ['dir/inside', 'new']) {
      const { asked, maker, arm } = fault('write', 'ENOSPC')
      arm()
      await world().run(
        async () => {
          await expect(fs.promises.copyFile('file', target)).rejects.toMatchObject(
            nodeError('ENOSPC', 'copyfile', 'file', target),
          )
          expect(fs.existsSync(target)).toBe(false)
          expect(fs.readFileSync('file', 'utf8')).toBe(TEXT)
        },
        undefined,
        maker,
      )
      expect(asked[0]).toEqual({ errors: ['ENOSPC', 'EIO'] })
    }
  })

  test('making several directories stops at the one that fails', async () => {
    const { asked, maker, arm } = fault('mkdir', 'ENOSPC', 4)
    arm()
    await world().run(
      async () => {
        // x/y/z and x/y are tried in vain, then x is made, and x/y fails.
        await expect(fs.promises.mkdir('x/y/z', { recursive: true })).rejects.toMatchObject({
          code: 'ENOSPC',
          path: 'x/y',
        })
        expect(fs.readdirSync('.', { recursive: true })).not.toContain('x/y')
        expect(fs.existsSync('x')).toBe(true)
      },
      undefined,
      maker,
    )
    expect(asked.map(({ errors }) => errors)).toEqual([
      ['EACCES'],
      ['EACCES'],
      ['EACCES', 'ENOSPC'],
      ['EACCES', 'ENOSPC'],
    ])
  })

  test.runIf(HAS_RM)('rmSync stops at the entry that fails', async () => {
    const { maker, arm } = fault('rm', 'EACCES', 2)
    arm()
    await world().run(
      () => {
        expect(() => fs.rmSync('dir', { recursive: true })).toThrow(rmMessage('dir'))
        expect(fs.readdirSync('dir')).toEqual([])
      },
      undefined,
      maker,
    )
  })

  test('writeFileSync that is cut short and then fails leaves what was written', async () => {
    let writes = 0
    const maker = (call: string): Fault | undefined => {
      if (call !== 'write') return undefined
      return ++writes === 1 ? 3 : 'ENOSPC'
    }
    await world().run(
      () => {
        expect(() => fs.writeFileSync('file', 'replaced')).toThrow('ENOSPC: no space left on device, write')
        expect(world().files.openDescriptors()).toEqual([])
        expect(fs.readFileSync('file', 'utf8')).toBe('rep')
      },
      undefined,
      maker,
    )
  })

  test('writeFileSync tells that close failed, readFileSync that read did', async () => {
    const ofClose = fault('close', 'EIO')
    ofClose.arm()
    const write = () => errorOf(() => fs.writeFileSync('file', 'x'))
    expect(await world().run(write, undefined, ofClose.maker)).toEqual(nodeError('EIO', 'close'))
    const ofRead = fault('read', 'EIO')
    ofRead.arm()
    const read = () => errorOf(() => fs.readFileSync('file', 'utf8'))
    expect(await world().run(read, undefined, ofRead.maker)).toEqual(nodeError('EIO', 'read'))
    expect(ofRead.asked).toEqual([{ errors: ['EIO'] }])
  })
})

describe('whole files', () => {
  const ways: Record<string, (name: string, ...more: unknown[]) => Promise<unknown>> = {
    callback: (name, ...more) =>
      new Promise((done) => (fs as Functions)[name]('file', ...more, (error: unknown) => done(plain(error)))),
    promise: (name, ...more) => errorOf(() => (fs.promises as Functions)[name]('file', ...more)),
  }

  test.each(Object.entries(ways))(
    '%s: the error of each step, which from Node 26 on names what is read',
    async (_, way) => {
      const each = async (call: string, code: string, name: string, ...more: unknown[]) => {
        const { maker, arm } = fault(call, code)
        arm()
        return world().run(
          async () => {
            const error = await way(name, ...more)
            expect(world().files.openDescriptors()).toEqual([])
            return error
          },
          undefined,
          maker,
        )
      }
      const read = NODE_MAJOR < 26 ? undefined : 'file'
      expect(await each('open', 'EMFILE', 'readFile')).toEqual(nodeError('EMFILE', 'open', 'file'))
      expect(await each('fstat', 'EIO', 'readFile')).toEqual(nodeError('EIO', 'fstat', read))
      expect(await each('read', 'EIO', 'readFile')).toEqual(nodeError('EIO', 'read', read))
      expect(await each('open', 'EACCES', 'writeFile', 'text')).toEqual(nodeError('EACCES', 'open', 'file'))
      expect(await each('write', 'ENOSPC', 'writeFile', 'text')).toEqual(nodeError('ENOSPC', 'write'))
      expect(await each('close', 'EIO', 'writeFile', 'text')).toEqual(nodeError('EIO', 'close'))
      expect(await each('write', 'EIO', 'appendFile', 'text')).toEqual(nodeError('EIO', 'write'))
    },
  )
})

describe('directories', () => {
  test('opening one: the synchronous form names no path', async () => {
    for (const code of ['EACCES', 'EMFILE', 'EIO']) {
      const each = async (open: () => unknown) => {
        const { maker, arm } = fault('opendir', code)
        arm()
        return world().run(() => errorOf(open), undefined, maker)
      }
      expect(await each(() => fs.opendirSync('dir'))).toEqual(nodeError(code, 'opendir'))
      expect(await each(() => fs.promises.opendir('dir'))).toEqual(nodeError(code, 'opendir', 'dir'))
    }
  })

  test('reading one', async () => {
    const each = async (read: (directory: fs.Dir) => unknown) => {
      const { maker, arm } = fault('readdir', 'EIO')
      arm()
      return world().run(() => errorOf(() => read(fs.opendirSync('dir'))), undefined, maker)
    }
    expect(await each((directory) => directory.readSync())).toEqual(nodeError('EIO', 'readdir'))
    expect(await each((directory) => directory.read())).toEqual(nodeError('EIO', 'readdir'))
  })
})

describe('transfers that are cut short', () => {
  const ONE_BYTE = (_call: string, { bytes = 0 }: Possible): Fault | undefined => (bytes > 1 ? 1 : undefined)

  test('a call tells how many bytes it moved, and moves no others', async () => {
    await world().run(
      async () => {
        const fd = fs.openSync('file', 'r+')
        const target = Buffer.alloc(10, '.')
        expect(fs.readSync(fd, target, 2, 8, null)).toBe(1)
        expect(target.toString()).toBe('..0.......')
        expect(fs.readSync(fd, target, 0, 8, null)).toBe(1)
        expect(target.toString()).toBe('1.0.......')
        expect(fs.writeSync(fd, 'abcdef', 5)).toBe(1)
        expect(fs.writevSync(fd, [Buffer.from('xy'), Buffer.from('z')], 7)).toBe(1)
        const views = [Buffer.alloc(2, '.'), Buffer.alloc(2, '.')]
        expect(fs.readvSync(fd, views, 0)).toBe(1)
        expect(Buffer.concat(views).toString()).toBe('0...')
        expect(fs.readFileSync('file', 'utf8')).toBe('01234a6x89')
      },
      undefined,
      ONE_BYTE,
    )
  })

  test('several buffers are filled up to the count, across their bounds', async () => {
    await world().run(
      async () => {
        const handle = await fs.promises.open('file', 'r+')
        const views = [Buffer.alloc(2, '.'), Buffer.alloc(3, '.')]
        expect((await handle.readv(views, 0)).bytesRead).toBe(3)
        expect(Buffer.concat(views).toString()).toBe('012..')
        expect((await handle.writev([Buffer.from('ab'), Buffer.from('cd')], 0)).bytesWritten).toBe(3)
        await handle.close()
        expect(fs.readFileSync('file', 'utf8')).toBe('abc3456789')
      },
      undefined,
      (_call, { bytes = 0 }) => (bytes > 3 ? 3 : undefined),
    )
  })

  test('whatever in Node loops until all is done gets there', async () => {
    const log = await world().run(
      async () => {
        const whole: unknown[] = []
        const look = () => whole.push(fs.readFileSync('copy', 'latin1'))
        fs.writeFileSync('copy', 'one, sync')
        look()
        fs.writeFileSync('copy', Buffer.from('two, sync'))
        look()
        await new Promise((done) => fs.writeFile('copy', 'three, callback', done))
        look()
        await fs.promises.writeFile('copy', 'four, promise')
        look()
        await fs.promises.appendFile('copy', ', appended')
        look()
        const handle = await fs.promises.open('copy', 'w+')
        await handle.writeFile('five, handle')
        await handle.close()
        look()
        await pipeline(fs.createReadStream('file'), fs.createWriteStream('copy'))
        look()
        const stream = fs.createWriteStream('copy')
        stream.cork()
        stream.write('six, ')
        stream.write('corked')
        stream.uncork()
        await new Promise((done) => stream.end(done))
        look()
        const read = [
          fs.readFileSync('file').toString(),
          fs.readFileSync('file', 'utf8'),
          await new Promise((done) => fs.readFile('file', 'utf8', (_, text) => done(text))),
          (await buffer(fs.createReadStream('file', { highWaterMark: 4 }))).toString(),
        ]
        return [whole, read]
      },
      undefined,
      ONE_BYTE,
    )
    expect(log).toEqual([
      [
        'one, sync',
        'two, sync',
        'three, callback',
        'four, promise',
        'four, promise, appended',
        'five, handle',
        TEXT,
        'six, corked',
      ],
      Array(4).fill(TEXT),
    ])
  })

  test('fs.promises.readFile takes a short read for the end of the file, as in Node up to 24 (seen under strace)', async () => {
    const text = await world().run(() => fs.promises.readFile('file', 'utf8'), undefined, ONE_BYTE)
    expect(text).toBe(NODE_MAJOR < 26 ? '0' : TEXT)
  })
})
