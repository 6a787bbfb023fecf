import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

async function printedBy(fixture: string): Promise<string> {
  const flags = ['--expose-internals', '--conditions=norn-source', '--no-warnings']
  const script = join(import.meta.dirname, 'fixtures', fixture)
  return (await promisify(execFile)(process.execPath, [...flags, script])).stdout
}

test('a program may refresh a timer that a package set before the world was installed', async () => {
  expect(await printedBy('early-timer.ts')).toBe('passed function\npassed function\n')
})

test('an immediate that C++ sets keeps the loop of no program alive, and is counted by the real one', async () => {
  expect(await printedBy('stray-immediate.ts')).toBe('passed false 1 \n'.repeat(3))
})
