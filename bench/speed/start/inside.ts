/** Loads a program as a worker does that lists properties and searches, and sends the processor time of each build. */
import { DEFAULT_PLAN } from '../../../packages/norn/src/contract/plan.ts'
import { listProperties } from '../../../packages/norn/src/execution/declared.ts'
import { PropertyExecutor } from '../../../packages/norn/src/execution/executor.ts'
import { sharedModules } from '../../../packages/norn/src/execution/shared-modules.ts'
import { Loader, type LoaderOptions } from '../../../packages/norn/src/loader/loader.ts'
import { diskCache } from '../../../packages/norn/src/storage/disk-cache.ts'
import { World } from '../../../packages/norn/src/world/world.ts'

/** Processor time until a build has run once, in milliseconds. */
export interface Loads {
  readonly plain: number
  readonly counted: number
  readonly traced: number
}

const [root, file, folder] = process.argv.slice(2) as [string, string, string]
const world = World.install({ root })
const shared = sharedModules().modules

async function usedMs(action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function newLoader(options: Partial<LoaderOptions>): Loader {
  return new Loader({
    shared,
    aliases: new Map(),
    refuse: (operation) => world.refuse({ kind: 'uncontrolled operation', operation }),
    outside: (action) => world.outside(action),
    ...options,
  })
}

let executor: PropertyExecutor | undefined
const plain = await usedMs(async () => {
  const transformCache = diskCache({ folder, root })
  const loader = newLoader({ transformCache })
  const positions = { root: () => root, original: loader.originalPosition.bind(loader) }
  const [property] = await listProperties(world, loader, file, positions)
  const counting = newLoader({ transformCache, coverage: {} })
  executor = new PropertyExecutor({ world, loader: counting, file, root, property: property! })
})
const observe = { counters: true, order: false, comparisons: false, model: false }
const counted = await usedMs(() => executor!.execute({ ...DEFAULT_PLAN, observe }))
const traced = await usedMs(() => executor!.execute({ ...DEFAULT_PLAN, observe: { ...observe, comparisons: true } }))
process.send!({ plain, counted, traced } satisfies Loads)
