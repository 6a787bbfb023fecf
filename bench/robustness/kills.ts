/**
 * Kills: campaigns of two workers that find many failures are killed (SIGKILL) just after they have
 * reported one. Then every file is complete, every reported failure has its file and replays
 * exactly, a later run works and removes partial files, and no process is left.
 *
 * Trials alternate between killing all processes, the supervisor alone, and the workers alone.
 * Power loss is out of scope: nothing is synchronised to the disk.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
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
 * A campaign is killed at most this long after a report. Half of the kills come at once; before the
 * others the campaign finds, saves, shrinks and confirms more.
 */
const LATEST_MS = { soon: 20, later: 1500 }

/** Node keeps compiled modules in this folder of TMPDIR, across runs by design. */
const COMPILE_CACHE = 'node-compile-cache'

/** Limit for the report that a kill waits for. */
const REPORT_MS = 120_000

/** Limit for killed processes to disappear: an orphan notices once a second. */
const ORPHAN_MS = 30_000

/** The properties, and the failures of each; each failure costs a process, which confirms it. */
const SIZE = { properties: 4, failures: 6 }
const SMOKE_SIZE = { properties: 2, failures: 2 }
/** Executions of each property. */
const RUNS_PER_FAILURE = 50

const textOf = ({ properties, failures }: typeof SIZE) => `import { fc, fuzz } from 'norn'

for (const name of ['one', 'two', 'three', 'four'].slice(0, ${properties})) {
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
  /** Of those, in a fresh process. */
  readonly confirmed: number
  readonly files: number
  readonly replayed: number
  /**
   * All of these must be 0. `missing`: reported failures without a file; `torn`: files that do not
   * parse; `notReplayed`: confirmed failures that a later run does not replay exactly.
   */
  readonly missing: number
  readonly torn: number
  readonly notReplayed: number
  readonly litter: number
  readonly orphans: number
  readonly laterRunsFailed: number
}

type Count = Exclude<keyof Row, 'suite'>

export async function run({
  smoke,
  json,
  kills: asked,
}: CommonOptions & { readonly kills: number | undefined }): Promise<void> {
  const draw = chance(0x6b696c6c, SEED)
  const row: Record<Count, number> & { suite: 'kills' } = {
    ...{
      suite: 'kills',
      kills: asked ?? (smoke ? SMOKE_KILLS : KILLS),
      hit: 0,
      announced: 0,
      confirmed: 0,
      files: 0,
      replayed: 0,
    },
    ...{ missing: 0, torn: 0, notReplayed: 0, litter: 0, orphans: 0, laterRunsFailed: 0 },
  }
  for (let kill = 0; kill < row.kills; kill++) {
    const size = smoke ? SMOKE_SIZE : SIZE
    const moment = {
      // Not after the last report, with which the campaign ends.
      reports: draw.integer(1, size.properties * size.failures - 1),
      afterMs: draw.integer(0, draw.coin(0.5) ? LATEST_MS.soon : LATEST_MS.later),
    }
    await oneKill(TARGETS[kill % TARGETS.length]!, moment, size, row)
  }
  const { kills, hit, announced, confirmed, files, replayed } = row
  const wrong: Count[] = ['missing', 'torn', 'notReplayed', 'litter', 'orphans', 'laterRunsFailed']
  printer(json)(
    row satisfies Row,
    `${kills} kills, ${hit} of them before the end of the campaign; ${announced} failures reported, ${confirmed} confirmed, ` +
      `${files} files, ${replayed} replayed exactly\nmust be 0: ${wrong.map((count) => `${count} ${row[count]}`).join(', ')}`,
  )
  if (wrong.some((count) => row[count] > 0) || row.hit === 0 || row.replayed === 0) process.exitCode = 1
}

async function oneKill(
  target: (typeof TARGETS)[number],
  { reports, afterMs }: { readonly reports: number; readonly afterMs: number },
  size: typeof SIZE,
  row: Record<Count, number>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'norn-kills-'))
  // Norn's temporary files go here, so that litter shows.
  const scratch = mkdtempSync(join(tmpdir(), 'norn-kills-tmp-'))
  try {
    writeFileSync(join(root, 'many.fuzz.ts'), textOf(size))
    const call = ['fuzz', 'many.fuzz.ts', '--seed', '1', '--keep-going', '--workers', '2', '--json', '--runs']
    const campaign = start(root, scratch, [...call, `${RUNS_PER_FAILURE * size.failures}`])
    const reported = () => campaign.lines().filter(({ type }) => type === 'failure')
    const seen = new Set<number>()
    const watch = setInterval(() => {
      for (const pid of childrenOf(campaign.child.pid!)) seen.add(pid)
    }, 20)
    await until(REPORT_MS, () => reported().length >= reports || campaign.child.exitCode !== null)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (campaign.child.exitCode === null) row.hit++
    const executing = childrenOf(campaign.child.pid!)
    for (const pid of executing) seen.add(pid)
    if (target !== 'executions') kill(campaign.child.pid!)
    if (target !== 'owner') for (const pid of executing) kill(pid)
    await campaign.ended
    clearInterval(watch)
    if (!(await until(ORPHAN_MS, () => ![...seen].some(isRunning)))) row.orphans++

    const announced = reported()
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
    // A later run tries all failures first, and removes what was left.
    const again = start(root, scratch, [...call, '2'])
    if ((await again.ended) !== 1) row.laterRunsFailed++
    const exact = new Set(again.lines().flatMap((line) => (line.exact === true ? line.saved : [])))
    // A worker that is killed here is a crash to norn, which says that it was not reproduced.
    const confirmed = announced.filter((line) => line.confirmed)
    const replayed = confirmed.filter(({ saved }) => exact.has(saved)).length
    row.confirmed += confirmed.length
    row.replayed += replayed
    row.notReplayed += confirmed.length - replayed
    const written = readdirSync(join(root, '.norn'), { recursive: true, encoding: 'utf8' })
    row.litter += written.filter((path) => basename(path).startsWith('.')).length
    row.litter += list(scratch).filter((name) => name !== COMPILE_CACHE).length
  } finally {
    rmSync(root, { recursive: true, force: true })
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Whether a condition came to hold in time. */
async function until(limitMs: number, holds: () => boolean): Promise<boolean> {
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    if (holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return false
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
