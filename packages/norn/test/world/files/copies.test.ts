/**
 * `cp` in its three forms on the overlay and on the disk, between trees drawn from a seed: the same
 * outcome, the same files. A tree that something is in the way of has one entry a directory, for the
 * order in which a disk lists entries decides which error comes first.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, random, treeOf } from './programs.ts'
import { world } from './world.ts'

type Random = ReturnType<typeof random>

const SEEDS = Number(process.env.NORN_FILES_SEEDS ?? 60)
const FIRST = Number(process.env.NORN_FILES_SEED ?? 1)
const SEVERAL = ['a', 'b', 'c', 'ü']
const LINKS = ['../other', '../../other/', 'nowhere', 'no/../../file', '../from/a', 'b', '/dev/null']
const SOURCES = ['from', 'file', 'link', 'from/a', 'missing', 'from/', 'other/x', 'other']

const home = process.cwd()
let root = ''

const pick = <Value>(next: Random, values: readonly Value[]): Value => values[next(values.length)]!

/** A tree below a directory: files of many modes and times, links that lead somewhere or nowhere. */
function grow(next: Random, at: string, names: readonly string[], depth: number): void {
  fs.mkdirSync(at)
  for (const name of names) {
    const below = path.join(at, name)
    const kind = next(depth > 0 ? 9 : 6)
    if (kind > 5) grow(next, below, names, depth - 1)
    else if (kind > 3) fs.symlinkSync(pick(next, LINKS), below)
    else if (kind > 0) writeFile(next, below)
  }
  fs.chmodSync(at, pick(next, [0o755, 0o700, 0o777]))
}

function writeFile(next: Random, at: string): void {
  fs.writeFileSync(at, 'text of a file '.repeat(next(3)))
  fs.chmodSync(at, pick(next, [0o644, 0o600, 0o755, 0o444, 0o4755, 0o200]))
}

function scene(seed: number, at: string): void {
  const next = random(seed)
  const hasTarget = next(3) > 0
  const names = hasTarget ? ['a'] : SEVERAL
  fs.mkdirSync(at)
  writeFile(next, path.join(at, 'file'))
  grow(next, path.join(at, 'other'), ['x'], 0)
  grow(next, path.join(at, 'from'), names, 3)
  if (hasTarget) grow(next, path.join(at, 'to'), names, 3)
  writeFile(next, path.join(at, 'occupied'))
  fs.symlinkSync(pick(next, ['from', 'other', 'file', 'nowhere']), path.join(at, 'link'))
}

/** What is copied, for people; and the outcome. */
async function copy(seed: number): Promise<[string, unknown]> {
  const next = random(seed + 0.5 * 2 ** 20)
  const plain = next(3) > 0
  const from = plain ? 'from' : pick(next, SOURCES)
  // Not below itself by another name: Node copies the copy until the path is too long.
  const targets = [
    'to',
    'occupied',
    'link',
    'new/deep/to',
    'to/',
    'file/x',
    './link/x',
    from === 'from' ? 'from/in/it' : 'to',
  ]
  const to = plain ? 'to' : pick(next, targets)
  const options = {
    ...(next(5) > 0 && { recursive: true }),
    ...(next(3) === 0 && { force: false }),
    ...(next(3) === 0 && { errorOnExist: true }),
    ...(next(3) === 0 && { dereference: true }),
    ...(next(3) === 0 && { preserveTimestamps: true }),
    ...(next(4) === 0 && { mode: pick(next, [0, 1, 2, 4]) }),
  }
  const filter = next(4) === 0 ? { filter: (each: string) => !each.endsWith('b') } : {}
  const verbatim = !options.dereference && next(3) === 0 ? { verbatimSymlinks: true } : {}
  for (const name of filesBelow('.')) fs.utimesSync(name, TIME, TIME)
  for (const name of filesBelow('.')) if (name.startsWith('to')) fs.utimesSync(name, 1, 1)
  const whole = (name: string) => (next(3) === 0 ? path.join(process.cwd(), name) : name)
  const form = pick(next, ['sync', 'sync', 'callback', 'promise'] as const)
  const all = { ...options, ...verbatim, ...filter }
  const given = `${form} ${from} to ${to}, ${JSON.stringify({ ...all, filter: 'filter' in filter })}`
  return [given, await call(form, 'cp', whole(from), whole(to), all)]
}

/** Node's recursive list would go through links. */
const filesBelow = (directory: string): string[] =>
  fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(name) : entry.isFile() ? [name] : []
  })

const TIME = 1234.5

/** The files that have the time of those copied: norn does not show the times of the disk. */
const timed = () =>
  filesBelow('.')
    .filter((name) => fs.statSync(name).mtimeMs === TIME * 1e3)
    .sort()

const isFailure = (outcome: unknown) => typeof outcome === 'object' && outcome !== null && 'failed' in outcome

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'norn-copies-'))
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) scene(seed, path.join(root, `${seed}`))
})

afterAll(() => {
  process.chdir(home)
  fs.rmSync(root, { recursive: true, force: true })
})

test.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))('seed %i', async (seed) => {
  process.chdir(path.join(root, `${seed}`))
  const before = treeOf('.')
  const overlay = await world().run(async () => [await copy(seed), treeOf('.'), timed()] as const)
  expect(treeOf('.')).toEqual(before)
  expect(world().files.openDescriptors()).toEqual([])
  // What the copy of Node 24 would not survive must not run here.
  if (world().refused.length > 0) return
  const [given, outcome] = await copy(seed)
  const [[, overlaid], ...files] = overlay
  // Of several entries another one may fail first, for another reason.
  if (isFailure(outcome) && !fs.existsSync('to/a')) expect(isFailure(overlaid), given).toBe(true)
  else {
    expect(overlaid, given).toEqual(outcome)
    expect(files, given).toEqual([treeOf('.'), timed()])
  }
})
