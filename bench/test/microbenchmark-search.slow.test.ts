import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ListedProperty } from '../../packages/norn/src/process/protocol.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import { microbenchmark, SeededBug } from '../microbenchmark/actors.ts'
import { rowsOf, TECHNIQUES } from '../microbenchmark/comparison.ts'
import { executeDirectly } from '../microbenchmark/direct.ts'
import { runTrials, suite } from '../microbenchmark/main.ts'
import { plannerOf, runTrial, type TrialResult } from '../microbenchmark/trial.ts'
import { checkpointsUpTo } from '../statistics/checkpoints.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const size = { workers: 5, executes: 10 }
const guided = { guide: 'model', policy: 'norn' } as const

/** The first seed whose search finds the bug within so many executions. */
function seedThatFinds(executions: number): number {
  const finds = (seed: number) => runTrial({ ...size, ...guided, seed, executions }).foundAt !== null
  return Array.from({ length: 30 }, (_, at) => at + 1).find(finds)!
}

let worker: Worker
let property: ListedProperty

beforeAll(async () => {
  const file = resolve(ROOT, 'bench', 'microbenchmark', 'microbenchmark.fuzz.ts')
  worker = new Worker({ file, root: ROOT, aliases: [] })
  const properties = await worker.list()
  property = properties.find(({ name }) => name === '5 workers, 10 executes')!
})

afterAll(() => worker.close())

test('an execution without the world is the same as through it: its choices, its end, its log', async () => {
  const planner = plannerOf({ ...guided, seed: seedThatFinds(250) })
  let failed = 0
  for (let execution = 0; execution < 250; execution++) {
    const plan = planner.next()
    const { result, thrown, record } = executeDirectly(microbenchmark(size), plan)
    planner.observe(plan, result)
    const through = await worker.execute(property, { ...plan, detailed: true })
    expect(through.choices).toEqual(result.observation!.choices())
    expect(through.verdict).toBe(result.verdict)
    expect(through.cluster).toEqual(record())
    if (thrown instanceof SeededBug) failed++
  }
  expect(failed).toBeGreaterThan(0)
})

test('a search through the whole of norn is the same as without the world', async () => {
  const executions = 400
  const seed = seedThatFinds(executions)
  const { foundAt } = runTrial({ ...size, ...guided, seed, executions })
  const found: number[] = []
  const options = { seed, strategy: 'portfolio', runs: executions, timeMs: 1e9, keepGoing: false, shrink: false }
  const guide = { edges: false, order: false, compare: false, trace: false, model: true }
  await worker.explore(property, { ...options, skip: 0, guide }, (notice) => {
    if (notice.type === 'found') found.push(notice.failure.foundAt)
  })
  expect(found).toEqual([foundAt])
})

test('what a trial gives depends on its options alone, not on the process that runs it', async () => {
  const options = TECHNIQUES.map((technique) => ({ ...size, ...technique, seed: 3, executions: 300 }))
  const without = ({ timeMs: _, ...result }: TrialResult) => result
  expect((await runTrials(options, 2)).map(without)).toEqual(options.map((each) => without(runTrial(each))))
})

test('the suite runs, and tells a row for each technique, what each covered on the way, and a rate', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const options = ['--only', '5x10', '--trials', '2', '--runs', '100', '--jobs', '1']
  await suite.run(['--smoke', '--json', ...options])
  log.mockRestore()
  const rows = lines.map((line) => JSON.parse(line))
  expect(rows.filter(({ kind }) => kind === undefined)).toHaveLength(TECHNIQUES.length)
  expect(rows.filter(({ kind }) => kind === 'coverage')).toHaveLength(TECHNIQUES.length * checkpointsUpTo(100).length)
  const [rate] = rows.filter(({ kind }) => kind === 'rate')
  for (const each of ['directly', 'throughNorn', 'bare']) expect(rate[each]).toBeGreaterThan(0)
})

test('each technique is held against norn guided by the model', () => {
  const trial = (foundAt: number | null, states: number): TrialResult => ({ foundAt, states: [1, states], timeMs: 1 })
  const results = [
    [trial(null, 10), trial(null, 11), trial(null, 12)],
    [trial(50, 20), trial(null, 21), trial(null, 22)],
    [trial(10, 40), trial(30, 41), trial(20, 42)],
    [trial(5, 40), trial(15, 41), trial(70, 42)],
  ]
  const byTechnique = results.map((trials, at) => ({ technique: TECHNIQUES[at]!, trials }))
  const rows = rowsOf({ workers: 5, executes: 10 }, 100, byTechnique)
  expect(
    rows.map(({ guide, policy, found, medianRuns, meanStates }) => [guide, policy, found, medianRuns, meanStates]),
  ).toEqual([
    ['none', 'norn', 0, null, 11],
    ['trace', 'norn', 1, null, 21],
    ['model', 'norn', 3, 20, 41],
    ['model', 'modelfuzz', 3, 15, 41],
  ])
  expect(rows.map(({ a12VsModel }) => a12VsModel)).toEqual([1, 1, null, 0.4444])
  // All of one above all of the other: two of the twenty ways to order three and three.
  expect(rows.map(({ pVsModel }) => pVsModel)).toEqual([0.1, 0.1, null, 1])
})
