/**
 * The share of an execution that instantiates the modules of its program, measured around the
 * loader in a process like a worker.
 */
import { resolve } from 'node:path'
import { DEFAULT_PLAN } from '../../../packages/norn/src/contract/plan.ts'
import { listProperties } from '../../../packages/norn/src/execution/declared.ts'
import { PropertyExecutor } from '../../../packages/norn/src/execution/executor.ts'
import { sharedModules } from '../../../packages/norn/src/execution/shared-modules.ts'
import { type Instance, Loader } from '../../../packages/norn/src/loader/loader.ts'
import { World } from '../../../packages/norn/src/world/world.ts'

export interface Share {
  /** Of an execution's time, from 0 to 1. */
  readonly share: number
  /** Microseconds, each the mean. */
  readonly instantiationUs: number
  readonly executionUs: number
}

const executions = Number(process.argv[2])
const root = resolve(import.meta.dirname, 'ten-modules')
const file = resolve(root, 'program.fuzz.ts')
const world = World.install({ root })
let instantiationMs = 0

class TimedLoader extends Loader {
  override instantiate(): Instance {
    const instance = super.instantiate()
    return {
      import: (path) => instance.import(path),
      evaluate(path) {
        const began = world.outside(() => performance.now())
        try {
          return instance.evaluate(path)
        } finally {
          instantiationMs += world.outside(() => performance.now()) - began
        }
      },
    }
  }
}

const loader = new TimedLoader({
  shared: sharedModules().modules,
  aliases: new Map(),
  refuse: (operation) => world.refuse({ kind: 'uncontrolled operation', operation }),
  outside: (action) => world.outside(action),
})
const positions = { root: () => root, original: loader.originalPosition.bind(loader) }
const [property] = await listProperties(world, loader, file, positions)
const executor = new PropertyExecutor({ world, loader, file, root, property: property! })

async function run(): Promise<number> {
  const began = performance.now()
  for (let execution = 0; execution < executions; execution++) {
    const { verdict } = await executor.execute(DEFAULT_PLAN)
    if (verdict !== 'passed') throw new Error(`an execution did not pass: ${verdict}`)
  }
  return performance.now() - began
}

await run()
instantiationMs = 0
const totalMs = await run()
const us = (ms: number) => Math.round((ms / executions) * 1000)
process.send!({
  share: instantiationMs / totalMs,
  instantiationUs: us(instantiationMs),
  executionUs: us(totalMs),
} satisfies Share)
