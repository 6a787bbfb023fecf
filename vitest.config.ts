import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // What is printed is compared as text; colours are decided when their library loads, and CI has them on.
    env: { NO_COLOR: '1' },
    execArgv: ['--expose-internals', '--no-warnings'],
  },
})
