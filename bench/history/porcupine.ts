/**
 * The time of each shared history by norn-history and by Porcupine, in turns in one run. Both get
 * operations in memory and check them several times, of which the fastest counts: a busy machine slows
 * the others. Porcupine checks the keys of a store on all cores, and is stopped after 20 s. It gives a
 * verdict only, or, timed apart, also partial linearizations; norn-history a verdict only, or, timed
 * apart, also partial linearizations, the smallest window, and the explanation in words.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkLinearizable } from '../../packages/history/src/linearizability/check.ts'
import { rounded } from '../measure.ts'
import { printer } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { type CommonOptions, UsageError } from '../suite.ts'
import { type KnownHistory, knownHistories } from './known-histories.ts'
import { MAIN_GO } from './porcupine-main.ts'

interface Options extends CommonOptions {
  readonly only?: string
  readonly data?: string
  readonly porcupine?: string
}

/** Checks of a history in a turn. */
const ROUNDS = 3

/** What takes Porcupine longer is checked in one turn only. */
const SLOW_MS = 1000

const execute = promisify(execFile)

export async function run({ data, porcupine, only, smoke, json }: Options): Promise<void> {
  if (porcupine === undefined) {
    console.error('history: porcupine: skipped: pass --porcupine DIR, a checkout of anishathalye/porcupine')
    return
  }
  if (!existsSync(join(porcupine, 'go.mod'))) throw new UsageError(`--porcupine: no go.mod in ${porcupine}`)
  const known = knownHistories(data, 'porcupine', only)
  if (known.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'porcupine-'))
  try {
    const program = await build(folder, resolve(porcupine))
    compare(known, await inTurns(program, folder, known, smoke ? 1 : 6), json)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The fastest times of all turns; a machine that gets busy slows both. */
async function inTurns(
  program: string,
  folder: string,
  known: readonly KnownHistory[],
  turns: number,
): Promise<readonly (readonly [mine: Times, theirs: Times])[]> {
  const all = known.map((history): [KnownHistory, Times[], Times[]] => [history, [], []])
  for (let turn = 0; turn < turns; turn++) {
    const isSlow = ([, , theirs]: (typeof all)[number]) =>
      theirs[0] !== undefined && theirs[0].ms + theirs[0].verboseMs > SLOW_MS
    const turnOf = all.filter((each) => !isSlow(each))
    const found = await timesOf(
      program,
      folder,
      turnOf.map(([history]) => history),
      ROUNDS,
    )
    for (const [{ name }, , theirs] of turnOf) theirs.push(found[name]!)
    for (const [history, mine] of all) mine.push(times(history, ROUNDS))
  }
  return all.map(([, mine, theirs]) => [fastest(mine), fastest(theirs)])
}

function fastest(times: readonly Times[]): Times {
  const least = (field: 'ms' | 'verboseMs') => Math.min(...times.map((each) => each[field]))
  return { verdict: times[0]!.verdict, ms: least('ms'), verboseMs: least('verboseMs') }
}

function compare(
  known: readonly KnownHistory[],
  times: readonly (readonly [mine: Times, theirs: Times])[],
  json: boolean,
): void {
  const say = printer(json)
  const ratios: number[] = []
  const verboseRatios: number[] = []
  for (const [at, { name }] of known.entries()) {
    const [mine, theirs] = times[at]!
    const { ms: porcupineMs, verboseMs } = theirs
    const ratio = mine.ms / porcupineMs
    const verboseRatio = mine.verboseMs / verboseMs
    ratios.push(ratio)
    verboseRatios.push(verboseRatio)
    const row = {
      suite: 'history-porcupine',
      subject: name,
      ms: rounded(mine.ms, 3),
      porcupineMs: rounded(porcupineMs, 3),
      explainedMs: rounded(mine.verboseMs, 3),
      verboseMs: rounded(verboseMs, 3),
      ratio: rounded(ratio, 3),
      verboseRatio: rounded(verboseRatio, 3),
    }
    const verdicts = { verdict: mine.verdict, porcupine: theirs.verdict }
    const isSame = verdicts.verdict === verdicts.porcupine || verdicts.porcupine === 'unknown'
    const differ = isSame ? '' : `: VERDICTS DIFFER: ${JSON.stringify(verdicts)}`
    if (differ !== '') process.exitCode = 1
    say(
      { ...row, ...verdicts },
      `${name}: ${row.ms} ms, Porcupine ${row.porcupineMs} ms, ratio ${row.ratio}; explained ${row.explainedMs} ms, Porcupine verbose ${row.verboseMs} ms, ratio ${row.verboseRatio}${differ}`,
    )
  }
  const ratio = rounded(median(ratios), 3)
  const verboseRatio = rounded(median(verboseRatios), 3)
  say(
    { suite: 'history-porcupine', subject: 'median', histories: known.length, ratio, verboseRatio },
    `median of the ratios of ${known.length} histories: ${ratio}, with what explains the verdict ${verboseRatio} (below 1: faster than Porcupine)`,
  )
}

function times({ history, model }: KnownHistory, rounds: number): Times {
  let ms = Number.POSITIVE_INFINITY
  let verboseMs = Number.POSITIVE_INFINITY
  let verdict: Times['verdict'] = 'unknown'
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const result = checkLinearizable(history, model)
    ms = Math.min(ms, performance.now() - began)
    verdict = result.verdict
    // It is made when it is asked for.
    if (result.verdict === 'illegal') assert(result.explanation)
    verboseMs = Math.min(verboseMs, performance.now() - began)
  }
  return { verdict, ms, verboseMs }
}

interface Times {
  readonly verdict: 'ok' | 'illegal' | 'unknown'
  readonly ms: number
  /** With partial linearizations; of norn-history, the whole explanation. */
  readonly verboseMs: number
}

async function build(folder: string, porcupine: string): Promise<string> {
  writeFileSync(join(folder, 'main.go'), MAIN_GO)
  writeFileSync(
    join(folder, 'go.mod'),
    `module bench\n\ngo 1.18\n\nrequire github.com/anishathalye/porcupine v0.0.0\n\nreplace github.com/anishathalye/porcupine => ${porcupine}\n`,
  )
  const program = join(folder, 'bench')
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' }
  try {
    await execute('go', ['build', '-o', program, '.'], { cwd: folder, env })
  } catch (error) {
    throw new UsageError(`--porcupine: go cannot build it: ${(error as Error).message}`)
  }
  return program
}

async function timesOf(
  program: string,
  folder: string,
  known: readonly KnownHistory[],
  rounds: number,
): Promise<Readonly<Record<string, Times>>> {
  const file = join(folder, 'histories.json')
  writeFileSync(file, JSON.stringify(known.map((each) => ({ ...each, history: undefined, events: eventsOf(each) }))))
  const { stdout } = await execute(program, [file, String(rounds)], { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

/** Calls and returns in the order of time; what is unknown returns in the end. */
function eventsOf({ history }: KnownHistory) {
  return history.operations
    .flatMap(({ call, return: returned, outcome, input, output, process }, id) => {
      if (outcome === 'fail') return []
      const { f, key } = input
      const value = 'value' in input ? input.value : undefined
      const [from, to] = input.f === 'cas' ? [input.from, input.to] : []
      const isUnknown = outcome === 'unknown'
      return [
        { at: call, event: { id, client: process, f, key, value: text(value), from: text(from), to: text(to) } },
        {
          at: returned,
          event: { id, client: process, isReturn: true, value: text(output), isUnknown, isFalse: output === false },
        },
      ]
    })
    .sort((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ event }) => event)
}

/** Values as texts; undefined for null. */
function text(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}
