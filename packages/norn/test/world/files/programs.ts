/**
 * Programs of file operations through Node's public `fs`, drawn from a seed: run once on the real
 * disk and once on the overlay, their logs have to be equal.
 *
 * What differs between two file systems by right is left out of the log: inode and device numbers,
 * times nobody set, sizes of directories, random names, descriptor numbers.
 */
import fs from 'node:fs'
import path from 'node:path'

type Random = (below: number) => number

/** mulberry32 */
export function random(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Form = 'sync' | 'callback' | 'promise'

// biome-ignore lint/suspicious/noExplicitAny: the public functions are called by name
const anyFs = fs as any

/** Calls a public function in one of its forms; the outcome as plain data. */
export async function call(form: Form, name: string, ...args: unknown[]): Promise<unknown> {
  try {
    if (form === 'sync') return show(anyFs[`${name}Sync`](...args))
    if (form === 'promise') return show(await anyFs.promises[name](...args))
    return await new Promise((resolve) => {
      anyFs[name](...args, (...results: unknown[]) => {
        resolve(results[0] instanceof Error ? show(results[0]) : results.length > 1 ? show(results[1]) : 'nothing')
      })
    }).then((shown) => (shown === 'nothing' ? undefined : shown))
  } catch (error) {
    return show(error)
  }
}

/** Plain data that has to be equal on both sides. */
export function show(value: unknown): unknown {
  if (value instanceof Error) {
    const error = value as NodeJS.ErrnoException & { dest?: string }
    const { message, errno, code, syscall, dest } = error
    return { failed: message, errno, code, syscall, path: error.path, dest }
  }
  if (value instanceof fs.Stats || (typeof value === 'object' && value !== null && 'birthtimeMs' in value)) {
    const { mode, nlink, uid, gid, size, blksize, ...rest } = value as fs.Stats
    const isDirectory = (value as fs.Stats).isDirectory()
    return { mode, nlink, uid, gid, size: isDirectory ? 'any' : size, fields: Object.keys(rest).length, blksize }
  }
  if (value instanceof fs.Dirent) {
    return { name: String(value.name), in: value.parentPath, file: value.isFile(), directory: value.isDirectory() }
  }
  if (Array.isArray(value)) return value.map(show)
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  return value
}

const NAMES = ['a', 'b', 'c', 'd', 'file', 'dir', 'link', 'ü']

/**
 * A path below the working directory: mostly plain, at times through links, with dots or slashes.
 * Never upwards: the programs remove trees, for real. (`..` is in scripted.test.ts.)
 */
function somePath(next: Random): string {
  const depth = next(8) === 0 ? 3 : 1 + next(2)
  const parts: string[] = [pick(next, NAMES)]
  while (parts.length < depth) parts.push(next(20) === 0 ? pick(next, ['.', '']) : pick(next, NAMES))
  const relative = parts.join('/')
  const whole = next(3) === 0 ? relative : `${process.cwd()}/${relative}`
  return next(15) === 0 ? `${whole}/` : whole
}

function pick<T>(next: Random, values: readonly T[]): T {
  return values[next(values.length)]!
}

const FLAGS = ['r', 'r+', 'w', 'w+', 'wx', 'a', 'a+', 'ax+', 'rs+']
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants
const NUMBERS = [O_NOFOLLOW, O_DIRECTORY, O_RDONLY | O_TRUNC, O_WRONLY | O_CREAT | O_NOFOLLOW, O_CREAT | O_EXCL]

interface State {
  readonly next: Random
  readonly open: number[]
  readonly handles: fs.promises.FileHandle[]
}

type Step = (state: State, form: Form) => Promise<unknown> | unknown

const data = (next: Random) => 'abcdefghij'.repeat(next(4)).slice(next(10))
const mode = (next: Random) => pick(next, [0o644, 0o600, 0o755, 0o777, 0o4755, 0o400])

const onPaths: Record<string, Step> = {
  writeFile: ({ next }, form) =>
    call(
      form,
      'writeFile',
      somePath(next),
      data(next),
      next(3) ? 'utf8' : { flag: pick(next, FLAGS), mode: mode(next) },
    ),
  writeBytes: ({ next }, form) =>
    call(form, 'writeFile', somePath(next), Buffer.from(data(next)), { flush: next(2) === 0 }),
  appendFile: ({ next }, form) => call(form, 'appendFile', somePath(next), data(next)),
  readFile: ({ next }, form) => call(form, 'readFile', somePath(next), pick(next, ['utf8', 'latin1', undefined])),
  mkdir: ({ next }, form) => call(form, 'mkdir', somePath(next), mode(next) & 0o777),
  mkdirAll: ({ next }, form) => call(form, 'mkdir', somePath(next), { recursive: true }),
  rmdir: ({ next }, form) => call(form, 'rmdir', somePath(next)),
  // Not of `x/.`, for which rmSync has an error without a code.
  rm: ({ next }, form) =>
    call(form, 'rm', somePath(next).replace(/\/\.(?=\/|$)/g, ''), { recursive: next(3) > 0, force: next(2) === 0 }),
  unlink: ({ next }, form) => call(form, 'unlink', somePath(next)),
  rename: ({ next }, form) => call(form, 'rename', somePath(next), somePath(next)),
  link: ({ next }, form) => call(form, 'link', somePath(next), somePath(next)),
  symlink: ({ next }, form) => call(form, 'symlink', next(2) ? pick(next, NAMES) : somePath(next), somePath(next)),
  readlink: ({ next }, form) => call(form, 'readlink', somePath(next)),
  realpath: ({ next }, form) => call(form, 'realpath', somePath(next)),
  stat: ({ next }, form) => call(form, 'stat', somePath(next)),
  lstat: ({ next }, form) => call(form, 'lstat', somePath(next)),
  statQuietly: ({ next }) => call('sync', pick(next, ['stat', 'lstat']), somePath(next), { throwIfNoEntry: false }),
  statBig: ({ next }, form) => call(form, 'lstat', somePath(next), { bigint: true }),
  readdir: ({ next }, form) => call(form, 'readdir', somePath(next)),
  readdirTypes: ({ next }, form) => call(form, 'readdir', somePath(next), { withFileTypes: true }),
  readdirBytes: ({ next }, form) => call(form, 'readdir', somePath(next), 'buffer'),
  access: ({ next }, form) => call(form, 'access', somePath(next), next(8)),
  exists: ({ next }) => call('sync', 'exists', somePath(next)),
  chmod: ({ next }, form) => call(form, 'chmod', somePath(next), mode(next)),
  chown: ({ next }, form) => call(form, pick(next, ['chown', 'lchown']), somePath(next), next(3), next(3)),
  utimes: async ({ next }, form) => {
    const where = somePath(next)
    const outcome = await call(form, pick(next, ['utimes', 'lutimes']), where, next(1e9) / 7, -next(1000) / 3 + 1e9)
    const stat = outcome === undefined ? fs.lstatSync(where) : undefined
    return [outcome, stat?.isSymbolicLink() ? undefined : stat?.atimeMs, stat?.mtimeMs !== undefined]
  },
  truncate: ({ next }, form) => call(form, 'truncate', somePath(next), next(50)),
  copyFile: ({ next }, form) => call(form, 'copyFile', somePath(next), somePath(next), pick(next, [0, 0, 0, 1, 2, 4])),
  mkdtemp: async ({ next }, form) => {
    const made = await call(form, 'mkdtemp', somePath(next))
    if (typeof made !== 'string') return (made as { code: string }).code
    fs.rmdirSync(made)
    return made.slice(0, -6)
  },
  opendir: async ({ next }) => {
    const where = somePath(next)
    try {
      const names: unknown[] = []
      const directory = await fs.promises.opendir(where, { bufferSize: 1 + next(3) })
      for await (const entry of directory) names.push(entry.name)
      return names.sort()
    } catch (error) {
      return show(error)
    }
  },
  opendirSync: ({ next }) => {
    const where = somePath(next)
    try {
      const directory = fs.opendirSync(where)
      const names: unknown[] = []
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) names.push(show(entry))
      directory.closeSync()
      return names.length
    } catch (error) {
      return show(error)
    }
  },
  native: ({ next }) => {
    try {
      return fs.realpathSync.native(somePath(next))
    } catch (error) {
      return show(error)
    }
  },
}

