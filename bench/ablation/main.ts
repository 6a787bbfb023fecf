/**
 * The ablation: distinct abstract states of systems at equal executions, with no guide, with norn's
 * policy for clusters, and with the policy less one of its pieces (domains/cluster/search/pieces.ts).
 */
import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { printTable } from '../output.ts'
import { answer } from '../processes.ts'
import { type CommonOptions, count, defineSuite, list, ONLY } from '../suite.ts'
import { type AblationRow, ablationRows } from './comparison.ts'
import { type AblationSystem, SYSTEMS } from './systems.ts'
import { type TrialOptions, type TrialResult, VARIANTS, type Variant } from './trial.ts'

const FULL = { trials: 5, checkpoints: [500, 1000, 2000, 4000] }
const SMOKE = { trials: 1, checkpoints: [40, 80] }
const SMOKE_VARIANTS: readonly Variant[] = ['all', 'weights']

interface Options extends CommonOptions {
  readonly only: string | undefined
  readonly variant: readonly string[] | undefined
  readonly trials: number | undefined
  readonly runs: number | undefined
}

export const suite = defineSuite({
  summary: 'coverage of clusters by guided search, and by the search without each of its pieces',
  options: {
    only: ONLY,
    variant: list('variant', 'only these, beside none (default: all; --smoke all,weights)', VARIANTS),
    trials: count('trials', `trials of each variant, seeds 1 to N (default: ${FULL.trials}; --smoke ${SMOKE.trials})`),
    runs: count('runs', 'executions of a trial at most (default: 2,000 or 4,000, by system; --smoke 80)'),
  },
  run,
})

async function run({ smoke, json, only = '', variant, trials, runs }: Options): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  const chosen = variant ?? (smoke ? SMOKE_VARIANTS : VARIANTS)
  const variants = VARIANTS.filter((each) => each === 'none' || chosen.includes(each))
  const rows: AblationRow[] = []
  for (const system of SYSTEMS.filter(({ name }) => name.includes(only))) {
    if (system.missing !== undefined) {
      console.error(`${system.name} is skipped: ${system.missing}`)
      continue
    }
    const most = Math.min(runs ?? system.executions, effort.checkpoints.at(-1)!)
    const checkpoints = [...new Set([...effort.checkpoints.filter((executions) => executions < most), most])]
    const made = await rowsOf(system, variants, checkpoints, trials ?? effort.trials)
    if (json) for (const row of made) console.log(JSON.stringify(row))
    rows.push(...made)
  }
  if (!json) printTable(rows, ['system', 'variant', 'executions', 'meanStates', 'ratio', 'cpuRatio'])
}

async function rowsOf(
  system: AblationSystem,
  variants: readonly Variant[],
  checkpoints: readonly number[],
  trials: number,
): Promise<AblationRow[]> {
  const results = new Map(variants.map((variant): [Variant, TrialResult[]] => [variant, []]))
  const child = fork(resolve(import.meta.dirname, 'trial-child.ts'))
  const trial = (options: Omit<TrialOptions, 'system'>) => {
    child.send({ ...options, system: system.name } satisfies TrialOptions)
    return answer<TrialResult>(child)
  }
  try {
    // What runs first is not compiled yet.
    await trial({ variant: 'all', seed: 1, checkpoints: checkpoints.slice(0, 1) })
    for (let seed = 1; seed <= trials; seed++)
      for (const [variant, made] of results) made.push(await trial({ variant, seed, checkpoints }))
  } finally {
    child.kill()
  }
  return ablationRows(system, checkpoints, results)
}
