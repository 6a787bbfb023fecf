/** The kills and memory suites, small: nothing announced is lost, nothing is left, and memory does not grow. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

async function rows(suite: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, suite, '--smoke', '--json'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('kills', async () => {
  const [row] = await rows('kills')
  expect(row).toMatchObject({ kills: 3, hit: 3, missing: 0, torn: 0, notReplayed: 0, litter: 0, orphans: 0 })
}, 120_000)

test('memory', async () => {
  const bodies = await rows('memory')
  expect(bodies.map(({ body }) => body)).toEqual(['tasks', 'fs', 'package', 'streams'])
}, 120_000)