const onOpen: Record<string, Step> = {
  open: async ({ next, open }, form) => {
    if (open.length > 6) return undefined
    const flags = next(4) ? pick(next, FLAGS) : pick(next, NUMBERS)
    const outcome = await call(form === 'promise' ? 'callback' : form, 'open', somePath(next), flags, mode(next))
    if (typeof outcome !== 'number') return outcome
    open.push(outcome)
    return 'open'
  },
  close: ({ next, open }, form) => {
    const [fd] = open.splice(next(open.length), 1)
    return call(form === 'promise' ? 'callback' : form, 'close', fd ?? 999)
  },
  read: onFd('read', async (form, fd, next) => {
    const buffer = Buffer.alloc(12, 46)
    const position = pick(next, [null, null, 0, 3, 100, 2n])
    return [await call(form, 'read', fd, buffer, next(5), next(8), position), show(buffer)]
  }),
  readv: onFd('readv', async (form, fd, next) => {
    const buffers = [Buffer.alloc(3), new Uint16Array(2), new DataView(new ArrayBuffer(5), 1)]
    return [
      await call(form, 'readv', fd, buffers, pick(next, [null, 2])),
      show(buffers.map((view) => Buffer.from(view.buffer))),
    ]
  }),
  write: onFd('write', (form, fd, next) =>
    call(form, 'write', fd, Buffer.from(data(next)), 0, undefined, pick(next, [null, null, 0, 5, 30])),
  ),
  writeText: onFd('write', (form, fd, next) =>
    call(form, 'write', fd, `ä${data(next)}`, pick(next, [null, 0, 9]), pick(next, ['utf8', 'latin1', 'utf16le'])),
  ),
  writev: onFd('writev', (form, fd, next) =>
    call(form, 'writev', fd, [Buffer.from(data(next)), Buffer.from('xyz')], pick(next, [null, 4])),
  ),
  ftruncate: onFd('ftruncate', (form, fd, next) => call(form, 'ftruncate', fd, next(40))),
  fstat: onFd('fstat', (form, fd) => call(form, 'fstat', fd)),
  fchmod: onFd('fchmod', (form, fd, next) => call(form, 'fchmod', fd, mode(next))),
  fchown: onFd('fchown', (form, fd, next) => call(form, 'fchown', fd, next(3), next(3))),
  fsync: onFd('fsync', (form, fd, next) => call(form, pick(next, ['fsync', 'fdatasync']), fd)),
  readWhole: onFd('readFile', (form, fd, next) => call(form, 'readFile', fd, pick(next, ['utf8', undefined]))),
  writeWhole: onFd('writeFile', (form, fd, next) => call(form, 'writeFile', fd, data(next))),
  futimes: onFd('futimes', async (form, fd, next) => {
    const outcome = await call(form, 'futimes', fd, next(1e6), new Date(next(1e9)))
    return [outcome, outcome === undefined ? fs.fstatSync(fd).mtimeMs : undefined]
  }),
}

