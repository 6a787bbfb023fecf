/**
 * The tla-speed suite: norn against TLC with one worker, model after model on the same machine, each in turn.
 *
 *     npm run bench -- tla-speed [--tlc JAR] [--examples DIR] [--only TEXT] [--json] [--smoke]
 *
 * JAR is TLC's, DIR a copy of tlaplus/Examples; without them norn alone is measured, on our own models. What either needs
 * to start is measured on a specification of a single state (the median of several runs) and taken off for the rate of
 * distinct states. norn runs as it is published: compiled, by the Node that runs this.
 *
 * A ratio says how many times as fast norn is. It is left out where the two come to different counts, and where TLC cannot
 * run a model at all: it brings no modules of the proof system.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UsageError } from '../../packages/norn/src/cli/exit-status.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { assertCollection } from '../tla-examples/collection.ts'
import { explore } from '../tla-examples/explore.ts'
import { runTlc } from '../tla-examples/tlc.ts'
import { large, oneState, type Subject, small } from './subjects.ts'

/** One side on one model. */
interface Timed {
  readonly distinct: number
  /** In all. */
  readonly seconds: number
}

/** Undefined if it cannot. */
type Side = (subject: Subject) => Promise<Timed | undefined>

export interface Row {
  readonly suite: 'tla-speed'
  /** `rate`: distinct states a second, once started. `command`: the whole of it, on small models. */
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
const ROOT = resolve(import.meta.dirname, '../..')

export async function main({ smoke, json, only = '', tlc, examples }: BenchOptions): Promise<void> {
  if (examples !== undefined) assertCollection(examples)
  if (tlc !== undefined && !existsSync(tlc)) throw new UsageError(`there is no ${tlc}`)
  if (tlc === undefined) console.error('without --tlc JAR (tla2tools.jar of the TLA+ tools, and Java), norn alone')
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
    const tell = (row: Row) => {
      rows.push(row)
      console.log(json ? JSON.stringify(row) : text(row))
    }
    for (const subject of smoke ? [] : among(large(examples, scratch))) tell(await rateRow(subject, sides, start))
    const quick = among(small(examples)).slice(0, smoke ? 2 : undefined)
    for (const subject of quick) tell(await commandRow(subject, sides))
    if (!json) for (const kind of ['rate', 'command'] as const) summarise(kind, rows)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The command as it is published. */
function compiled(): string {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
  return join(ROOT, 'dist', 'cli', 'main.js')
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
  const row: Row = {
    suite: 'tla-speed',
    kind: 'rate',
    model: subject.name,
    distinct: norn.distinct,
    seconds: rounded(norn.seconds),
    statesPerSecond: Math.round(rate(norn, 0)),
  }
  if (tlc === undefined) return row
  const both = { ...row, tlcSeconds: rounded(tlc.seconds), tlcStatesPerSecond: Math.round(rate(tlc, 1)) }
  return tlc.distinct === norn.distinct ? { ...both, ratio: rounded(rate(norn, 0) / rate(tlc, 1)) } : both
}

async function commandRow(subject: Subject, sides: readonly Side[]): Promise<Row> {
  const [norn, tlc] = await inTurn(subject, sides)
  const row: Row = {
    suite: 'tla-speed',
    kind: 'command',
    model: subject.name,
    distinct: norn.distinct,
    seconds: rounded(norn.seconds),
  }
  if (tlc === undefined) return row
  const both = { ...row, tlcSeconds: rounded(tlc.seconds) }
  return tlc.distinct === norn.distinct ? { ...both, ratio: rounded(tlc.seconds / norn.seconds) } : both
}

function text({ kind, model, distinct, seconds, statesPerSecond, tlcSeconds, tlcStatesPerSecond, ratio }: Row): string {
  const side = (name: string, inAll: number, rate: number | undefined) =>
    rate === undefined ? `${name} ${inAll} s` : `${name} ${inAll} s, ${rate} states/s`
  const parts = [side('norn', seconds, statesPerSecond)]
  if (tlcSeconds !== undefined) {
    parts.push(side('TLC', tlcSeconds, tlcStatesPerSecond))
    parts.push(ratio === undefined ? 'other counts' : `${ratio} times as fast`)
  }
  return `${kind === 'rate' ? 'rate' : 'command'} ${model}, ${distinct} states: ${parts.join('; ')}`
}

function summarise(kind: Row['kind'], rows: readonly Row[]): void {
  const ratios = rows.filter((row) => row.kind === kind).flatMap(({ ratio }) => ratio ?? [])
  if (ratios.length === 0) return
  const what = kind === 'rate' ? 'distinct states a second' : 'whole command'
  console.log(
    `${what}: ${rounded(median(ratios))} times as fast as TLC at the median of ${ratios.length}, ${Math.min(...ratios)} at least`,
  )
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
