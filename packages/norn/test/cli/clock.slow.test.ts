/** The clock as part of the schedule: its start, the time that code takes, corrections. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, parsed, project } from './project.ts'

const START = '2026-01-01T00:00:00.000Z'
const searched = ['--seed', '1', '--no-saved', '--no-corpus', '--json']

describe('a property that reads the wall clock', () => {
  const here = project({
    'date.fuzz.ts': `import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

fuzz('the date does not change within a second', {}, async () => {
  const before = new Date().toISOString().slice(0, 19)
  await sleep(1)
  assert.equal(new Date().toISOString().slice(0, 19), before)
})
`,
  })
  const fuzz = async (...args: string[]) => {
    const { status, stdout } = await here.call('fuzz', 'date.fuzz.ts', '--runs', '300', ...searched, ...args)
    return { status, lines: parsed(stdout) as Line[] }
  }

  it('starts at one instant by default', async () => {
    expect((await fuzz()).status).toBe(0)
  })

  describe('with --clock start', () => {
    let found: Line
    beforeAll(async () => {
      const { status, lines } = await fuzz('--clock', 'start')
      expect(status).toBe(1)
      found = lines[0]!
    })

    it('fails where the clock starts, shrunk towards the default, and confirmed', () => {
      expect(found).toMatchObject({
        confirmed: true,
        schedule: [{ label: 'clock start', start: '2026-01-01T00:00:00.999Z' }],
      })
    })

    it('is replayed without the option, and says where the clock starts', async () => {
      const path = here.failures()[0]!
      const [again] = parsed((await here.call('replay', path, '--json')).stdout) as [Line]
      expect(again).toMatchObject({ traceHash: found.traceHash, message: found.message, schedule: found.schedule })
      const { stdout } = await here.call('replay', path)
      expect(stdout).toContain('interleaving (the clock starts at 2026-01-01T00:00:00.999Z)')
      expect(stdout).toMatch(/◆ +the clock starts at 2026-01-01T00:00:00.999Z +date.fuzz.ts:6/)
      expect(JSON.parse(readFileSync(join(here.root, path), 'utf8'))).toMatchObject({ clock: ['start'] })
    })
  })
})

describe('a property that times a timer by Date', () => {
  const here = project({
    'early.fuzz.ts': `import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

fuzz('takes as long as it says', {}, async () => {
  const start = Date.now()
  await sleep(100)
  assert.ok(Date.now() - start >= 100)
})
`,
    'loaded.fuzz.ts': `import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

const loaded = Date.now()

fuzz('takes as long, where a module reads the clock', {}, async () => {
  const start = Date.now()
  assert.ok(start >= loaded, 'back')
  await sleep(100)
  assert.ok(Date.now() - start >= 100, 'early')
})
`,
    'late.fuzz.ts': `import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

fuzz('takes one millisecond less at most, and no clock goes back', {}, async () => {
  const read = () => [Date.now(), performance.now(), performance.timeOrigin + performance.now()] as const
  let before = read()
  for (const ms of [7, 1, 100, 3]) {
    await sleep(ms)
    const after = read()
    assert.ok(after[0] - before[0] >= ms - 1, 'by Date')
    assert.ok(after[1] - before[1] > ms - 1, 'by performance')
    assert.ok(Math.abs(after[2] - after[0]) < 1.1, 'apart')
    before = after
  }
}, { clock: ['start'] })
`,
  })

  it('passes where the clock does not vary', async () => {
    expect(await here.call('fuzz', 'early.fuzz.ts', '--runs', '300', ...searched)).toMatchObject({ status: 0 })
  })

  it('fails where the clock starts between two milliseconds of the loop; the replay needs no option', async () => {
    const { status, stdout } = await here.call(
      ...['fuzz', 'early.fuzz.ts', '--runs', '300', ...searched, '--clock', 'start'],
    )
    expect(status).toBe(1)
    const [found] = parsed(stdout) as [Line]
    expect(found).toMatchObject({ confirmed: true, schedule: [{ label: 'clock phase', phaseUs: 2 }] })
    const [path] = here.failures() as [string]
    const [again] = parsed((await here.call('replay', path, '--json')).stdout) as [Line]
    expect(again).toMatchObject({ traceHash: found.traceHash, schedule: found.schedule })
    const replayed = await here.call('replay', path)
    expect(replayed.stdout).toMatch(/◆ +the milliseconds of Date begin 0.002 ms after those of timers +early.fuzz.ts:6/)
  })

  it('fails too where a module has read the clock while it loaded', async () => {
    const { status, stdout } = await here.call(
      ...['fuzz', 'loaded.fuzz.ts', '--runs', '300', ...searched, '--clock', 'start'],
    )
    expect(status).toBe(1)
    expect(parsed(stdout)[0]).toMatchObject({ confirmed: true, message: 'early', schedule: [{ label: 'clock phase' }] })
  })

  it('may rely on all but one millisecond, and on every other clock', async () => {
    const { status, stdout, stderr } = await here.call('fuzz', 'late.fuzz.ts', '--runs', '500', ...searched)
    expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ')
  })
})

describe('a program that reads no wall clock', () => {
  const here = project({
    'still.fuzz.ts': `import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

fuzz('a file is written in time', {}, async () => {
  performance.now()
  mkdirSync('folder')
  writeFileSync('folder/one', '')
  let isWritten = false
  writeFile('folder/two', 'x').then(() => { isWritten = true })
  await sleep(10)
  process.hrtime()
  assert.ok(isWritten)
})
`,
  })

  it('draws the same, and has the same failures, whatever the clock may do', async () => {
    const run = async (...args: string[]) => {
      const { stdout } = await here.call('fuzz', 'still.fuzz.ts', '--runs', '60', ...searched, '--keep-going', ...args)
      const lines = parsed(stdout) as Line[]
      for (const line of lines) {
        delete line.timeMs
        delete line.saved
      }
      return JSON.stringify(lines).replace(/"[a-zA-Z]*Ms":[\d.]+/g, '')
    }
    const without = await run()
    expect(without).toContain('"failed"')
    expect(await run('--clock', 'start,corrections')).toBe(without)
  })
})

describe('an execution that starts at another instant', () => {
  const here = project({
    'clocks.fuzz.ts': `import assert from 'node:assert/strict'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fuzz, note } from 'norn'

const options = { clock: ['start'], required: ['another start'] } as const
const isNear = (one: number, other: number) => Math.abs(one - other) < 1500

fuzz('moves no other clock', {}, () => {
  if (Date.now() > Date.parse('${START}') + 1000) note('another start')
  assert.ok(performance.now() < 200)
  assert.ok(process.uptime() < 0.2)
  assert.ok(process.hrtime.bigint() < 200_000_000n)
}, options)

fuzz('has one wall clock in all that tell it', {}, async () => {
  writeFileSync('before', '')
  const now = Date.now()
  if (now > Date.parse('${START}') + 1000) note('another start')
  writeFileSync('after', '')
  utimesSync('after', 1, 2)
  assert.equal(statSync('after').mtimeMs, 2000)
  assert.ok(isNear(statSync('after').ctimeMs, now))
  assert.ok(isNear(statSync('before').birthtimeMs, now))
  assert.ok(isNear(performance.timeOrigin + performance.now(), now))
  assert.ok(isNear(Date.parse(Date()), now))
  assert.ok(isNear(new File([], 'file').lastModified, now))
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { headers } = await fetch('http://localhost:' + (server.address() as { port: number }).port)
  assert.ok(isNear(Date.parse(headers.get('date')!), now))
  server.closeAllConnections()
  server.close()
}, options)

fuzz('waits as long', {}, async () => {
  if (Date.now() > Date.parse('${START}') + 1000) note('another start')
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(performance.now() - began >= 49)
  assert.ok(performance.now() - began < 100)
}, options)
`,
    'loading.fuzz.ts': `import assert from 'node:assert/strict'
import { fuzz } from 'norn'

const loaded = Date.now()

fuzz('a module that reads the clock keeps the default start', {}, () => {
  assert.ok(Date.now() - loaded < 1000)
}, { clock: ['start'] })
`,
  })

  it.each(['clocks.fuzz.ts', 'loading.fuzz.ts'])('agrees with itself: %s', async (file) => {
    const { status, stdout, stderr } = await here.call('fuzz', file, '--runs', '60', ...searched)
    expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ')
  })
})

describe('the time that code takes, and a correction', () => {
  const here = project({
    'reads.fuzz.ts': `import assert from 'node:assert/strict'
import { fuzz } from 'norn'

fuzz('two reads in one step are equal', {}, () => {
  const first = Date.now()
  assert.equal(Date.now(), first)
}, { clock: ['pauses'] })

fuzz('time does not go back', {}, async () => {
  const began = performance.now()
  const first = Date.now()
  await null
  const second = Date.now()
  assert.ok(performance.now() >= began)
  assert.ok(second >= first, 'it goes back')
}, { clock: ['corrections'] })
`,
  })

  it('are found, shrunk and told', async () => {
    const { status, stdout } = await here.call('fuzz', 'reads.fuzz.ts', '--runs', '200', ...searched)
    expect(status).toBe(1)
    const [pause, correction] = (parsed(stdout) as Line[]).filter(({ verdict }) => verdict === 'failed')
    expect(pause).toMatchObject({ confirmed: true, schedule: [{ label: '0:0 clock pause', latencyUs: 998 }] })
    expect(correction).toMatchObject({ confirmed: true, message: 'it goes back', schedule: [{ setBackMs: 1 }] })
    const texts: string[] = []
    for (const path of here.failures()) texts.push((await here.call('replay', path)).stdout)
    expect(texts.join('')).toContain('code takes 0.998 ms here')
    expect(texts.join('')).toContain('the clock is set back by 1 ms')
  })

  it('are named by the option, and nothing else is', async () => {
    const { status, stderr } = await here.call('fuzz', 'reads.fuzz.ts', '--clock', 'start,dates')
    expect(status).toBe(2)
    expect(stderr).toContain('expected some of start,pauses,corrections, or all, or none')
    here.write('wrong.fuzz.ts', `import { fuzz } from 'norn'\nfuzz('x', {}, () => {}, { clock: ['dates'] as never })\n`)
    const wrong = await here.call('fuzz', 'wrong.fuzz.ts')
    expect(wrong.stderr + wrong.stdout).toContain(
      "option clock must be an array with some of 'start', 'pauses', 'corrections'",
    )
  })

  it('do not happen with --clock none', async () => {
    const { status } = await here.call('fuzz', 'reads.fuzz.ts', '--clock', 'none', '--runs', '40', ...searched)
    expect(status).toBe(0)
  })
})

describe('ordinary tests', () => {
  const here = project({
    'clock.test.mjs': `import assert from 'node:assert/strict'
import { test, mock } from 'node:test'

test('next minute is this minute and one', () => {
  const now = new Date()
  const next = new Date(Math.ceil((now.getTime() + 1) / 60_000) * 60_000)
  assert.equal(next.getMinutes(), now.getMinutes() + 1)
})
test('a clock of its own', () => {
  mock.timers.enable({ apis: ['Date'], now: 1000 })
  assert.equal(Date.now(), 1000)
  assert.equal(Date.now(), 1000)
  mock.timers.reset()
})
test('adds up', () => assert.equal(1 + 1, 2))
`,
  })

  it('start at other instants, but for those with a clock of their own', async () => {
    const { stdout } = await here.call('flaky', 'clock.test.mjs', '--json', '--runs', '30')
    const tests = (parsed(stdout) as Line[]).filter(({ type }) => type === 'test' || type === 'flaky')
    const flaky = tests.filter(({ type, verdict }) => type === 'flaky' || verdict === 'flaky')
    expect(new Set(flaky.map(({ test, name }) => test ?? name))).toEqual(
      new Set(['next minute is this minute and one']),
    )
    expect(tests.find(({ name }) => name === 'adds up')).toMatchObject({ verdict: 'clean', executions: 1, points: 0 })
  })
})

describe('a cluster whose nodes read the date', () => {
  const here = project({
    'months.fuzz.ts': `import assert from 'node:assert/strict'
import { type Actor, type ActorContext, actors, cluster } from 'norn/cluster'

class Log implements Actor {
  months: number[] = []
  constructor(readonly node: ActorContext) {}
  onStart() {
    if (this.node.id === 'a') this.node.send('b', 'hello')
  }
  onMessage() {
    this.months.push(new Date().getUTCMonth())
  }
}

cluster('all log in January', {
  system: () => actors({ a: (node) => new Log(node), b: (node) => new Log(node) }),
  invariant: ({ node }) => assert.ok((node('b').state?.months ?? []).every((month) => month === 0), 'another month'),
})
`,
  })

  it('starts at another instant, at the first one of the next month', async () => {
    const fuzz = (...args: string[]) => here.call('fuzz', 'months.fuzz.ts', '--runs', '100', ...searched, ...args)
    expect((await fuzz()).status).toBe(0)
    expect(await fuzz('--clock', 'start')).toMatchObject({ status: 1 })
    const { stdout } = await here.call('replay', here.failures().find((path) => path.endsWith('.json'))!)
    expect(stdout).toContain('replayed exactly')
    expect(stdout).toContain('execution: the clock starts at 2026-02-01T00:00:00.000Z')
  })
})
