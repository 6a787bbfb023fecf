/** Options of flags, variables, properties and the configuration, through the command line. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parsed, project } from './project.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const here = project({
  'package.json': '{}',
  'norn.config.ts': `import { defineConfig } from 'norn'\nexport default defineConfig({ runs: 7, seed: 70 })\n`,
  'two.fuzz.ts': `import { fuzz } from 'norn'
fuzz('has its own', {}, () => {}, { runs: 4, seed: 40 })
fuzz('has none', {}, () => {})
`,
})

/** Executions and seed of both properties. */
async function searched(...flags: string[]) {
  const { stdout } = await here.call('fuzz', 'two.fuzz.ts', '--json', ...flags)
  const summaries = parsed(stdout).filter(({ type }) => type === 'summary')
  return summaries.map(({ executions, seed }) => [executions, seed])
}

describe('norn fuzz', () => {
  it('takes the options of a property before those of the configuration', async () => {
    expect(await searched()).toEqual([
      [4, 40],
      [7, 70],
    ])
  })

  it('takes variables before both, and flags before variables', async () => {
    vi.stubEnv('NORN_RUNS', '3')
    vi.stubEnv('NORN_SEED', '30')
    expect(await searched()).toEqual([
      [3, 30],
      [3, 30],
    ])
    expect(await searched('--runs', '2')).toEqual([
      [2, 30],
      [2, 30],
    ])
  })

  it('gives a property with a time of its own that time, and the others the time of the call', async () => {
    const timed = project({
      'a.fuzz.ts': `import { fuzz } from 'norn'
fuzz('short', {}, () => {}, { timeMs: 1 })
fuzz('counted', {}, () => {}, { runs: 5 })
fuzz('long', {}, () => {}, { timeMs: 100_000_000 })
`,
    })
    const short = await timed.call('fuzz', 'a.fuzz.ts', '--json', '--property', 'short')
    expect(parsed(short.stdout).find(({ type }) => type === 'summary')!.executions).toBeGreaterThan(0)
    const counted = await timed.call('fuzz', 'a.fuzz.ts', '--json', '--property', 'counted')
    expect(parsed(counted.stdout).find(({ type }) => type === 'summary')!.executions).toBe(5)
    const flag = await timed.call('fuzz', 'a.fuzz.ts', '--json', '--property', 'long', '--time', '1ms')
    expect(flag.status).toBe(0)
  })

  it('refuses a wrong configuration and a wrong variable with status 2', async () => {
    const wrong = project({ 'package.json': '{ "norn": { "timeMs": "30s" } }', 'a.fuzz.ts': '' })
    const { status, stderr } = await wrong.call('fuzz', 'a.fuzz.ts')
    expect(stderr).toBe(
      "norn: package.json: norn: option timeMs must be a number of milliseconds from 1 to 1800000000: '30s'. Write 30000\n",
    )
    expect(status).toBe(2)
    vi.stubEnv('NORN_RUNS', 'many')
    expect(await here.call('fuzz', 'two.fuzz.ts')).toMatchObject({
      ...{ status: 2, stderr: 'norn: NORN_RUNS=many: expected a whole number from 1\n' },
    })
  })

  it('mentions the configuration in its help', async () => {
    expect((await here.call('fuzz', '--help')).stdout).toContain('norn.config.ts')
  })
})

it('a hang of the configuration holds for replays too', async () => {
  const hanging = project({
    'package.json': '{ "norn": { "hangMs": 300, "seed": 1 } }',
    'a.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('hangs', {}, () => { for (;;) {} })\n`,
  })
  const found = await hanging.call('fuzz', 'a.fuzz.ts')
  expect(found.stdout).toContain('one execution took more than 0.3 s of processor time')
  const [saved] = hanging.failures()
  expect((await hanging.call('replay', saved!)).stdout).toContain(
    'one execution took more than 0.3 s of processor time',
  )
})

it('aliases and packages to observe come from the configuration, by paths from its folder', async () => {
  const aliased = project({
    'package.json': '{ "norn": { "alias": { "thing": "./fake.ts" }, "runs": 1 } }',
    'fake.ts': 'export const thing = 5\n',
    'a.fuzz.ts': `import { fuzz } from 'norn'\nimport { thing } from 'thing'\nfuzz('a', {}, () => { if (thing !== 5) throw 1 })\n`,
  })
  expect(await aliased.call('fuzz', 'a.fuzz.ts')).toMatchObject({ status: 0 })
  const gone = project({
    'package.json': '{ "norn": { "alias": { "thing": "./gone.ts" }, "cover": ["gone"] } }',
    'a.fuzz.ts': '',
  })
  const { stderr } = await gone.call('fuzz', 'a.fuzz.ts')
  expect(stderr).toMatch(/^norn: package\.json: alias thing=\.\/gone\.ts: no such file: .*gone\.ts\n$/)
})

it('modules of the configuration run before each file, anew in each execution', async () => {
  const files = {
    'package.json': '{ "type": "module", "norn": { "setup": ["./before.ts", "./later.mjs"] } }',
    'before.ts': 'export {}\nObject.assign(globalThis, { seen: [] })\n',
    'later.mjs': "await null\nglobalThis.seen.push('later')\n",
    'sub/a.fuzz.ts': `import assert from 'node:assert/strict'\nimport { fuzz } from 'norn'\nconst { seen } = globalThis as unknown as { seen: string[] }
fuzz('a', {}, () => {\n  seen.push('body')\n  assert.deepEqual(seen, ['later', 'body'])\n})\n`,
  }
  expect(await project(files).call('fuzz', '--runs', '5')).toMatchObject({ status: 0 })
  const gone = project({ ...files, 'package.json': '{ "norn": { "setup": ["./gone.ts"] } }' })
  expect((await gone.call('fuzz')).stderr).toBe('norn: package.json: setup: no such file: ./gone.ts\n')
})
