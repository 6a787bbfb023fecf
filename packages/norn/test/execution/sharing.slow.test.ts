/**
 * Executions that share modules do what they do without: whatever a module keeps, and wherever it hides it, each
 * execution begins with what loading makes.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { LATE, LATE_AFRESH, LATE_CHANGING } from './fixtures/late-cases.ts'
import type { Seen } from './fixtures/sharing.ts'
import { AFRESH, CHANGING, PUT_BACK } from './fixtures/sharing-cases.ts'

interface Line {
  readonly name: string
  readonly alone: Seen
  readonly shared: Seen
}

const lines = new Map<string, Line>()

async function printed(fixture: string): Promise<string> {
  const flags = ['--expose-internals', '--conditions=norn-source', '--no-warnings']
  const script = join(import.meta.dirname, 'fixtures', fixture)
  return (await promisify(execFile)(process.execPath, [...flags, script])).stdout
}

beforeAll(async () => {
  const stdout = await printed('sharing.ts')
  for (const text of stdout.trimEnd().split('\n')) {
    const line = JSON.parse(text) as Line
    lines.set(line.name, line)
  }
})

describe('executions share a module that keeps', () => {
  test.each(Object.keys({ ...PUT_BACK, ...LATE }))('%s', (name) => {
    const { alone, shared } = lines.get(name)!
    expect(shared).toEqual({ ...alone, isShared: true, isOn: true })
  })
})

describe('each execution evaluates a module that keeps', () => {
  test.each(Object.keys({ ...AFRESH, ...LATE_AFRESH }))('%s', (name) => {
    const { alone, shared } = lines.get(name)!
    expect(shared).toEqual({ ...alone, isShared: false, isOn: true })
  })
})

test.each(Object.keys({ ...CHANGING, ...LATE_CHANGING }))('an execution sees %s as it does without', (name) => {
  const { alone, shared } = lines.get(name)!
  expect(shared.outputs).toEqual(alone.outputs)
  expect(shared.hashes).toEqual(alone.hashes)
  expect(shared.observed).toEqual(alone.observed)
})

test('sharing begins early in a search that has long to go, else once loading has taken as long as preparing', async () => {
  const { untold, long, short } = JSON.parse(await printed('sharing-begins.ts')) as Record<string, number | null>
  // Preparing takes 400 ms, and one loading 5 ms: the code is hot after 16.
  expect(long).toBeLessThan(25)
  expect(untold ?? Number.POSITIVE_INFINITY).toBeGreaterThan(80)
  expect(short ?? Number.POSITIVE_INFINITY).toBeGreaterThan(80)
})
