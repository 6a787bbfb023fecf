/**
 * Distinct abstract states of etcd-raft by technique, at equal executions and at equal processor time.
 * Plots go to .build/, beside this file.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printer } from '../output.ts'
import { plot } from '../statistics/plot.ts'
import type { CommonOptions } from '../suite.ts'
import { type CoverageRow, coverageRows, type Measured, type StatesRow, statesRows } from './comparison.ts'
import { PROJECTION_NAMES } from './projections.ts'
import { assertBuilt, deadline, runInProcess } from './run-trials.ts'
import { labelOf, TECHNIQUES } from './techniques.ts'
import type { Technique, TrialResult } from './trial.ts'

const FULL = { trials: 20, executions: 3000 }
const SMOKE = { trials: 1, executions: 60 }

interface Options extends CommonOptions {
  readonly trials: number | undefined
  readonly runs: number | undefined
  readonly timeMs: number | undefined
}

export async function run({ smoke, json, trials, runs, timeMs }: Options): Promise<void> {
  assertBuilt()
  assertBuilt(undefined, true)
  const effort = smoke ? SMOKE : FULL
  const techniques = TECHNIQUES
  const results = techniques.map((): TrialResult[] => [])
  const isInTime = deadline(timeMs)
  const executions = runs ?? effort.executions
  for (let seed = 1; seed <= (trials ?? effort.trials) && (seed === 1 || isInTime()); seed++) {
    for (const [at, technique] of techniques.entries()) {
      const result = await runInProcess({ ...technique, seed, executions })
      if (result.failure !== null) throw new Error(`etcd-raft fails in execution ${result.foundAt}: ${result.failure}`)
      results[at]!.push(result)
      const { points } = result
      if (json) console.log(JSON.stringify({ suite: 'raft', kind: 'trial', ...technique, seed, points }))
    }
  }
  const measured: readonly Measured[] = techniques.map((technique, at) => ({ technique, trials: results[at]! }))
  const say = printer(json)
  for (const row of statesRows(measured)) say(row, textOf(row))
  const coverage = coverageRows(measured)
  if (json) for (const row of coverage) console.log(JSON.stringify(row))
  draw(techniques, results[0]!.length, coverage)
}

function textOf({
  projection,
  equal,
  after,
  trials,
  meanStates,
  modelRatio,
  worstRatio,
  a12,
  p,
  ...technique
}: StatesRow) {
  const place = equal === 'time' ? `${(after / 1000).toFixed(1)} s of processor time` : `${after} executions`
  const worst = worstRatio === null ? '' : `, from 500 executions on at least ${worstRatio}`
  const against = modelRatio === null ? '' : `; the model has ${modelRatio} times as many${worst} (A12 ${a12}, p ${p})`
  return `${projection}, ${place}, ${labelOf(technique)}: ${meanStates} states in ${trials} trials${against}`
}

function draw(techniques: readonly Technique[], trials: number, coverage: readonly CoverageRow[]): void {
  const folder = join(import.meta.dirname, '.build')
  mkdirSync(folder, { recursive: true })
  for (const projection of PROJECTION_NAMES) {
    const series = techniques.map((technique) => ({
      label: labelOf(technique),
      points: coverage
        .filter((row) => row.projection === projection && labelOf(row) === labelOf(technique))
        .map(({ executions, mean, low, high }) => ({ executions, value: mean, low, high })),
    }))
    const svg = plot(series, {
      title: `Abstract states of etcd-raft, ${projection} projection`,
      subtitle: `means of ${trials} trials, bands: bootstrap intervals at 95 %`,
      yTitle: 'distinct abstract states',
    })
    writeFileSync(join(folder, `${projection}.svg`), svg)
  }
}
