import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Examples import norn by its name, and a test may run them in its own process.
  resolve: {
    alias: ['cluster', 'tla'].map((name) => ({
      find: new RegExp(`^norn/${name}$`),
      replacement: resolve(import.meta.dirname, `src/${name}/index.ts`),
    })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Of two cores vitest would use one by itself.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What is printed is compared as text; colours are decided when their library loads, and CI has them on.
    env: { NO_COLOR: '1' },
    // Nothing here asserts how long anything takes: this ends what hangs, also on a machine that is very busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    execArgv: ['--expose-internals', '--no-warnings'],
  },
})
