/** What is kept on disk is given again, unless it is damaged or must not be trusted. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheFolder, diskCache } from '../../src/storage/disk-cache.ts'

let home: string
let folder: string
let root: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'norn-cache-')))
  folder = join(home, 'cache', 'norn')
  root = join(home, 'project')
  mkdirSync(root)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** A cache as another process has it. */
const open = (maxBytes?: number) => diskCache({ folder, root, ...(maxBytes === undefined ? {} : { maxBytes }) })!
const entries = () => readdirSync(folder).filter((name) => !name.startsWith('.'))
const path = () => join(folder, entries()[0]!)

const VALUE = { text: 'é\u{1F600}', numbers: Int32Array.of(1, 2), map: new Map([['a', undefined]]), big: 3n }

describe('a value', () => {
  test('is made once for all processes', () => {
    const make = vi.fn(() => VALUE)
    expect(open().cached(['kind', 'text'], make)).toBe(VALUE)
    expect(open().cached(['kind', 'text'], make)).toEqual(VALUE)
    expect(make).toHaveBeenCalledTimes(1)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is another for each key', () => {
    const keys = [['a', 'bc'], ['ab', 'c'], ['abc'], ['a', 'bc', '']]
    const values = () => keys.map((key) => open().cached(key, () => key.join('|')))
    expect(values()).toEqual(values())
    expect(new Set(values()).size).toBe(keys.length)
  })

  test('that does not hold is made again, and kept if it holds', () => {
    open().cached(['key'], () => 1)
    const isTwo = (value: number) => value === 2
    expect(open().cached(['key'], () => 3, isTwo)).toBe(3)
    expect(open().cached(['key'], () => 2, isTwo)).toBe(2)
    expect(open().cached(['key'], () => 3, isTwo)).toBe(2)
  })

  test('is not kept if making it fails', () => {
    const fail = () => {
      throw new SyntaxError('no')
    }
    for (let time = 0; time < 2; time++) expect(() => open().cached(['key'], fail)).toThrow('no')
    expect(entries()).toEqual([])
  })
})

describe('a file', () => {
  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['is cut', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['is empty', () => new Uint8Array()],
    ['has another bit', (bytes) => bytes.fill(bytes.at(-3)! ^ 1, bytes.length - 3, bytes.length - 2)],
    ['is a text', () => Buffer.from('{"name":1}')],
  ])('that %s is written again', (_, damage) => {
    open().cached(['key'], () => VALUE)
    const whole = readFileSync(path())
    writeFileSync(path(), damage(readFileSync(path())))
    expect(open().cached(['key'], () => VALUE)).toEqual(VALUE)
    expect(readFileSync(path())).toEqual(whole)
  })

  test('of another key counts as missing', () => {
    open().cached(['one'], () => 1)
    const one = path()
    open().cached(['two'], () => 2)
    const two = join(folder, entries().find((name) => !one.endsWith(name))!)
    renameSync(one, two)
    expect(open().cached(['two'], () => 3)).toBe(3)
  })
})

describe('there is no cache', () => {
  test('in a folder that cannot be made', () => {
    writeFileSync(join(home, 'cache'), '')
    expect(open()).toBeUndefined()
  })

  test('in a folder that others can write', () => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o770)
    expect(open()).toBeUndefined()
  })

  test('behind a link', () => {
    mkdirSync(join(home, 'elsewhere'))
    mkdirSync(join(home, 'cache'))
    symlinkSync(join(home, 'elsewhere'), folder)
    expect(open()).toBeUndefined()
  })

  test('in the project, or in its checkout', () => {
    folder = join(root, '.cache', 'norn')
    expect(open()).toBeUndefined()
    mkdirSync(join(home, '.git'))
    folder = join(home, 'cache', 'norn')
    expect(open()).toBeUndefined()
  })
})

test('what cannot be written is made each time', () => {
  const cache = open()
  rmSync(folder, { recursive: true })
  for (let time = 0; time < 2; time++) expect(cache.cached(['key'], () => time)).toBe(time)
})

test('what was not used for longest goes when the folder is full', () => {
  const text = 'x'.repeat(1000)
  for (let n = 0; n < 10; n++) {
    open().cached([`${n}`], () => `${n}${text}`)
    const [newest] = entries().filter((name) => statSync(join(folder, name)).mtimeMs > 1e12)
    utimesSync(join(folder, newest!), n + 1, n + 1)
  }
  rmSync(join(folder, '.looked'))
  open(8000).cached(['new'], () => text)
  const isKept = (n: number) => open().cached([`${n}`], () => 'made again') !== 'made again'
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(isKept)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n > 4))
})

test('the folder is that of the user', () => {
  vi.stubEnv('XDG_CACHE_HOME', '/caches')
  expect(cacheFolder()).toBe('/caches/norn')
  vi.stubEnv('XDG_CACHE_HOME', 'caches')
  vi.stubEnv('HOME', '/home/me')
  expect(cacheFolder()).toBe('/home/me/.cache/norn')
})
