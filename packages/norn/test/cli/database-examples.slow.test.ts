/** The examples whose programs use a real database, as their pages call them. */
import { cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/postgres/server.ts'
import { isSkipped as lacksRedis } from '../../../../systems/redis/server.ts'
import { type Project, project } from './project.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')

function example(name: string): Project {
  const here = project({})
  cpSync(join(ROOT, 'examples', name), here.root, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(here.root, 'node_modules'))
  return here
}

describe.skipIf(isSkipped)('over PostgreSQL', () => {
  const failing = [
    ['transfer', 'lost-update', '260 !== 200'],
    ['transfer', 'write-skew', 'Bob owes money'],
    ['transfer', 'write-skew', 'answers: 200, 500'],
    ['queue', 'twice', "+   'a'"],
    ['queue', 'lost', "-   'a'"],
  ] as const

  test.each(failing)('examples/%s: %s finds: %s', async (name, file, message) => {
    const here = example(name)
    const args = [`${file}.fuzz.ts`, '--postgres', 'schema.sql', '--seed', '1', '--no-shrink']
    const { status, stdout } = await here.norn('fuzz', ...args)
    expect([status, stdout]).toEqual([1, expect.stringContaining(message)])
  })

  test.each(['transfer', 'queue'])('examples/%s: what is repaired is clean', async (name) => {
    const args = ['repaired.fuzz.ts', '--postgres', 'schema.sql', '--seed', '1', '--runs', '50']
    const { status, stdout } = await example(name).norn('fuzz', ...args)
    expect([status, stdout]).toEqual([0, expect.stringContaining('no failure')])
  })

  const levels = [
    ['READ COMMITTED', 1, 'the history is not serializable ('],
    ['REPEATABLE READ', 1, 'the history is not serializable (G2-item)'],
    ['SERIALIZABLE', 0, '200 executions'],
  ] as const
  test.each(levels)(
    'examples/registers: at %s a checker of histories ends with %i: %s',
    async (level, ended, message) => {
      const args = ['registers.fuzz.ts', '--postgres', 'schema.sql', '--seed', '1', '--no-shrink']
      const bounds = ['--property', `at ${level}`, '--runs', ended === 0 ? '200' : '2000']
      const { status, stdout } = await example('registers').norn('fuzz', ...args, ...bounds)
      expect([status, stdout]).toEqual([ended, expect.stringContaining(message)])
    },
  )
})

test.skipIf(lacksRedis)('over Redis, examples/registers: a register is linearizable if a script sets it', async () => {
  const args = ['cas.fuzz.ts', '--redis', '--seed', '1', '--runs', '200', '--no-shrink']
  const { status, stdout } = await example('registers').norn('fuzz', ...args)
  expect([status, stdout]).toEqual([1, expect.stringMatching(/✗ Register is[^✓]*not linearizable[^✗]*✓ RegisterWith/)])
})
