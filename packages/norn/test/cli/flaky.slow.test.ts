/** `norn flaky`: what it says of ordinary tests, and how its failures are kept. */
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
