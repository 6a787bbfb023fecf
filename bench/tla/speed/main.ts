/**
 * Norn against TLC with one worker, model after model on the same machine, in turns.
 *
 * The start-up time of either is measured on a specification of a single state (median of several
 * runs) and subtracted for the rate of distinct states. Norn runs compiled, as published. A ratio
 * says how many times as fast norn is; it is left out where the counts differ, and where TLC cannot
 * run a model: it lacks the modules of the proof system.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rounded } from '../../measure.ts'
import { median } from '../../statistics/summary.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import { assertCollection } from '../examples/collection.ts'
import { explore } from '../examples/explore.ts'
import { runTlc } from '../examples/tlc.ts'
import { large, oneState, type Subject, small } from './subjects.ts'

/** One side on one model. */
interface Timed {
  readonly distinct: number
  /** Of the whole command. */
  readonly seconds: number
}

/** Undefined if this side cannot run the model. */
type Side = (subject: Subject) => Promise<Timed | undefined>

export interface Row {
  readonly suite: 'tla-speed'
  /**
   * `rate`: distinct states a second, once started. `command`: the whole command, on small models.
   */
  readonly kind: 'rate' | 'command'
  readonly model: string
  readonly distinct: number
  readonly seconds: number
  readonly statesPerSecond?: number
  readonly tlcSeconds?: number
  readonly tlcStatesPerSecond?: number
  readonly ratio?: number
}

const TIME_MS = 600_000
const ROOT = resolve(import.meta.dirname, '../../..')

export interface Options extends FilteredOptions {
  /** The path of tla2tools.jar. */
  readonly tlc: string | undefined
  /** A clone of tlaplus/Examples; without it, our own models are timed. */
  readonly examples: string | undefined
}

export async function run({ smoke, json, only = '', tlc, examples }: Options): Promise<void> {
  if (examples !== undefined) assertCollection(examples)
  if (tlc !== undefined && !existsSync(tlc)) throw new UsageError(`--tlc: no such file: ${tlc}`)
  if (tlc === undefined) console.error('norn alone is timed; give --tlc JAR to time TLC as well')
  const scratch = mkdtempSync(join(tmpdir(), 'norn-tla-speed-'))
  try {
    const sides: readonly Side[] = [
      nornSide(smoke ? undefined : compiled()),
      ...(tlc === undefined ? [] : [tlcSide(tlc)]),
    ]
    const among = (subjects: readonly Subject[]) => subjects.filter(({ name }) => name.includes(only))
    const start = await startSeconds(sides, oneState(scratch), smoke ? 1 : 5)
    if (!json)
      console.log(
        `to start: ${['norn', 'TLC']
          .slice(0, sides.length)
          .map((name, side) => `${name} ${start[side]!.toFixed(2)} s`)
          .join(', ')}`,
      )
    const rows: Row[] = []
    const print = (row: Row) => {
      rows.push(row)
      console.log(json ? JSON.stringify(row) : text(row))
    }
    for (const subject of smoke ? [] : among(large(examples, scratch))) print(await rateRow(subject, sides, start))
    const quick = among(small(examples)).slice(0, smoke ? 2 : undefined)
    for (const subject of quick) print(await commandRow(subject, sides))
    if (!json) for (const kind of ['rate', 'command'] as const) summarise(kind, rows)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The command as it is published. */
function compiled(): string {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
  return join(ROOT, 'packages/norn/dist/cli/main.js')
}

function nornSide(main: string | undefined): Side {
  return async ({ specification, configuration }) => {
    const { distinct, seconds, result, why } = await explore(specification, configuration, { timeMs: TIME_MS, main })
    if (result !== 'passes') throw new Error(`norn, ${configuration}: ${why ?? result}`)
    return { distinct: distinct!, seconds }
  }
}

function tlcSide(jar: string): Side {
  return async ({ specification, configuration }) => {
    const { distinct, seconds, result } = runTlc(specification, configuration, { jar, timeMs: TIME_MS })
    if (result !== 'passes') return undefined
    return { distinct: distinct!, seconds }
  }
}

async function startSeconds(sides: readonly Side[], subject: Subject, rounds: number): Promise<readonly number[]> {
  const times: number[][] = sides.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, side] of sides.entries()) times[at]!.push((await side(subject))!.seconds)
  }
  return times.map((each) => median(each))
}

async function inTurn(subject: Subject, sides: readonly Side[]): Promise<[Timed, Timed | undefined]> {
  const timed: (Timed | undefined)[] = []
  for (const side of sides) timed.push(await side(subject))
  return [timed[0]!, timed[1]]
}

async function rateRow(subject: Subject, sides: readonly Side[], start: readonly number[]): Promise<Row> {
  const [norn, tlc] = await inTurn(subject, sides)
  const rate = ({ distinct, seconds }: Timed, side: number) => distinct / Math.max(seconds - start[side]!, 0.001)
  const mine = { ...rowOf('rate', subject, norn), statesPerSecond: Math.round(rate(norn, 0)) }
  if (tlc === undefined) return mine
  const both = { ...mine, tlcSeconds: rounded(tlc.seconds), tlcStatesPerSecond: Math.round(rate(tlc, 1)) }
  return tlc.distinct === norn.distinct ? { ...both, ratio: rounded(rate(norn, 0) / rate(tlc, 1)) } : both
}

async function commandRow(subject: Subject, sides: readonly Side[]): Promise<Row> {
  const [norn, tlc] = await inTurn(subject, sides)
  const mine = rowOf('command', subject, norn)
  if (tlc === undefined) return mine
  const both = { ...mine, tlcSeconds: rounded(tlc.seconds) }
  return tlc.distinct === norn.distinct ? { ...both, ratio: rounded(tlc.seconds / norn.seconds) } : both
}

function rowOf(kind: Row['kind'], { name }: Subject, { distinct, seconds }: Timed): Row {
  return { suite: 'tla-speed', kind, model: name, distinct, seconds: rounded(seconds) }
}

function text({ kind, model, distinct, seconds, statesPerSecond, tlcSeconds, tlcStatesPerSecond, ratio }: Row): string {
  const side = (name: string, inAll: number, rate: number | undefined) =>
    rate === undefined ? `${name} ${inAll} s` : `${name} ${inAll} s, ${rate} states/s`
  const parts = [side('norn', seconds, statesPerSecond)]
  if (tlcSeconds !== undefined) {
    parts.push(side('TLC', tlcSeconds, tlcStatesPerSecond))
    parts.push(ratio === undefined ? 'counts differ' : `${ratio} times as fast`)
  }
  return `${kind} ${model}, ${distinct} states: ${parts.join('; ')}`
}

function summarise(kind: Row['kind'], rows: readonly Row[]): void {
  const ratios = rows.filter((row) => row.kind === kind).flatMap(({ ratio }) => ratio ?? [])
  if (ratios.length === 0) return
  const what = kind === 'rate' ? 'distinct states a second' : 'whole command'
  console.log(
    `${what}: ${rounded(median(ratios))} times as fast as TLC at the median of ${ratios.length}, ${Math.min(...ratios)} at least`,
  )
}
