/** Node's tests, played by a few small files: what stock Node passes is compared with what norn says. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { bench } from './bench.ts'

test('node-tests', async () => {
  const folder = resolve(import.meta.dirname, 'fixtures/node-tests')
  const { status, stdout } = await bench('fidelity', '--tests', folder, '--json')
  expect(status).toBe(1)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const classes = rows.slice(0, -1).map(({ name, class: found, behindOthers }) => [name, found, behindOthers])
  expect(classes).toEqual([
    ['parallel/test-differs.js', 'wrong', undefined],
    ['parallel/test-inconclusive.js', 'inconclusive', undefined],
    ['sequential/test-warns-2.js', 'passed', 'wrong'],
  ])
  const { files, passed, held, inconclusive, wrong, unexplained } = rows.at(-1)!
  expect({ files, passed, held, inconclusive, wrong, unexplained }).toEqual({
    files: 9,
    passed: 5,
    held: 1,
    inconclusive: 1,
    wrong: 1,
    unexplained: 1,
  })
})
