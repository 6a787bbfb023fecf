/** Status 3: nothing ran, or what ran says nothing. Each message says which. */
import { describe, expect, it } from 'vitest'
import { OWN_STACK, parsed, project } from './project.ts'

const here = project({
  'none.fuzz.ts': `export const nothing = 1\n`,
  'skipped.fuzz.ts': `import { fuzz } from 'norn'\nfuzz.skip('a', {}, () => {})\nfuzz.skip('b', {}, () => {})\n`,
  'two.fuzz.ts': `import { fuzz } from 'norn'\nfuzz('a', {}, () => {})\nfuzz('b', {}, () => {})\n`,
  'network.fuzz.ts': `import { connect } from 'node:net'
import { fuzz } from 'norn'

fuzz('dials an address', {}, () => {
  connect(80, '127.0.0.1')
})
fuzz('dials a name', {}, async () => {
  await new Promise<void>((done) => {
    connect(80, 'localhost', done)
  })
})
fuzz('is fine', {}, () => {})
`,
  'load.fuzz.ts': `import { connect } from 'node:net'
connect(80, '127.0.0.1')
`,
  'flaky.fuzz.ts': `import { getDefaultHighWaterMark, setDefaultHighWaterMark } from 'node:stream'
import { fuzz } from 'norn'
// A default kept inside Node is not put back between executions yet: a way for one execution to change the next.
fuzz('depends on the past', {}, () => {
  const before = getDefaultHighWaterMark(false)
  const executions = before >= 1000 ? 1 : before + 1
  setDefaultHighWaterMark(false, executions)
  if (executions === 3) throw new Error('the third time')
})
`,
})

describe('nothing ran', () => {
  it.each([
    ['none.fuzz.ts', /nothing was run: no property is declared: a file declares them by fuzz\(/],
    ['skipped.fuzz.ts', /nothing was run: all 2 properties are skipped/],
    ['two.fuzz.ts --property zz', /nothing was run: no property has a name that contains 'zz'; there are 'a', 'b'/],
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

describe('control was lost', () => {
  it('in a body: names the operation, the file and the line', async () => {
    const { status, stdout } = await here.call('fuzz', 'network.fuzz.ts', '--runs', '3')
    expect(stdout).toMatch(
      /dials an address: control was lost; 3 of 3 executions say nothing\n {2}net.Socket connect is not controlled by norn\n {4}at network\.fuzz\.ts:5:/,
    )
    expect(stdout).toMatch(
      /dials a name: control was lost; 3 of 3 .*\n {2}net.Socket connect .*\n {4}at (?:.*\()?network\.fuzz\.ts:9:/,
    )
    expect(stdout).toMatch(/✓ is fine: 3 executions/)
    expect(stdout).toMatch(/3 properties: 2 undecided, 1 passed/)
    expect(stdout).not.toMatch(OWN_STACK)
    expect(status).toBe(3)
  })

  it('while a file loads: nothing of it is run', async () => {
    const { status, stderr } = await here.call('fuzz', 'load.fuzz.ts', '--runs', '3')
    expect(stderr).toBe(`norn: control was lost while load.fuzz.ts was loaded, so nothing was run
  net.Socket connect is not controlled
      at load.fuzz.ts:2:8
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
