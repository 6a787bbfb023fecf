/**
 * The microbenchmark suite: executions until norn and the policy of ModelFuzz find the seeded bug
 * of ModelFuzz's microbenchmark (actors.ts), and the abstract states they cover meanwhile: at
 * random, guided by happens-before classes, and guided by the model; and the same of ModelFuzz's
 * published harness (published/). README.md compares the results with the paper's.
 *
 * A full run takes half an hour of two cores and draws coverage over executions into plots/.
 */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printer } from '../output.ts'
import { answer } from '../processes.ts'
import { plot } from '../statistics/plot.ts'
import { type CommonOptions, count, defineSuite, list, text } from '../suite.ts'
import { type CoverageRow, coverageRows, type Row, rowsOf, TECHNIQUES, type TechniqueResults } from './comparison.ts'
import type { Size } from './model.ts'
import { measureRate, type RateRow } from './rate.ts'
import type { Technique, TrialOptions, TrialResult } from './trial.ts'

const POLICIES: Readonly<Record<Technique['policy'], string>> = {
  norn: 'norn',
  modelfuzz: 'ModelFuzz',
  published: 'published harness',
  repaired: 'repaired harness',
}

const WORKERS = [5, 6, 7]
const EXECUTES = [10, 20, 30, 40]
const FULL = { trials: 20, executions: 10_000, rate: 10_000 }
const SMOKE = { trials: 4, executions: 3000, rate: 3000 }
const SMOKE_SIZES: readonly Size[] = [
  { workers: 5, executes: 10 },
  { workers: 6, executes: 40 },
]
const JOBS = 2

interface Options extends CommonOptions {
  readonly only: string | undefined
  readonly policy: readonly string[] | undefined
  readonly trials: number | undefined
  readonly runs: number | undefined
  readonly jobs: number | undefined
}

export const suite = defineSuite({
  summary: "ModelFuzz's microbenchmark, by norn with three guides, and by ModelFuzz's policy and harness",
  options: {
    only: text('only', 'SIZE', 'one configuration, such as 6x40: workers x executes (default: twelve; --smoke two)'),
    policy: list('policy', 'only these policies (default: all)', Object.keys(POLICIES)),
    trials: count('trials', 'trials of each technique, seeds 1 to N (default: 20; --smoke 4)'),
    runs: count('runs', 'executions of a trial (default: 10,000; --smoke 3,000)'),
    jobs: count('jobs', `processes at a time (default: ${JOBS})`),
  },
  run,
})

async function run({ smoke, json, only, policy, trials, runs, jobs = JOBS }: Options): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  const count = trials ?? effort.trials
  const executions = runs ?? effort.executions
  const sizes = (smoke ? SMOKE_SIZES : allSizes()).filter((size) => only === undefined || nameOf(size) === only)
  const techniques = TECHNIQUES.filter((technique) => policy?.includes(technique.policy) ?? true)
  const say = printer(json)
  if (!json) console.log(`${count} trials of ${executions.toLocaleString('en-GB')} executions`)
  for (const size of sizes) {
    const results = await trialsOf(size, techniques, count, executions, jobs)
    const coverage = coverageRows(size, executions, results)
    for (const row of rowsOf(size, executions, results)) say(row, textOf(row))
    if (json) for (const row of coverage) console.log(JSON.stringify(row))
    if (!smoke && policy === undefined && trials === undefined && runs === undefined) draw(size, count, coverage)
  }
  if (!techniques.some(({ policy }) => policy === 'norn')) return
  const rate = await measureRate(runs ?? effort.rate)
  say(rate, rateText(rate))
}

async function trialsOf(
  size: Size,
  techniques: readonly Technique[],
  trials: number,
  executions: number,
  jobs: number,
): Promise<TechniqueResults[]> {
  const options = techniques.flatMap((technique) =>
    Array.from({ length: trials }, (_, at) => ({ ...size, ...technique, seed: at + 1, executions })),
  )
  const results = await runTrials(options, jobs)
  return techniques.map((technique, at) => ({ technique, trials: results.slice(at * trials, (at + 1) * trials) }))
}

/**
 * The results of trials, in their order. A trial depends on its options alone, not on its process.
 *
 * @param jobs processes at a time
 */
export async function runTrials(trials: readonly TrialOptions[], jobs: number): Promise<TrialResult[]> {
  const results: TrialResult[] = []
  let next = 0
  const work = async () => {
    const child = fork(resolve(import.meta.dirname, 'trial-child.ts'))
    try {
      for (let at = next++; at < trials.length; at = next++) {
        child.send(trials[at]!)
        results[at] = await answer<TrialResult>(child)
      }
    } finally {
      child.kill()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, trials.length) }, work))
  return results
}

function allSizes(): Size[] {
  return WORKERS.flatMap((workers) => EXECUTES.map((executes) => ({ workers, executes })))
}

function nameOf({ workers, executes }: Size): string {
  return `${workers}x${executes}`
}

/** A technique in texts and legends. */
function labelOf({ guide, policy }: Technique): string {
  return `${POLICIES[policy]}, ${guide}`
}

function textOf(row: Row): string {
  const { m, n, trials, found, medianRuns, meanStates, a12VsModel, pVsModel } = row
  const median = medianRuns === null ? 'none' : medianRuns.toLocaleString('en-GB')
  const against = a12VsModel === null ? '' : `; against norn, model: A12 ${a12VsModel}, p of coverage ${pVsModel}`
  return `m = ${m}, n = ${n}, ${labelOf(row)}: found in ${found} of ${trials}, median ${median}; ${meanStates} states${against}`
}

function rateText({ m, n, directly, throughNorn, bare, ratioDirectly, ratioThroughNorn }: RateRow): string {
  return `m = ${m}, n = ${n}, norn with the model: ${directly} executions/s directly, ${throughNorn} through all of norn; the bare simulation ${bare} (ratios ${ratioDirectly} and ${ratioThroughNorn})`
}

function draw(size: Size, trials: number, coverage: readonly CoverageRow[]): void {
  const folder = join(import.meta.dirname, 'plots')
  mkdirSync(folder, { recursive: true })
  const drawn = TECHNIQUES.filter(({ guide, policy }) => guide === 'model' || policy === 'norn')
  const series = drawn.map((technique) => ({
    label: labelOf(technique),
    points: coverage
      .filter(({ guide, policy }) => guide === technique.guide && policy === technique.policy)
      .map(({ executions, mean, low, high }) => ({ executions, value: mean, low, high })),
  }))
  const { workers, executes } = size
  const svg = plot(series, {
    title: `Abstract states covered, m = ${workers}, n = ${executes}`,
    subtitle: `means of ${trials} trials, bands: bootstrap intervals at 95 %`,
    yTitle: 'distinct abstract states',
    logX: true,
  })
  writeFileSync(join(folder, `${nameOf(size)}.svg`), svg)
}
