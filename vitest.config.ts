import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const TESTS = ['packages/*/test', 'bench/test', 'test']

/** Starts processes: see test/no-processes.ts. */
const SLOW = '**/*.slow.test.ts'

/** These take over Node inside the process of the test, load modules in their own way, or replace one. */
const OWN_PROCESS = [
  'packages/norn/test/{execution,frameworks,loader,process,world}/**/*.test.ts',
  'packages/norn/test/{cluster/dummy-fault,schedule/one-strategy}.test.ts',
]

/** Resolves the packages of this repository to their sources; see `exports` in their package.json. */
const CONDITION = 'norn-source'

/** Begins with the slow files, so that no worker is left alone with one in the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.endsWith('.slow.test.ts')
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig({
  resolve: { conditions: [CONDITION] },
  ssr: { resolve: { conditions: [CONDITION], externalConditions: [CONDITION] } },
  test: {
    projects: [
      { extends: true, test: { name: 'slow', include: TESTS.map((folder) => `${folder}/${SLOW}`) } },
      {
        extends: true,
        test: { name: 'own-process', include: OWN_PROCESS, exclude: [...configDefaults.exclude, SLOW] },
      },
      // The files of a worker share its modules: to load these takes longer than most of the tests.
      {
        extends: true,
        test: {
          name: 'shared-process',
          include: TESTS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [...configDefaults.exclude, SLOW, ...OWN_PROCESS],
          isolate: false,
        },
      },
    ],
    setupFiles: ['test/no-processes.ts'],
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    // Of two cores vitest would use one by itself.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What is printed is compared as text; colours are decided when their library loads, and CI has them on.
    // Processes that tests start run sources too.
    // Each call transforms its modules anew; the tests of the cache turn it on.
    env: { NO_COLOR: '1', NORN_CACHE: 'off', NODE_OPTIONS: `--conditions=${CONDITION}` },
    // Nothing here asserts how long anything takes: this ends what hangs, also on a machine that is very busy.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    execArgv: ['--expose-internals', '--no-warnings', `--conditions=${CONDITION}`],
  },
})
