/**
 * The time of each shared history by norn-history and by Porcupine, in turns in one run. Both get
 * operations in memory and check them several times; the first times are left out. Porcupine checks
 * the keys of a store on all cores, gives a verdict only, and is stopped after 20 s.
 */
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

const WARM_UP = 3

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
    compare(known, await timesOf(program, folder, known, smoke ? 2 : 10), smoke ? 2 : 10, json)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compare(
  known: readonly KnownHistory[],
  theirs: Readonly<Record<string, Times>>,
  rounds: number,
  json: boolean,
): void {
  const say = printer(json)
  const ratios: number[] = []
  // V8 compiles code that runs often.
  for (const history of known) times(history, WARM_UP)
  for (const history of known) {
    const { name } = history
    const mine = times(history, rounds)
    const porcupineMs = median(theirs[name]!.ms)
    const ratio = mine.ms / porcupineMs
    ratios.push(ratio)
    const row = {
      suite: 'history-porcupine',
      subject: name,
      ms: rounded(mine.ms, 3),
      porcupineMs: rounded(porcupineMs, 3),
      ratio: rounded(ratio, 3),
    }
    const verdicts = { verdict: mine.verdict, porcupine: theirs[name]!.verdict }
    const isSame = verdicts.verdict === verdicts.porcupine || verdicts.porcupine === 'unknown'
    const differ = isSame ? '' : `: VERDICTS DIFFER: ${JSON.stringify(verdicts)}`
    if (differ !== '') process.exitCode = 1
    say({ ...row, ...verdicts }, `${name}: ${row.ms} ms, Porcupine ${row.porcupineMs} ms, ratio ${row.ratio}${differ}`)
  }
  const ratio = rounded(median(ratios), 3)
  say(
    { suite: 'history-porcupine', subject: 'median', histories: known.length, ratio },
    `median of the ratios of ${known.length} histories: ${ratio} (below 1: faster than Porcupine)`,
  )
}

function times({ history, model }: KnownHistory, rounds: number): { readonly ms: number; readonly verdict: string } {
  const ms: number[] = []
  let verdict = ''
  for (let round = 0; round <= rounds; round++) {
    const began = performance.now()
    verdict = checkLinearizable(history, model).verdict
    if (round > 0) ms.push(performance.now() - began)
  }
  return { ms: median(ms), verdict }
}

interface Times {
  readonly verdict: 'ok' | 'illegal' | 'unknown'
  readonly ms: readonly number[]
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
