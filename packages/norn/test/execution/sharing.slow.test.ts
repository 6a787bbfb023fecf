/**
 * Executions that share modules do what they do without: whatever a module keeps, and wherever it hides it, each
 * execution begins with what loading makes.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Seen } from './fixtures/sharing.ts'
import { AFRESH, CHANGING, PUT_BACK } from './fixtures/sharing-cases.ts'

interface Line {
  readonly name: string
  readonly alone: Seen
  readonly shared: Seen
}

const lines = new Map<string, Line>()

beforeAll(async () => {
  const script = join(import.meta.dirname, 'fixtures/sharing.ts')
  const flags = ['--expose-internals', '--conditions=norn-source', '--no-warnings']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script])
  for (const text of stdout.trimEnd().split('\n')) {
    const line = JSON.parse(text) as Line
    lines.set(line.name, line)
  }
})

describe('executions share a module that keeps', () => {
  test.each(Object.keys(PUT_BACK))('%s', (name) => {
    const { alone, shared } = lines.get(name)!
    expect(shared).toEqual({ ...alone, isShared: true, isOn: true })
  })
})

describe('each execution evaluates a module that keeps', () => {
  test.each(Object.keys(AFRESH))('%s', (name) => {
    const { alone, shared } = lines.get(name)!
    expect(shared).toEqual({ ...alone, isShared: false, isOn: true })
  })
})

test.each(Object.keys(CHANGING))('an execution sees %s as it does without', (name) => {
  const { alone, shared } = lines.get(name)!
  expect(shared.outputs).toEqual(alone.outputs)
  expect(shared.hashes).toEqual(alone.hashes)
  expect(shared.observed).toEqual(alone.observed)
})
