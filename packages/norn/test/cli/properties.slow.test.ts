/** Which properties a call runs, with what budget, and how it names what it found. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { OWN_STACK, parsed, project } from './project.ts'

const ran = (stdout: string): string[] =>
  parsed(stdout)
    .filter(({ type }) => type === 'summary')
    .map(({ property }) => property)

describe('which properties run', () => {
  const here = project({
    'some.fuzz.ts': `import { fuzz } from 'norn'
fuzz('first', {}, () => {})
fuzz.skip('skipped', {}, () => { throw new Error('must not run') })
fuzz('second', {}, () => {})
`,
    'only.fuzz.ts': `import { fuzz } from 'norn'
fuzz('left out', {}, () => { throw new Error('must not run') })
fuzz.only('only this', {}, () => {})
`,
  })

  it('skips what is skipped, and of a file with an only runs that; other files are not touched by it', async () => {
    const { status, stdout } = await here.call('fuzz', 'some.fuzz.ts', 'only.fuzz.ts', '--runs', '3', '--json')
    expect(ran(stdout)).toEqual(['first', 'second', 'only this'])
    expect(status).toBe(0)
  })

  it('takes a part of a name, and the whole name before parts of others', async () => {
    const { stdout } = await here.call('fuzz', 'some.fuzz.ts', '--runs', '3', '--property', 'ir', '--json')
    expect(ran(stdout)).toEqual(['first'])
  })

  it('runs a file named twice once', async () => {
    const { stdout } = await here.call(
      'fuzz',
      'some.fuzz.ts',
      './some.fuzz.ts',
      '--runs',
      '2',
      '--property',
      'first',
      '--json',
    )
    expect(ran(stdout)).toEqual(['first'])
  })
})

describe('budgets', () => {
  const here = project({
    'two.fuzz.ts': `import { fc, fuzz } from 'norn'
fuzz('one', { n: fc.nat() }, () => {})
fuzz('two', { n: fc.nat() }, () => {})
`,
  })

  it('--runs counts for each property', async () => {
    const { status, stdout } = await here.call('fuzz', 'two.fuzz.ts', '--runs', '17', '--json')
    expect(parsed(stdout).slice(0, 2)).toMatchObject([
      { property: 'one', executions: 17, passed: 17 },
      { property: 'two', executions: 17, passed: 17 },
    ])
    expect(status).toBe(0)
  })

  it('however short the time is, each property runs, and a failure is shrunk in a time of its own', async () => {
    const short = project({
      'short.fuzz.ts': `import { fc, fuzz } from 'norn'
fuzz('fails', { list: fc.array(fc.nat(), { minLength: 3 }) }, ({ list }) => {
  if (list.length > 2) throw new Error('long: ' + list)
})
fuzz('holds', {}, () => {})
`,
    })
    const { stdout } = await short.call('fuzz', 'short.fuzz.ts', '--time', '1ms')
    expect(stdout).toMatch(/✗ fails\n.*1-minimal\n[\s\S]*smallest input\n {4}list = \[ 0, 0, 0 \]\n/)
    expect(stdout).toMatch(/✓ holds: \d+ executions? /)
  })

  it('--time is shared, and ends both', async () => {
    const { status, stdout } = await here.call('fuzz', 'two.fuzz.ts', '--time', '3s', '--json')
    const [one, two, end] = parsed(stdout)
    expect(one!.executions).toBeGreaterThan(0)
    expect(two!.executions).toBeGreaterThan(0)
    expect(end).toMatchObject({ type: 'end', properties: 2 })
    expect(status).toBe(0)
  })

  it('says in words how the properties went', async () => {
    const { stdout } = await here.call('fuzz', 'two.fuzz.ts', '--runs', '2', '--seed', '5')
    expect(stdout.replaceAll(/\d+\.\d s/g, 'N s')).toMatchInlineSnapshot(`
      "✓ one: 2 executions in N s, no failure (no schedule points: nothing asynchronous was scheduled, seed 5)
        no estimate of the residual risk: too few executions: 1 sample by chance alone, 20 needed. Raise --time or --runs

      ✓ two: 2 executions in N s, no failure (no schedule points: nothing asynchronous was scheduled, seed 5)
        no estimate of the residual risk: too few executions: 1 sample by chance alone, 20 needed. Raise --time or --runs

      2 properties: 2 passed

      "
    `)
  })
})

describe('what is found', () => {
  const here = project({
    'found.fuzz.ts': `import assert from 'node:assert/strict'
import { fc, fuzz } from 'norn'

fuzz('examples', { n: fc.integer() }, ({ n }) => { assert.notEqual(n, 7777) }, { examples: [{ n: 3 }, { n: 7777 }] })
fuzz('two bugs', { n: fc.integer({ min: 0, max: 100 }) }, ({ n }) => {
  if (n > 90) throw new TypeError('large')
  if (n > 50) throw new RangeError('middling')
})
`,
  })
  let status: number | null
  let stdout: string

  beforeAll(async () => {
    ;({ status, stdout } = await here.call('fuzz', 'found.fuzz.ts', '--runs', '100', '--seed', '1', '--keep-going'))
  })

  it('an example that fails is named as one', () => {
    expect(stdout).toMatch(/✗ examples\n {2}found in execution \d+ \(example 2\) by the default schedule, seed 1\n/)
    expect(stdout).toMatch(/\n {2}example 2\n {4}n = 7777\n/)
  })

  it('--keep-going finds distinct failures of one property, and saves each', () => {
    const saved = here.failures().map((path) => JSON.parse(readFileSync(join(here.root, path), 'utf8')))
    expect(saved.map(({ failure, inputText }) => `${failure.message}: ${inputText}`).sort()).toEqual([
      expect.stringMatching(/^Expected .* n = 7777$/s),
      'large: n = 91',
      'middling: n = 51',
    ])
    for (const path of here.failures()) expect(stdout).toContain(path)
    expect(stdout).toMatch(/✗ two bugs: 100 executions in .* s, 2 distinct failures/)
    expect(stdout).toContain('2 properties: 2 failed')
    expect(status).toBe(1)
  })

  it('holds no stack of norn', () => {
    expect(stdout).not.toMatch(OWN_STACK)
  })
})

describe('--execution', () => {
  const here = project({
    'race.fuzz.ts': `import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

fuzz("it's all right", {}, () => {})
fuzz('kept', { text: fc.string() }, async ({ text }) => {
  writeFile('a.txt', text)
  await sleep(5)
  assert.equal(await readFile('a.txt', 'utf8'), text)
})
`,
  })

  it('runs the execution again that a number names, in decimal and in hexadecimal', async () => {
    const call = [
      'fuzz',
      'race.fuzz.ts',
      '--property',
      'kept',
      '--strategy',
      'random',
      '--seed',
      '3',
      '--runs',
      '500',
      '--no-saved',
    ]
    const [found] = parsed((await here.call(...call, '--no-shrink', '--json')).stdout)
    expect(found).toMatchObject({ strategy: 'random', name: expect.stringMatching(/^\d+$/) })
    const named = ['fuzz', 'race.fuzz.ts', '--property', 'kept', '--strategy', 'random', '--json', '--execution']
    for (const name of [found!.name, `0x${BigInt(found!.name).toString(16)}`]) {
      const again = await here.call(...named, name)
      expect(parsed(again.stdout)[0]).toMatchObject({
        type: 'execution',
        name: found!.name,
        verdict: 'failed',
        message: found!.message,
        input: found!.input,
        traceHash: found!.traceHash,
      })
      expect(again.status).toBe(1)
    }
  })

  it('is printed with the options that it needs', async () => {
    const call = [
      'fuzz',
      'race.fuzz.ts',
      '--property',
      'kept',
      '--strategy',
      'random',
      '--seed',
      '3',
      '--runs',
      '500',
      '--no-saved',
    ]
    const { stdout } = await here.call(...call)
    expect(stdout).toMatch(
      /fuzz race\.fuzz\.ts --execution \d+ --strategy random --property kept +# replay without the file/,
    )
  })
})
