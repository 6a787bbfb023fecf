/** Oracles in executions of norn: where they end, what they make of a bound, and the examples. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OWN_STACK, project } from '../cli/project.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../../../examples')

function example(name: string, files: readonly string[]) {
  return project(Object.fromEntries(files.map((file) => [file, readFileSync(resolve(EXAMPLES, name, file), 'utf8')])))
}

const forgetful = `import { fuzz } from 'norn'
import { linearizable, MODELS, record } from 'norn/history'

const forgetful = () => ({ async write(value) {}, read: async () => 0 })

fuzz('catches everything', {}, async () => {
  const { client } = record(forgetful(), undefined, { check: linearizable(MODELS.register) })
  await client.write(1)
  await client.read().catch(() => console.log('caught'))
  await new Promise((resolve) => setTimeout(resolve, 1))
  console.log('goes on')
})

fuzz('undecided', {}, async () => {
  const { client } = record(forgetful(), undefined, { check: linearizable(MODELS.register, { steps: 1 }) })
  await Promise.all([1, 2, 3].map((value) => client.write(value)))
  await client.read().catch(() => {})
})

fuzz('at the end', {}, async () => {
  const recording = record(forgetful())
  await recording.client.write(1)
  await recording.client.read()
  linearizable(MODELS.register).check(recording)
})
`

describe('a property', () => {
  const here = project({ 'forgetful.fuzz.js': forgetful })
  const run = async (name: string) => {
    const args = ['fuzz', 'forgetful.fuzz.js', '--property', name, '--runs', '20', '--seed', '1']
    return here.call(...args)
  }

  test('ends at the first illegal operation, even if the program catches what it throws', async () => {
    const { status, stdout } = await run('catches')
    expect(status).toBe(1)
    expect(stdout).toContain('HistoryViolation: the history is not linearizable (model register):')
    // Where the oracle was made, since which call ends the execution depends on the schedule.
    expect(stdout).toMatch(/^ {4}> 7 │ /m)
    expect(stdout).not.toContain('goes on')
    expect(stdout).not.toMatch(OWN_STACK)
  })

  test('fails at the line that checks a recording', async () => {
    expect((await run('at the end')).stdout).toMatch(/^ {4}> 24 │ /m)
  })

  test('is inconclusive if a history could not be decided', async () => {
    const { status, stdout, stderr } = await run('undecided')
    expect(status).toBe(3)
    expect(stdout + stderr).toContain(
      'the history could not be decided: the search is not done after 1 steps: raise the bound on steps',
    )
  })
})

describe('examples/quorum-register', () => {
  const files = ['quorum-register.ts', 'cluster-options.ts', 'stale-read.fuzz.ts', 'quorum-register.fuzz.ts']
  const here = example('quorum-register', files)

  test('a stale read is found, and shrunk to a write and a read', async () => {
    const { status, stdout } = await here.call('fuzz', 'stale-read.fuzz.ts', '--runs', '1000', '--seed', '3')
    expect(status).toBe(1)
    expect(stdout).toContain('process 0  ├─ write(1) ─┤  ├─ read() = null ─┤')
    expect(stdout).toContain("requests = [ { f: 'write', value: 1 }, { f: 'read' } ]")
  })

  test('the register is linearizable', async () => {
    const { status, stdout } = await here.call('fuzz', 'quorum-register.fuzz.ts', '--runs', '500', '--seed', '1')
    expect(stdout).toContain('no failure')
    expect(status).toBe(0)
  })
})

describe('examples/cache', () => {
  const here = example('cache', ['cache.ts', 'behaves-as-a-map.ts', 'cache.fuzz.ts', 'fixed.fuzz.ts'])

  test('the race is found, and shrunk to four operations', async () => {
    const { status, stdout } = await here.call('fuzz', 'cache.fuzz.ts', '--runs', '1000', '--seed', '1')
    expect(status).toBe(1)
    expect(stdout).toContain("clients = [ [ { f: 'get' }, { f: 'set', value: '1' }, { f: 'get' } ], [ { f: 'get' } ] ]")
  })

  test('operations that wait for one another are linearizable', async () => {
    const { status } = await here.call('fuzz', 'fixed.fuzz.ts', '--runs', '500', '--seed', '1')
    expect(status).toBe(0)
  })
})
