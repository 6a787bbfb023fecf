/** The kills and memory suites, small: nothing announced is lost, nothing is left, and memory does not grow. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

interface Outcome {
  readonly status: number | null
  readonly rows: readonly Record<string, unknown>[]
}

async function smoke(suite: string): Promise<Outcome> {
  const run = spawn(process.execPath, [MAIN, suite, '--smoke', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(run, 'close')
  const lines = (await text(run.stdout)).trim().split('\n')
  await ended
  return { status: run.exitCode, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('kills', async () => {
  const nothingLost = { kills: 3, missing: 0, torn: 0, notReplayed: 0, litter: 0, orphans: 0 }
  expect(await smoke('kills')).toMatchObject({ status: 0, rows: [nothingLost] })
})

test('memory', async () => {
  const rows = ['tasks', 'fs', 'package', 'streams'].map((body) => ({ body }))
  expect(await smoke('memory')).toMatchObject({ status: 0, rows })
})
