/**
 * Kills: campaigns that find many failures are killed (SIGKILL) at random times. Then every failure
 * file is complete and replays, no reported failure is missing, a later run works and removes
 * partial files, and no process is left.
 *
 * Trials alternate between killing the process group, the supervisor alone, and the worker alone.
 * Power loss is out of scope: nothing is synchronised to the disk.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FAILURES_FOLDER, readFailure } from '../../packages/norn/src/storage/failure-file.ts'
import { chance } from '../engine.ts'
import { printer } from '../output.ts'
import type { CommonOptions } from '../suite.ts'

const MAIN = resolve(import.meta.dirname, '../../packages/norn/src/cli/main.ts')
const TARGETS = ['group', 'owner', 'executions'] as const
const SEED = 1
const KILLS = 50
const SMOKE_KILLS = 3

/**
 * A campaign is killed at most this long after its first failure: it finds, saves, shrinks and
 * confirms meanwhile.
 */
const LATEST_MS = 2500

/** Node keeps compiled modules in this folder of TMPDIR, across runs by design. */
const COMPILE_CACHE = 'node-compile-cache'

/** Limit for a campaign's first failure. */
const FIRST_FAILURE_MS = 60_000

/** Limit for killed processes to disappear: an orphan notices once a second. */
const ORPHAN_MS = 30_000

/** Failures of each property; each costs a process, which confirms it. */
const FAILURES = 26
const SMOKE_FAILURES = 5

const properties = (failures: number) => `import { fc, fuzz } from 'norn'

for (const name of ['one', 'two']) {
  fuzz(name, { kind: fc.integer({ min: 0, max: ${failures - 1} }), size: fc.integer({ min: 0, max: 1e6 }) }, async ({ kind, size }) => {
    await new Promise((resolve) => setTimeout(resolve, size % 7))
    if (size > 10) throw new Error('kind ' + String.fromCharCode(97 + kind).repeat(2))
  })
}
`

interface Row {
  readonly suite: 'kills'
  readonly kills: number
  /** Kills before the end of the campaign. */
  readonly hit: number
  readonly announced: number
  readonly files: number
  readonly replayed: number
  /** All of these must be 0. `torn` counts files that do not parse. */
  readonly missing: number
  readonly torn: number
  readonly notReplayed: number
  readonly litter: number
  readonly orphans: number
  readonly laterRunsFailed: number
}

type Count = Exclude<keyof Row, 'suite'>

export async function run({ smoke, json }: CommonOptions): Promise<void> {
  const draw = chance(0x6b696c6c, SEED)
  const row: Record<Count, number> & { suite: 'kills' } = {
    ...{ suite: 'kills', kills: smoke ? SMOKE_KILLS : KILLS, hit: 0, announced: 0, files: 0, replayed: 0 },
    ...{ missing: 0, torn: 0, notReplayed: 0, litter: 0, orphans: 0, laterRunsFailed: 0 },
  }
  for (let kill = 0; kill < row.kills; kill++) {
    const afterMs = Math.floor(LATEST_MS * draw.unit())
    await oneKill(TARGETS[kill % TARGETS.length]!, afterMs, smoke ? SMOKE_FAILURES : FAILURES, row)
  }
  const { kills, hit, announced, files, replayed } = row
  const wrong: Count[] = ['missing', 'torn', 'notReplayed', 'litter', 'orphans', 'laterRunsFailed']
  printer(json)(
    row satisfies Row,
    `${kills} kills, ${hit} of them before the end of the campaign; ${announced} failures reported, ${files} files, ` +
      `${replayed} replayed\nmust be 0: ${wrong.map((count) => `${count} ${row[count]}`).join(', ')}`,
  )
  if (wrong.some((count) => row[count] > 0) || row.hit === 0 || row.announced === 0) process.exitCode = 1
}

async function oneKill(
  target: (typeof TARGETS)[number],
  afterMs: number,
  failures: number,
  row: Record<Count, number>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'norn-kills-'))
  // Norn's temporary files go here, so that litter shows.
  const scratch = mkdtempSync(join(tmpdir(), 'norn-kills-tmp-'))
  try {
    writeFileSync(join(root, 'many.fuzz.ts'), properties(failures))
    const calling = ['fuzz', 'many.fuzz.ts', '--runs', '300', '--seed', '1', '--keep-going', '--json']
    const campaign = start(root, scratch, calling)
    const seen = new Set<number>()
    const watch = setInterval(() => {
      for (const pid of childrenOf(campaign.child.pid!)) seen.add(pid)
    }, 20)
    await firstFailure(join(root, FAILURES_FOLDER))
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (campaign.child.exitCode === null) row.hit++
    const executing = childrenOf(campaign.child.pid!)
    for (const pid of executing) seen.add(pid)
    if (target !== 'executions') kill(campaign.child.pid!)
    if (target !== 'owner') for (const pid of executing) kill(pid)
    await campaign.ended
    clearInterval(watch)
    if (!(await allGone([...seen]))) row.orphans++

    const announced = campaign.lines().filter(({ type }) => type === 'failure')
    const folder = join(root, FAILURES_FOLDER)
    const files = list(folder).filter((name) => !name.startsWith('.'))
    row.announced += announced.length
    row.files += files.length
    row.missing += announced.filter(({ saved }) => !files.some((name) => String(saved).endsWith(name))).length
    for (const name of files) {
      try {
        readFailure(join(folder, name))
      } catch {
        row.torn++
      }
    }
    const [first] = files
    if (first !== undefined) {
      const replay = start(root, scratch, ['replay', join(FAILURES_FOLDER, first), '--json'])
      if ((await replay.ended) === 1) row.replayed++
      else row.notReplayed++
    }
    // A later run fails as it would have without the kill, and removes what was left.
    const again = start(root, scratch, ['fuzz', 'many.fuzz.ts', '--runs', '5', '--seed', '1', '--json'])
    if ((await again.ended) !== 1) row.laterRunsFailed++
    row.litter += list(folder).filter((name) => name.startsWith('.')).length
    row.litter += list(scratch).filter((name) => name !== COMPILE_CACHE).length
  } finally {
    rmSync(root, { recursive: true, force: true })
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function firstFailure(folder: string): Promise<void> {
  const until = performance.now() + FIRST_FAILURE_MS
  while (list(folder).length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** The whole lines so far. */
  lines(): Record<string, unknown>[]
}

function start(root: string, scratch: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    child,
    ended,
    lines: () => {
      const whole = text.slice(0, text.lastIndexOf('\n') + 1).trim()
      return whole === '' ? [] : whole.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    },
  }
}

/** The living children of a process, as Linux lists them. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  const until = performance.now() + ORPHAN_MS
  while (performance.now() < until) {
    if (!pids.some(isRunning)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/\) Z /.test(status) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child.')
  } catch {
    return false
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
