/** Status 3: nothing ran, or what ran says nothing. Each message says which. */
import { describe, expect, it } from 'vitest'
import { OWN_STACK, parsed, project } from './project.ts'

const here = project({
  'none.fuzz.ts': `export const nothing = 1\n`,
  'skipped.fuzz.ts': `import { fuzz } from 'norn'\nfuzz.skip('a', {}, () => {})\nfuzz.skip('b', {}, () => {})\n`,
  'two.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('a', {}, () => {})\nfuzz('b', {}, () => {})\n`,
  'machine.fuzz.ts': `import { setPriority } from 'node:os'
import { fuzz } from 'norn'

fuzz('hurries', {}, () => {
  setPriority(-1)
})
fuzz('hurries in a promise', {}, async () => {
  await new Promise<void>(() => {
    setPriority(-1)
  })
})
fuzz('is fine', {}, () => {})
`,
  'parts.fuzz.ts': `import { stat } from 'node:fs/promises'
import { METHODS } from 'node:http'
import { fuzz } from 'norn'
fuzz('goes by turns', {}, async () => {
  const isOther = METHODS.at(-1) === 'LEFT'
  METHODS.splice(METHODS.length - Number(isOther), 1, ...(isOther ? [] : ['LEFT']))
  await stat('.')
  if (isOther) await stat('..')
  else await Promise.all([
    stat('/'),
  ])
})
`,
  'discards.fuzz.ts': `import { fc, fuzz } from 'norn'
fuzz('rejects all', { n: fc.nat() }, () => fc.pre(false))
fuzz('rejects some', { n: fc.nat() }, ({ n }) => fc.pre(n % 2 === 0))
`,
  'load.fuzz.ts': `import { setPriority } from 'node:os'
setPriority(-1)
`,
  'flaky.fuzz.ts': `import { METHODS } from 'node:http'
import { fuzz } from 'norn'
// A list that a builtin module exports is not put back between executions: a way for one execution to
// change the next.
fuzz('depends on the past', {}, () => {
  METHODS.push('LEFT')
  const executions = METHODS.filter((method) => method === 'LEFT').length
  if (executions === 3) throw new Error('the third time')
})
`,
})

describe('a precondition', () => {
  it('that rejects every input is no pass, and bounds nothing', async () => {
    const { status, stdout } = await here.call('fuzz', 'discards.fuzz.ts', '--property', 'all', '--runs', '40')
    expect(stdout).toContain('inconclusive: fc.pre rejected every input, so nothing was checked')
    expect(stdout).not.toMatch(/✓|upper bound/)
    expect(status).toBe(3)
  })

  it('that rejects some passes', async () => {
    const { status } = await here.call('fuzz', 'discards.fuzz.ts', '--property', 'some', '--runs', '40', '--seed', '1')
    expect(status).toBe(0)
  })
})

describe('nothing ran', () => {
  it.each([
    ['none.fuzz.ts', /no property was run: no property is declared\. Declare one with fuzz\(/],
    ['skipped.fuzz.ts', /no property was run: all 2 properties are skipped/],
    ['two.fuzz.ts --property zz', /no property was run: no property name contains 'zz'; declared: 'a', 'b'/],
  ])('norn fuzz %s', async (call, says) => {
    const { status, stdout } = await here.call('fuzz', ...call.split(' '), '--runs', '3')
    expect(stdout).toMatch(says)
    expect(status).toBe(3)
  })

  it('is said in JSON too', async () => {
    const { status, stdout } = await here.call('fuzz', 'none.fuzz.ts', '--json')
    expect(parsed(stdout)).toMatchObject([
      { type: 'end', status: 3, properties: 0, why: expect.stringMatching('no property is declared') },
    ])
    expect(status).toBe(3)
  })
})

describe('two runs of one tape part', () => {
  it('is said with the step and the line of either run', async () => {
    const { status, stdout } = await here.call('fuzz', 'parts.fuzz.ts', '--runs', '3', '--seed', '1')
    expect(stdout).toMatch('goes by turns: inconclusive (1 of 3 executions)')
    expect(stdout).toMatch(/nondeterminism detected at step \d+ of the trace:/)
    expect(stdout).toMatch(/stat \S+ is submitted at \S+ ms\n {4}at parts\.fuzz\.ts:8:/)
    expect(stdout).toMatch(/stat \/ is submitted at \S+ ms\n {4}at parts\.fuzz\.ts:10:/)
    expect(status).toBe(3)
  })

  it('is said in JSON too', async () => {
    const { stdout } = await here.call('fuzz', 'parts.fuzz.ts', '--runs', '3', '--seed', '1', '--json')
    const told = parsed(stdout).find((line) => line.type === 'void')
    expect(told).toMatchObject({
      execution: 2,
      reason: 'nondeterminism',
      divergence: { step: expect.any(Number), first: { frame: { line: 10 } }, second: { frame: { line: 8 } } },
    })
  })
})

describe('control was lost', () => {
  it('in a body: names the operation, the file and the line', async () => {
    const { status, stdout } = await here.call('fuzz', 'machine.fuzz.ts', '--runs', '3')
    expect(stdout).toMatch(
      /hurries: inconclusive \(3 of 3 executions\)\n {2}uncontrolled: os.setPriority \(machine\.fuzz\.ts:5\)\n {2}replace it by a stub/,
    )
    expect(stdout).toMatch(
      /hurries in a promise: inconclusive \(3 of 3 executions\)\n {2}uncontrolled: os.setPriority \(machine\.fuzz\.ts:9\)/,
    )
    expect(stdout.match(/^\?/gm)).toHaveLength(2)
    expect(stdout).toMatch(/✓ is fine: 3 executions/)
    expect(stdout).toMatch(/3 properties: 2 inconclusive, 1 passed/)
    expect(stdout).not.toMatch(OWN_STACK)
    expect(status).toBe(3)
  })

  it('while a file loads: nothing of it is run', async () => {
    const { status, stderr } = await here.call('fuzz', 'load.fuzz.ts', '--runs', '3')
    expect(stderr).toBe(`norn: inconclusive: loading load.fuzz.ts leaves norn's control, so no property was run
  uncontrolled: os.setPriority
      at load.fuzz.ts:2:12
`)
    expect(status).toBe(3)
  })
})

describe('a failure that does not repeat', () => {
  it('is called flaky, and is not saved', async () => {
    const { status, stdout } = await here.call('fuzz', 'flaky.fuzz.ts', '--runs', '20', '--seed', '1')
    expect(stdout).toMatch(/depends on the past: flaky\. Execution \d+ failed \(the third time\)/)
    expect(here.failures()).toEqual([])
    expect(status).toBe(3)
  })
})
