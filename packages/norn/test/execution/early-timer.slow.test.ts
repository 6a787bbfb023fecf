import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('a program may refresh a timer that a package set before the world was installed', async () => {
  const flags = ['--expose-internals', '--conditions=norn-source', '--no-warnings']
  const script = join(import.meta.dirname, 'fixtures/early-timer.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script])
  expect(stdout).toBe('passed function\npassed function\n')
})
