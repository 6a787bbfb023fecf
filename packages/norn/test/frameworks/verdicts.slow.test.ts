/**
 * Tests of each framework have the verdict of their runner. Their names say it: `passes: …`, `fails: …`,
 * `skips: …`. Those of node:test are held against the Node that runs this; those of mocha were against
 * mocha 11, and those of tap against tap 16.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsed, project } from '../cli/project.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')

const VERDICTS: Readonly<Record<string, string>> = { passes: 'clean', fails: 'failing', skips: 'skipped' }

/** The tests whose verdict is not that of their name. */
async function deviating(files: Readonly<Record<string, string>>): Promise<string[]> {
  const here = project(files)
  const [file] = Object.keys(files)
  const { stdout } = await here.call('flaky', file!, '--json', '--schedules', '1', '--runs', '1')
  const tests = parsed(stdout).filter(({ type }) => type === 'test')
  expect(tests.length).toBeGreaterThan(10)
  return tests.flatMap(({ name, verdict }) => {
    const [, said = ''] = /(passes|fails|skips): /.exec(name) ?? []
    return said === '' || VERDICTS[said] === verdict ? [] : [`${name}: ${verdict}`]
  })
}

describe('node:test', () => {
  const files = {
    'cases.test.mjs': fixture('node-test-cases.mjs'),
    'cases.test.mjs.snapshot': fixture('node-test-cases.mjs.snapshot'),
  }

  it('says what the names of the tests say', () => {
    const { root } = project(files)
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'cases.test.mjs'], {
      cwd: root,
      env,
    })
    const lines = `${stdout}`.split('\n')
    expect(lines.filter((line) => /^\s*ok .*passes: /.test(line)).length).toBeGreaterThan(10)
    expect(lines.filter((line) => /^\s*ok .*fails: |not ok .*passes: /.test(line))).toEqual([])
  })

  it('has the same verdicts under norn', async () => {
    expect(await deviating(files)).toEqual([])
  })
})

it('mocha has the same verdicts', async () => {
  const files = {
    'cases.test.cjs': fixture('mocha-cases.cjs'),
    '.mocharc.json': '{ "require": ["./hooks.cjs"] }',
    'hooks.cjs': "exports.mochaHooks = { beforeEach() { globalThis.rooted = 'yes' } }\n",
  }
  expect(await deviating(files)).toEqual([])
})

it('tap has the same verdicts', async () => {
  const comparing = "const { isDeepStrictEqual: same } = require('node:util')"
  const files = {
    'cases.test.cjs': fixture('tap-cases.cjs'),
    'node_modules/tcompare/index.js': `${comparing}
const like = (found, wanted) =>
  wanted instanceof RegExp
    ? wanted.test(found)
    : Object(wanted) === wanted
      ? Object.keys(wanted).every((key) => like(found[key], wanted[key]))
      : found === wanted
exports.same = (found, wanted) => ({ match: same(found, wanted), diff: '' })
exports.match = (found, wanted) => ({ match: like(found, wanted), diff: '' })
`,
  }
  expect(await deviating(files)).toEqual([])
})

it('a file of tap without a test of its own is one test', async () => {
  const late = (tests: string) => `const t = require('tap')
t.pass('loaded')
require('node:net').createServer().listen(0, function (error) {
  t.error(error)
  this.unref()
  ${tests}
})`
  const here = project({
    'passes.cjs': late("t.test('one', async (t) => t.ok(1))\n  t.test('two', (t) => setTimeout(t.end, 5))"),
    'fails.cjs': late("t.test('one', async (t) => t.ok(1))\n  t.test('two', async (t) => t.ok(0))"),
    'passes.mjs': "import { test } from 'tap'\nsetTimeout(() => test('late', async (t) => t.ok(1)), 10)",
    'asserts.cjs': "const t = require('tap')\nt.equal(1, 1)",
    'wrong.cjs': "const t = require('tap')\nt.equal(1, 2)",
    'beside.cjs': "const t = require('tap')\nt.equal(1, 2)\nt.test('declared', async (t) => t.ok(1))",
  })
  const { stdout } = await here.call('flaky', '*.cjs', '*.mjs', '--json', '--schedules', '1', '--runs', '1')
  const tests = parsed(stdout).filter(({ type }) => type === 'test')
  const said = tests.map(({ file, name, verdict }) => `${file} ${name}: ${verdict}`)
  expect(said.toSorted()).toEqual([
    'asserts.cjs (the file): clean',
    'beside.cjs declared: failing',
    'fails.cjs (the file): failing',
    'passes.cjs (the file): clean',
    'passes.mjs (the file): clean',
    'wrong.cjs (the file): failing',
  ])
})
