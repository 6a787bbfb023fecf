/**
 * One side of a comparison: executions of one tree's norn, in a process that the comparison asks
 * for rounds.
 *
 * Trees of other revisions keep their parts elsewhere, so the two modules that a side needs are
 * found by where they have been. Both sides load the property files of this tree.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExploreOptions, Worker } from '../../engine.ts'
import { CAMPAIGN } from '../../engine.ts'
import { coreMs } from '../../measure.ts'

export interface Round {
  readonly file: string
  readonly property: string
  readonly runs: number
}

/** Microseconds of processor time that an execution took, or why the side cannot run it. */
export type Answer = { readonly us: number } | { readonly failed: string }

/** From the newest. */
const WORKERS = ['packages/norn/src/process/worker.ts', 'src/property/worker.ts']
const GUIDES = [
  'packages/norn/src/options/guide.ts',
  'packages/norn/src/search/guide.ts',
  'src/explore/guided/guide.ts',
]

const tree = process.argv[2]!
const workers = new Map<string, Worker>()
const { Worker: WorkerOfTree } = await moduleOf<{ Worker: typeof Worker }>(WORKERS)
const { EVERYTHING } = await moduleOf<{ EVERYTHING: ExploreOptions['guide'] }>(GUIDES)

process.on('message', async (round: Round) => {
  const answer = await run(round).catch((error: Error): Answer => ({ failed: error.message }))
  process.send!(answer)
})
process.on('disconnect', () => {
  for (const worker of workers.values()) worker.close()
})

async function moduleOf<Module>(paths: readonly string[]): Promise<Module> {
  const path = paths.map((each) => join(tree, each)).find(existsSync)
  if (path === undefined) throw new Error(`${tree} has none of ${paths.join(', ')}`)
  return (await import(pathToFileURL(path).href)) as Module
}

async function run({ file, property, runs }: Round): Promise<Answer> {
  const worker = workerOf(file)
  const listed = (await worker.list()).find(({ name }) => name === property)
  if (listed === undefined) throw new Error(`${file} declares no property '${property}'`)
  const before = coreMs(worker.pid!)
  const { passed } = await worker.explore(listed, { ...CAMPAIGN, guide: EVERYTHING, runs }, () => {})
  if (passed !== runs) throw new Error(`${runs - passed} of ${runs} executions of '${property}' did not pass`)
  return { us: (1000 * (coreMs(worker.pid!) - before)) / runs }
}

function workerOf(file: string): Worker {
  let worker = workers.get(file)
  if (worker === undefined) {
    worker = new WorkerOfTree({ file, root: dirname(file), aliases: [] })
    workers.set(file, worker)
  }
  return worker
}
