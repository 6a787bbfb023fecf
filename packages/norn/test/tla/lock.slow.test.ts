import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsed, project } from '../cli/project.ts'

const text = (name: string) => readFileSync(resolve(import.meta.dirname, '../../../..', name), 'utf8')

describe('a lock that is followed by its specification', () => {
  const sources = ['lock.ts', 'cluster-options.ts', 'lock.fuzz.ts', 'mistake.fuzz.ts', 'Lock.tla', 'Lock.cfg']
  const example = project(Object.fromEntries(sources.map((name) => [name, text(`examples/lock/${name}`)])))

  test('does what the specification allows', async () => {
    const { status, stdout } = await example.call('fuzz', 'lock.fuzz.ts', '--runs', '200', '--seed', '1', '--json')
    expect(parsed(stdout)).toMatchObject([{ type: 'summary', passed: 200, voided: 0 }, { type: 'end' }])
    expect(status).toBe(0)
  })

  test('does what it does not allow, with the mistake', async () => {
    const { status, stdout } = await example.call('fuzz', 'mistake.fuzz.ts', '--runs', '200', '--seed', '1', '--json')
    const failures = parsed(stdout).filter(({ type }) => type === 'failure')
    expect(failures).toMatchObject([
      {
        message: expect.stringMatching(
          /^the model does not allow Release\("\w"\): holder = c is false, where holder is \w+, c is \w \(Lock.tla:26:6\)\n/,
        ),
      },
    ])
    expect(status).toBe(1)
  })
})