function onFd(_name: string, step: (form: Form, fd: number, next: Random) => Promise<unknown>): Step {
  return ({ next, open }, form) =>
    step(form === 'promise' ? 'callback' : form, next(12) === 0 ? 999 : (open[next(open.length || 1)] ?? 999), next)
}

const onHandles: Record<string, Step> = {
  handle: ({ next, handles }) =>
    attempt(async () => {
      if (handles.length > 4) return undefined
      handles.push(await fs.promises.open(somePath(next), pick(next, FLAGS), mode(next)))
      return 'open'
    }),
  handleRead: withHandle(async (handle, next) => {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(8), position: pick(next, [null, 1]) })
    return [bytesRead, show(buffer)]
  }),
  handleWrite: withHandle(async (handle, next) => (await handle.write(data(next))).bytesWritten),
  handleWhole: withHandle(async (handle) => show(await handle.readFile())),
  handleAppend: withHandle((handle, next) => handle.appendFile(data(next))),
  handleStat: withHandle(async (handle) => show(await handle.stat())),
  handleTruncate: withHandle((handle, next) => handle.truncate(next(20))),
  handleSync: withHandle((handle) => handle.datasync()),
  handleClose: ({ next, handles }) => attempt(async () => handles.splice(next(handles.length), 1)[0]?.close()),
}

function withHandle(step: (handle: fs.promises.FileHandle, next: Random) => unknown): Step {
  return ({ next, handles }) =>
    attempt(() => (handles.length === 0 ? undefined : step(handles[next(handles.length)]!, next)))
}

async function attempt(step: () => unknown): Promise<unknown> {
  try {
    return await step()
  } catch (error) {
    return show(error)
  }
}

const STEPS = Object.entries({ ...onPaths, ...onOpen, ...onHandles })

/** Runs `count` operations in the working directory; the log of what each gave. */
export async function runProgram(seed: number, count: number): Promise<string[]> {
  const state: State = { next: random(seed), open: [], handles: [] }
  const log: string[] = []
  for (let step = 0; step < count; step++) {
    const [name, run] = STEPS[state.next(STEPS.length)]!
    const form = pick<Form>(state.next, ['sync', 'callback', 'promise'])
    log.push(`${step} ${name} ${form} ${text(await run(state, form))}`)
  }
  for (const fd of state.open) fs.closeSync(fd)
  for (const handle of state.handles) await handle.close()
  return log
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'undefined'
}

/** Everything below a directory, as lines. */
export function treeOf(directory: string, prefix = ''): string[] {
  const lines: string[] = []
  for (const name of fs.readdirSync(directory).sort()) {
    const at = path.posix.join(directory, name)
    const stat = fs.lstatSync(at)
    const what = stat.isSymbolicLink() ? `-> ${fs.readlinkSync(at)}` : stat.isFile() ? fs.readFileSync(at, 'hex') : ''
    lines.push(`${prefix}${name} ${stat.mode.toString(8)} ${stat.nlink} ${stat.uid}:${stat.gid} ${what}`)
    if (stat.isDirectory()) lines.push(...treeOf(at, `${prefix}  `))
  }
  return lines
}
