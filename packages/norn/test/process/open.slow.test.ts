/**
 * A process that goes on from one file of ordinary tests to the next: whatever ran before, all is as in a
 * process of its own.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_PLAN, NO_ESTIMATES, type Plan } from '../../src/contract/plan.ts'
import { startWorker, type Worker } from '../../src/process/worker.ts'
import { chance } from '../../src/tape/chance.ts'

const TESTS = {
  // Leaves what a program can leave.
  'leaves.test.mjs': `
    import { test } from 'node:test'
    import { next } from './counter.mjs'
    globalThis.left = next()
    Array.prototype.left = 1
    process.env.LEFT = '1'
    process.on('exit', () => {})
    test('leaves', () => {
      process.chdir('/')
      globalThis.fetch = JSON.parse = () => 'left'
      globalThis[Symbol.for('left')] = 1
      setInterval(() => {}, 1000)
    })
    test('fails', () => { throw new Error(String(next())) })`,
  'finds.test.mjs': `
    import { test } from 'node:test'
    import { readFile } from 'node:fs/promises'
    import { next } from './counter.mjs'
    test('finds', async () => {
      const found = [globalThis.left, [].left, process.env.LEFT, process.cwd(), process.listenerCount('exit')]
      await readFile(import.meta.filename)
      throw new Error([...found, next(), typeof describe, String(fetch), JSON.parse('1')].join())
    })`,
  'race.test.mjs': `
    import { test } from 'node:test'
    import assert from 'node:assert'
    import { readFile, stat } from 'node:fs/promises'
    test('race', async () => {
      const order = []
      await Promise.all([
        readFile(import.meta.filename).then(() => order.push('read')),
        stat(import.meta.dirname).then(() => order.push('stat')),
      ])
      assert.deepEqual(order, ['stat', 'read'])
    })`,
  'mocha.cjs': `
    describe('mocha', function () {
      it('has globals', function () { if (typeof before !== 'function') throw new Error('none') })
    })`,
  'other-mocha.cjs': `
    it('has its own', function (done) { setTimeout(done, 10) })
    it('times out', function (done) { this.timeout(5); setTimeout(done, 10) })`,
}

/** After this one nothing is as before. */
const FREEZES = `
  import { test } from 'node:test'
  test('freezes', () => { Object.freeze(JSON) })`

const PLANS: readonly Plan[] = [
  { ...DEFAULT_PLAN, detailed: true },
  ...[1, 2, 3].map((seed) => {
    const name = { length: 1000, seed }
    const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    return { ...DEFAULT_PLAN, choices, detailed: true }
  }),
]

const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-open-')))
const pathOf = (file: string) => join(root, file)
const start = (file: string) => startWorker({ root, file: pathOf(file), aliases: [], ordinaryTests: true })

beforeAll(() => {
  const files = {
    ...TESTS,
    'freezes.test.mjs': FREEZES,
    'counter.mjs': 'let count = 0; export const next = () => ++count',
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(pathOf(file), text)
  writeFileSync(pathOf('.mocharc.json'), '{}')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function shuffled(files: readonly string[], seed: number): readonly string[] {
  const drawn = chance(seed)
  return files
    .map((file) => [drawn.unit(), file] as const)
    .sort(([a], [b]) => a - b)
    .map(([, file]) => file)
}

/** All that a process says of a file, as text. */
async function saidBy(worker: Worker): Promise<string> {
  const tests = await worker.list()
  const whole = { ...tests[0]!, name: 'whole', testNames: tests.map(({ name }) => name) }
  const said: unknown[] = [tests]
  for (const property of [...tests, whole]) {
    for (const plan of PLANS) said.push(await worker.execute(property, plan, { isCold: true }))
    said.push(await worker.explain(property, PLANS[1]!))
  }
  return JSON.stringify(said)
}

async function alone(file: string): Promise<string> {
  const worker = start(file)
  try {
    return await saidBy(worker)
  } finally {
    worker.close()
  }
}

test('in any order, files have the verdicts and traces that they have in processes of their own', async () => {
  const files = Object.keys(TESTS)
  const expected = new Map<string, string>()
  for (const file of files) expected.set(file, await alone(file))
  const [first, ...rest] = shuffled([...files, ...files], 1)
  const worker = start(first!)
  try {
    expect(await saidBy(worker), first).toBe(expected.get(first!))
    for (const file of rest) {
      expect(await worker.open(pathOf(file)), `whether ${file} follows`).toBe(true)
      expect(await saidBy(worker), file).toBe(expected.get(file))
    }
  } finally {
    worker.close()
  }
})

test('what cannot be restored ends with the process', async () => {
  const worker = start('freezes.test.mjs')
  try {
    await saidBy(worker)
    expect(await worker.open(pathOf('finds.test.mjs'))).toBe(false)
  } finally {
    worker.close()
  }
})
