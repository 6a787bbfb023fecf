/** Oracles of a service: a program that speaks the protocol over stdio. */
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsed, project } from '../cli/project.ts'

const SERVICE = resolve(import.meta.dirname, 'service.mjs')

const service = (...modes: string[]) => `import { fc } from 'norn'
import { cluster, program } from 'norn/cluster'
import { linearizable, MODELS } from 'norn/history'

const options = {
  system: () => program([process.execPath, ...${JSON.stringify([SERVICE, ...modes])}]),
  steps: 30,
  faults: { crashes: 1, drops: 1 },
}
const read = fc.constant({ f: 'read' })
const write = fc.record({ f: fc.constant('write'), value: fc.integer({ min: 1, max: 9 }) })

cluster('register', {
  ...options,
  requests: fc.array(fc.oneof(read, write), { maxLength: 6 }),
  invariant: linearizable(MODELS.register),
})

const end = (reply) => (reply === 'refused' ? { outcome: 'fail' } : { outcome: 'ok' })
cluster('lock', {
  ...options,
  requests: fc.array(fc.constantFrom({ f: 'acquire' }, { f: 'release' }), { maxLength: 6 }),
  invariant: linearizable(MODELS.mutex, { end }),
})
`

describe('a service', () => {
  const here = project({
    'right.fuzz.ts': service(),
    'stale.fuzz.ts': service('stale'),
    'forgetful.fuzz.ts': service('forgetful'),
  })
  const fuzz = (file: string, ...more: string[]) => here.call('fuzz', file, '--runs', '100', '--seed', '1', ...more)

  test('that is right has no illegal history', async () => {
    const { status, stdout } = await fuzz('right.fuzz.ts', '--json')
    const summaries = parsed(stdout).filter(({ type }) => type === 'summary')
    expect(summaries.map(({ executions, flaky, voided }) => [executions, flaky, voided])).toEqual([
      [100, 0, 0],
      [100, 0, 0],
    ])
    expect(status).toBe(0)
  })

  test.each([
    ['stale.fuzz.ts', 'register', "requests = [ { f: 'write', value: 1 }, { f: 'read' } ]"],
    ['forgetful.fuzz.ts', 'lock', "requests = [ { f: 'acquire' }, { f: 'acquire' } ]"],
  ])('%s: a violation of the %s is found, and shrunk to two operations', async (file, property, requests) => {
    const { status, stdout } = await fuzz(file, '--property', property)
    expect(stdout).toContain(requests)
    expect(stdout).toContain(`✗ ${property}\n`)
    expect(status).toBe(1)
  })
})
