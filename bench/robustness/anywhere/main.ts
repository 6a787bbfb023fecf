/**
 * Replays from anywhere: failures of ten kinds are found in one place, and replayed in fresh
 * processes in others: other folders, environments, limits and loads, each drawn from a seed. A
 * replay that prints another line than the first, or is not exact, is a mismatch.
 *
 * Each Node replays what it found. Then the failures of the first one are replayed on the others,
 * which may differ, since another Node may do the same work in other steps: these rows only count.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { chance } from '../../engine.ts'
import { printTable } from '../../output.ts'
import { sideBySide } from '../../processes.ts'
import type { FilteredOptions } from '../../suite.ts'
import { type Circumstances, circumstances } from './circumstances.ts'

const MAIN = resolve(import.meta.dirname, '../../../packages/norn/src/cli/main.ts')
const PROJECT = resolve(import.meta.dirname, 'project')
const SEED = 1
const REPLAYS = 300
const SMOKE_REPLAYS = 4
/** Those that depend most on where they run. */
const SMOKE_FAILURES = ['folders', 'local']
const SIDE_BY_SIDE = 8
/** After so many replays a line tells how far the run is. */
const PROGRESS = 25

interface Row {
  readonly suite: 'anywhere'
  /** The Node that replayed. */
  readonly node: string
  /** The Node that found the failures. */
  readonly found: string
  readonly failure: string
  readonly replays: number
  readonly exact: number
  /** The same error and input, over another trace. */
  readonly otherTrace: number
  /** Must be 0 where a Node replays what it found. */
  readonly mismatches: number
}

interface Installation {
  readonly version: string
  readonly executable: string
  /** Flags with which it runs TypeScript. */
  readonly flags: readonly string[]
}

interface Found {
  readonly node: Installation
  readonly failure: string
  /** The project in which it was found. */
  readonly root: string
  /** Relative to the root. */
  readonly saved: string
  readonly line: Line
}

type Line = Readonly<Record<string, unknown>>

interface Options extends FilteredOptions {
  readonly replays: number | undefined
  readonly node: string | undefined
}

