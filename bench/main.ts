/**
 * The experiments: `npm run bench -- SUITE [--smoke] [--json]`.
 *
 * A suite prints a table for a person, or with --json one line a row; --smoke runs it small, within a minute, so that
 * it never rots.
 */
import { parseArgs } from 'node:util'
import { UsageError } from '../packages/norn/src/cli/exit-status.ts'

// Processes that suites start resolve the packages of this repository to their sources, as this one does.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --conditions=norn-source`

export interface BenchOptions {
  readonly smoke: boolean
  readonly json: boolean
  /** Only subjects whose name contains this. */
  readonly only: string | undefined
  /** What a suite is given besides its name: a copy of tlaplus/Examples. */
  readonly directory?: string | undefined
  /** A copy of tlaplus/Examples, and the jar of TLC; for tla-speed. */
  readonly examples?: string | undefined
  readonly tlc?: string | undefined
  /** A folder of checkouts, DIR/<package>/, whose suites are run; for no-false-alarms. */
  readonly suites: string | undefined
  /** Executions of each test; for no-false-alarms. */
  readonly runs: number | undefined
  /** Trials of each technique, what one may take, the techniques (with commas between), and subjects at a time; for confuzz. */
  readonly trials: number | undefined
  readonly timeMs: number | undefined
  readonly techniques: string | undefined
  readonly jobs: number | undefined
}

type Suite = (options: BenchOptions) => Promise<void>

const SUITES: Readonly<Record<string, () => Promise<{ main: Suite }>>> = {
  cluster: () => import('./cluster/main.ts'),
  completeness: () => import('./completeness/main.ts'),
  confuzz: () => import('./confuzz/main.ts'),
  execution: () => import('./execution/main.ts'),
  instrument: () => import('./instrument/main.ts'),
  legality: () => import('./legality/main.ts'),
  loop: () => import('./loop/main.ts'),
  'no-false-alarms': () => import('./no-false-alarms/main.ts'),
  races: () => import('./races/main.ts'),
  kills: () => import('./kills.ts'),
  memory: () => import('./memory.ts'),
  microbenchmark: () => import('./microbenchmark/main.ts'),
  stopping: () => import('./stopping/main.ts'),
  replays: () => import('./replays/main.ts'),
  throughput: () => import('./throughput/main.ts'),
  'tla-following': () => import('./tla-following/main.ts'),
  shrinking: () => import('./shrinking/main.ts'),
  'tla-examples': () => import('./tla-examples/main.ts'),
  'tla-mutants': () => import('./tla-mutants/main.ts'),
  'tla-speed': () => import('./tla-speed/main.ts'),
}

const TAKES_A_FOLDER: readonly string[] = ['tla-examples', 'tla-mutants']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string' },
    examples: { type: 'string' },
    tlc: { type: 'string' },
    suites: { type: 'string' },
    runs: { type: 'string' },
    trials: { type: 'string' },
    time: { type: 'string' },
    techniques: { type: 'string' },
    jobs: { type: 'string' },
  },
})
const [name = '', directory] = positionals
const load = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined
if (load === undefined || positionals.length > (TAKES_A_FOLDER.includes(name) ? 2 : 1)) {
  console.error(
    `usage: npm run bench -- SUITE [DIR] [--smoke] [--json] [--only TEXT] [--suites DIR] [--runs N] [--trials N] [--time SECONDS] [--techniques NAMES] [--jobs N] [--tlc JAR] [--examples DIR]\nsuites: ${Object.keys(SUITES).join(', ')}`,
  )
  process.exit(2)
}
const { main } = await load()
const options: BenchOptions = {
  directory,
  examples: values.examples,
  tlc: values.tlc,
  smoke: values.smoke ?? false,
  json: values.json ?? false,
  only: values.only,
  suites: values.suites,
  runs: number('runs', values.runs),
  trials: number('trials', values.trials),
  timeMs: values.time === undefined ? undefined : 1000 * number('time', values.time.replace(/s$/, ''))!,
  techniques: values.techniques,
  jobs: number('jobs', values.jobs),
}
try {
  await main(options)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${name}: ${error.message}`)
  process.exitCode = 2
}

function number(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (Number(text) > 0) return Number(text)
  console.error(`--${option} wants a number above 0, not "${text}"`)
  process.exit(2)
}
