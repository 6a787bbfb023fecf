/** `norn flaky`: what it says of ordinary tests, and how its failures are kept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project } from './project.ts'

const tests = {
  'test/cart.test.mjs': `import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = await mkdtemp(join(tmpdir(), 'cart-'))
let token

describe('a cart', () => {
  it('is saved in time', async () => {
    let saved = false
    writeFile(join(folder, 'cart'), '[]').then(() => { saved = true })
    await sleep(10)
    assert.ok(saved)
  })
  it('waits until it is saved', async () => {
    await writeFile(join(folder, 'own'), '[]')
    assert.equal(await readFile(join(folder, 'own'), 'utf8'), '[]')
  })
  it('logs in', () => { token = 'x' })
  it('has an owner', () => assert.equal(token, 'x'))
  it('adds up', () => assert.equal(1 + 1, 3))
  it.skip('is shared', () => {})
  it('skips itself', (t) => t.skip())
  it('keeps a promise', { timeout: 20 }, () => sleep(30))
})
`,
}

interface Row {
  readonly type: string
  readonly name: string
  readonly verdict: string
  readonly needs?: readonly string[]
  readonly line: number
  readonly points: number
}

it('takes the process of a runner for one that goes on behind the tests, and hooks may return values', async () => {
  const here = project({
    'jest.config.js': 'module.exports = {}',
    'test/broker.test.js': `process.on('beforeExit', () => process.exit(0))
let made
describe('a broker', () => {
  process.on('exit', () => process.exit(1))
  beforeAll(() => (made = { open: true }))
  beforeAll(() => () => { throw new Error('never called') })
  test('is open', () => { if (!made.open) throw new Error('closed') })
  test('is asked to end', () => { process.on('beforeExit', () => { throw new Error('ended') }) })
})
`,
  })
  const { stdout } = await here.call('flaky')
  expect(stdout).toContain('2 tests: 2 clean')
})

it('but a file of node:test is a program, whose end its listeners see', async () => {
  const here = project({
    'test/exit.test.mjs': `import { test } from 'node:test'
process.on('exit', () => { throw new Error('never called') })
test('is done', async () => { await null })
`,
  })
  const { stdout } = await here.call('flaky')
  expect(stdout).toContain('- is done: fails as it is: never called')
})

it('names the line of a test that hangs', async () => {
  const here = project({
    'test/spin.test.mjs': `import { test } from 'node:test'
function spin() { for (;;); }
test('spins', () => spin())
`,
  })
  const { stdout } = await here.call('flaky', '--hang', '300ms')
  expect(stdout).toContain(
    '- spins: fails as it is: one execution took more than 0.3 s of processor time, and was ended (test/spin.test.mjs:2)',
  )
})

it('calls a test flaky that fails by its random numbers, or by where the clock starts, and by nothing else', async () => {
  const here = project({
    'test/dice.test.mjs': `import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
test('throws', () => { Math.random() })
test('is high', () => assert.ok(Math.random() < 0.5))
test('is never so high', () => assert.ok(Math.random() > 1))
test('is rarely so high', () => assert.ok(Math.random() < 0.9999999))
test('is within a second', () => assert.ok(new Date().getMilliseconds() > 0))
test('takes time', async () => {
  const began = Date.now()
  for (let n = 0; n < 10; n++) await stat('.')
  assert.ok(Date.now() > began)
})
`,
  })
  const { status, stdout } = await here.call('flaky', '--runs', '20', '--junit', 'results.xml')
  expect(status).toBe(1)
  expect(stdout).toContain('✗ is high: fails by its random numbers, passes with other seeds (3 of 5)')
  expect(stdout).toContain('- is never so high: fails as it is')
  expect(stdout).toContain(
    '✗ is within a second: fails where the clock starts at 2026-01-01T00:00:00.000Z, passes at other instants (5 of 5)',
  )
  expect(stdout).toMatch(
    /- takes time: fails where no operation takes time, passes under other schedules \(\d+ of 10\)/,
  )
  expect(stdout).toMatch(/flaky: fails by its random numbers, .* \(3 of 5\), fails in \d+ of \d+ executions/)
  expect(stdout).toContain('random numbers\n  what to do: seed them in the test')
  expect(stdout).toContain('what the clock shows: the clock starts at 2026-01-01T00:00:00.000Z\n')
  expect(stdout).toContain('6 tests: 2 flaky, 2 failing as is, 2 clean')
  const results = readFileSync(join(here.root, 'results.xml'), 'utf8')
  expect(results.match(/<failure/g)).toHaveLength(2)
  for (const [saved] of stdout.matchAll(/\.norn\/failures\/\S+\.json/g)) {
    const replayed = await here.call('replay', saved)
    expect([replayed.status, replayed.stdout]).toEqual([1, expect.stringContaining('replayed exactly')])
  }
})

describe('a suite of node:test', () => {
  const here = project(tests)
  const rows = async (...args: string[]) => {
    const { status, stdout, stderr } = await here.call('flaky', ...args, '--json')
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    return { status, stderr, tests: lines.filter(({ type }) => type === 'test'), lines }
  }

  it('has a verdict for each test, and the line that declares it', async () => {
    const { status, tests } = await rows()
    const said = Object.fromEntries(tests.map(({ name, verdict }) => [name.replace('a cart > ', ''), verdict]))
    expect(said).toEqual({
      'is saved in time': 'flaky',
      'waits until it is saved': 'clean',
      'logs in': 'clean',
      'has an owner': 'dependent',
      'adds up': 'failing',
      'is shared': 'skipped',
      'skips itself': 'skipped',
      'keeps a promise': 'failing',
    })
    expect(status).toBe(1)
    const owner = tests.find(({ name }) => name === 'a cart > has an owner')!
    expect(owner).toMatchObject({ needs: ['a cart > logs in'], line: 23 })
    expect(tests.find(({ name }) => name === 'a cart > logs in')!.points).toBe(0)
  })

  it('shrinks, saves and replays what is flaky', async () => {
    const { stdout } = await here.call('flaky', '--test', 'in time')
    expect(stdout).toContain('flaky: passes under the default schedule, fails in')
    expect(stdout).toMatch(/◆.*own|◆.*cart.*delayed by/)
    const [failure] = here.failures()
    const replayed = await here.call('replay', failure!)
    expect(replayed.stdout).toContain('replayed exactly: the same trace')
    expect(replayed.status).toBe(1)
  })

  it('says what names nothing', async () => {
    const { status, stderr } = await here.call('flaky', 'missing.test.mjs')
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'norn: no such file or folder: missing.test.mjs\n' })
  })
})

const kinds = {
  'store.mjs': `import { readFile, writeFile } from 'node:fs/promises'
export async function increment(path) {
  const n = Number(await readFile(path, 'utf8'))
  await writeFile(path, \`\${n + 1}\`)
}
`,
  'kinds.test.mjs': `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { increment } from './store.mjs'

const folder = await mkdtemp(join(tmpdir(), 'kinds-'))

it('sleep against a response', async () => {
  const server = createServer((_, response) => response.end('hello')).listen(0)
  await once(server, 'listening')
  let answered = false
  get({ port: server.address().port }, (response) => { answered = true; response.resume() })
  await sleep(20)
  server.close()
  assert.ok(answered)
})
it('order of answers', async () => {
  const order = []
  await Promise.all(['a', 'b'].map((name) => writeFile(join(folder, name), name).then(() => order.push(name))))
  assert.deepEqual(order, ['a', 'b'])
})
it('nobody awaits', async () => {
  let closed = false
  void readFile(join(folder, 'missing')).catch(() => { if (closed) throw new Error('after the end') })
  await writeFile(join(folder, 'x'), '')
  closed = true
})
it('a race in the code', async () => {
  await writeFile(join(folder, 'counter'), '0')
  await Promise.all([increment(join(folder, 'counter')), sleep(1).then(() => increment(join(folder, 'counter')))])
  assert.equal(await readFile(join(folder, 'counter'), 'utf8'), '2')
})
it('a bound', async () => {
  const start = Date.now()
  await sleep(5)
  assert.ok(Date.now() - start < 10)
})
it('a timer by Date', async () => {
  const start = Date.now()
  await sleep(50)
  assert.ok(Date.now() - start >= 50)
})
let timer
let ticks = 0
it('leaves an interval', async () => {
  timer = setInterval(() => ticks++, 15).unref()
})
it('counts from zero', async () => {
  await writeFile(join(folder, 'y'), '')
  assert.equal(ticks, 0)
})
it('a port', async () => {
  const a = createServer().listen(8123)
  await once(a, 'listening')
  a.close()
  await writeFile(join(folder, 'z'), '')
  const b = createServer().listen(8123)
  await once(b, 'listening')
  b.close()
})
`,
}

it('tells why a test is flaky, and of which tests that has to do with', async () => {
  const { stdout } = await project(kinds).call('flaky', '--json')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const flaky = lines.filter(({ type }) => type === 'flaky').map(({ test, kind }) => [test, kind])
  expect(Object.fromEntries(flaky)).toEqual({
    'sleep against a response': 'sleep',
    'order of answers': 'order',
    'nobody awaits': 'unawaited',
    'a race in the code': 'code',
    'a bound': 'pause',
    'a timer by Date': 'clock',
    'counts from zero': 'leftover',
  })
})

it('says by how much a timer is early by Date', async () => {
  const { stdout } = await project(kinds).call('flaky', '--test', 'a timer by Date')
  expect(stdout).toMatch(/what the clock shows: by Date, the 50 ms timer \(kinds.test.mjs:\d+\) takes 49 ms\n/)
  expect(stdout).toContain('what to do: timers and Date count their milliseconds apart: allow one less')
})

it('counts a timeout that few late operations exceed, and none that takes many', async () => {
  const here = project({
    'late.test.mjs': `import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
const read = () => readFile(import.meta.filename)
it('one is enough', { timeout: 15 }, read)
it('many are not', { timeout: 300 }, async () => { for (let n = 0; n < 40; n++) await read() })
`,
  })
  const { status, stdout } = await here.call('flaky', '--runs', '30', '--json')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.filter(({ type }) => type === 'flaky').map(({ test }) => test)).toEqual(['one is enough'])
  const [cleared] = lines.filter(({ type }) => type === 'cleared')
  expect(cleared).toMatchObject({ name: 'many are not', verdict: 'clean' })
  expect(cleared!.late).toBeGreaterThan(5)
  expect(here.failures()).toHaveLength(1)
  expect(status).toBe(1)
})

it('delays operations as long as it is told, and replays need no option', async () => {
  const here = project({
    'long.test.mjs': `import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
it('sleeps for 60 ms', async () => {
  let isRead = false
  readFile(import.meta.filename).then(() => { isRead = true })
  await sleep(60)
  assert.ok(isRead)
})
`,
  })
  // The second call does not go on where the first one stopped.
  expect(await here.call('flaky')).toMatchObject({ status: 0 })
  const { status, stdout } = await here.call('flaky', '--max-latency', '100ms')
  expect(status).toBe(1)
  expect(stdout).toContain('a sleep against an operation: ')
  const [path] = here.failures() as [string]
  expect(JSON.parse(readFileSync(join(here.root, path), 'utf8'))).toMatchObject({ maxLatencyMs: 100 })
  expect(await here.call('replay', path)).toMatchObject({ status: 1 })
})

describe('in CI', () => {
  const here = project({
    ...kinds,
    'norn.quarantine.json': JSON.stringify([
      { test: 'a bound', by: 'ada', until: '9999-12-31' },
      { test: 'order of answers', by: 'ada', until: '2026-01-01' },
    ]),
  })
  const call = (name: string) => here.call('flaky', '--test', name, '--junit', 'junit.xml')

  it('a flaky test fails the call, and has a type of its own', async () => {
    const { status, stdout } = await call('order')
    expect(status).toBe(1)
    expect(stdout).toContain('its quarantine ended on 2026-01-01 (ada)')
    expect(readFileSync(join(here.root, 'junit.xml'), 'utf8')).toContain(
      '<failure type="flaky" message="flaky: passes under the default schedule',
    )
  })

  it('one in quarantine does not', async () => {
    const { status, stdout } = await call('a bound')
    expect(status).toBe(0)
    expect(stdout).toContain('in quarantine until 9999-12-31 (ada)')
    expect(readFileSync(join(here.root, 'junit.xml'), 'utf8')).toContain('<skipped message="flaky, in quarantine"/>')
  })
})

it('finds no fault in a test that takes a small write over the loopback for one event', async () => {
  const here = project({
    'pong.test.mjs': `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
test('answers', async () => {
  const server = net.createServer((socket) => socket.on('data', () => socket.end('PONG'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('PING'))
  const [answer] = await once(client, 'data')
  server.close()
  assert.equal(String(answer), 'PONG')
})
`,
  })
  const { stdout } = await here.call('flaky')
  expect(stdout).toContain('1 test: 1 clean')
})

it('finds no fault in tests whose order does not matter', async () => {
  const here = project({
    'sum.test.mjs': `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
test('reads itself', async () => assert.match(await readFile(new URL(import.meta.url), 'utf8'), /itself/))
`,
  })
  const { status, stdout } = await here.call('flaky', '--runs', '20')
  expect(status).toBe(0)
  expect(stdout).toContain('1 test: 1 clean')
})