export async function run({ smoke, json, only = '', replays, node }: Options): Promise<void> {
  const began = performance.now()
  const wanted = replays ?? (smoke ? SMOKE_REPLAYS : REPLAYS)
  const nodes = (node?.split(',') ?? [process.execPath]).map(installation)
  const kinds = smoke ? SMOKE_FAILURES : failureNames(only)
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'norn-anywhere-')))
  try {
    mkdirSync(join(base, 'temporary'))
    const all: Found[] = []
    const finding = nodes.map((each) => findAll(each, kinds, base))
    for (const found of await Promise.all(finding)) all.push(...found)
    const rows = [...(await replayAll(all, wanted)), ...(await replayElsewhere(all, nodes))]
    const own = rows.filter(({ node, found }) => node === found)
    const sum = (column: 'replays' | 'mismatches') => own.reduce((total, row) => total + row[column], 0)
    if (json) for (const row of rows) console.log(JSON.stringify(row))
    else {
      printTable(rows, ['node', 'found', 'failure', 'replays', 'exact', 'otherTrace', 'mismatches'])
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      console.log(`${sum('replays')} replays, ${sum('mismatches')} mismatches, ${seconds} s`)
    }
    if (sum('mismatches') > 0 || sum('replays') !== wanted) process.exitCode = 1
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function failureNames(only: string): readonly string[] {
  return readdirSync(PROJECT)
    .filter((file) => file.endsWith('.fuzz.ts') && file.includes(only))
    .map((file) => file.replace('.fuzz.ts', ''))
    .sort()
}

function installation(executable: string): Installation {
  const script = 'JSON.stringify([process.versions.node, process.features.typescript])'
  const [version, typescript] = JSON.parse(execFileSync(executable, ['-p', script], { encoding: 'utf8' }))
  const flags = ['-C', 'norn-source', '--no-warnings']
  return {
    version,
    executable: resolve(executable),
    flags: typescript ? flags : [...flags, '--experimental-strip-types'],
  }
}

/** Finds each failure in a project of its own, in plain circumstances. */
async function findAll(node: Installation, kinds: readonly string[], base: string): Promise<readonly Found[]> {
  const place = join(base, node.version)
  const root = join(place, 'project')
  cpSync(PROJECT, root, { recursive: true })
  for (const folder of ['home', 'temporary', 'project/folder', 'project/temporary']) mkdirSync(join(place, folder))
  symlinkSync('project', join(place, 'link'))
  const found: Found[] = []
  for (const failure of kinds) {
    const args = ['fuzz', `${failure}.fuzz.ts`, '--seed', '1', '--runs', '2000', '--json']
    const { lines, errors } = await norn(node, args, { cwd: root, env: environmentOf(node, {}, false) })
    const line = lines.find(({ type }) => type === 'failure')
    if (typeof line?.saved !== 'string') throw new Error(`${node.version}: no failure of ${failure}: ${errors}`)
    found.push({ node, failure, root, saved: line.saved, line })
  }
  return found
}

async function replayAll(all: readonly Found[], wanted: number): Promise<readonly Row[]> {
  const outcomes = all.map(() => ({ replays: 0, exact: 0, otherTrace: 0, mismatches: 0 }))
  const first: (string | undefined)[] = all.map(() => undefined)
  await sideBySide(
    Array.from({ length: wanted }, (_, at) => at),
    SIDE_BY_SIDE,
    async (at) => {
      const index = at % all.length
      const found = all[index]!
      const drawn = circumstances(chance(SEED, at), (name) => resolve(found.root, name))
      const { line, text, errors } = await replayIn(found, drawn)
      const outcome = outcomes[index]!
      outcome.replays++
      if ((at + 1) % PROGRESS === 0) console.error(`replay ${at + 1} of ${wanted}`)
      const same = isSame(found.line, line)
      if (same && line?.exact === true) outcome.exact++
      else if (same) outcome.otherTrace++
      if (same && line?.exact === true && text === (first[index] ??= text)) return
      outcome.mismatches++
      console.error(`mismatch: ${found.failure} on ${found.node.version}\n${JSON.stringify(drawn)}\n${text}\n${errors}`)
    },
  )
  return all.map(({ node: { version }, failure }, index) => ({
    ...{ suite: 'anywhere', node: version, found: version, failure },
    ...outcomes[index]!,
  }))
}

/** Replays the failures of the first Node on the others. */
async function replayElsewhere(all: readonly Found[], nodes: readonly Installation[]): Promise<readonly Row[]> {
  const [from, ...others] = nodes
  const rows: Row[] = []
  for (const node of others) {
    for (const { root, saved, line: before, failure } of all.filter((each) => each.node === from)) {
      const { lines } = await norn(node, ['replay', saved, '--json'], {
        cwd: root,
        env: environmentOf(node, {}, false),
      })
      const same = isSame(before, lines[0])
      const exact = same && lines[0]?.exact === true ? 1 : 0
      const counts = { replays: 1, exact, otherTrace: same ? 1 - exact : 0, mismatches: same ? 0 : 1 }
      rows.push({ suite: 'anywhere', node: node.version, found: from!.version, failure, ...counts })
    }
  }
  return rows
}

const SHOWN = ['property', 'verdict', 'kind', 'error', 'message', 'input'] as const

function isSame(found: Line, replayed: Line | undefined): boolean {
  return replayed !== undefined && SHOWN.every((field) => found[field] === replayed[field])
}

/** Calls `norn replay` in circumstances. */
async function replayIn({ node, root, saved }: Found, drawn: Circumstances) {
  const path = join(drawn.named === 'through a link' ? join(root, '../link') : root, saved)
  const named = drawn.named === 'relative' ? relative(realpathSync(drawn.cwd), path) : path
  const busy = Array.from({ length: drawn.busy }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    const { lines, ...rest } = await norn(
      node,
      ['replay', named, '--json'],
      { cwd: drawn.cwd, env: environmentOf(node, drawn.environment, drawn.bare) },
      drawn,
    )
    return { line: lines[0], ...rest }
  } finally {
    for (const each of busy) each.kill('SIGKILL')
  }
}

function environmentOf(node: Installation, changed: NodeJS.ProcessEnv, bare: boolean): NodeJS.ProcessEnv {
  const { PATH } = process.env
  // Without a flag, Node before 22.18 does not run the sources; processes of norn need it too.
  const options = node.flags.includes('--experimental-strip-types')
    ? { NODE_OPTIONS: '--experimental-strip-types' }
    : {}
  return { ...(bare ? { PATH } : process.env), ...changed, ...options }
}

const PLAIN = { limits: [], umask: '022', nice: 0 } satisfies Partial<Circumstances>

async function norn(
  { executable, flags }: Installation,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  { limits, umask, nice }: Pick<Circumstances, 'limits' | 'umask' | 'nice'> = PLAIN,
) {
  const limit = limits.length === 0 ? '' : `ulimit -S ${limits.join(' ')} && `
  const script = `${limit}umask ${umask} && exec nice -n ${nice} "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', script, executable, ...flags, MAIN, ...args], {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
  return { lines, text: stdout, errors }
}
