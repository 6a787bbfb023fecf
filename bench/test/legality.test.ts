/** The legality suite, small: every promise holds under norn and on stock Node, and can be broken. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { MUTATIONS } from '../legality/mutations.ts'
import { atTheEnd, promises } from '../legality/promises.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = join(ROOT, 'bench', 'main.ts')

const ALL = Object.keys({ ...promises, ...atTheEnd })

test('there is a mutation for every promise, and each is meant to break one', () => {
  const broken = new Set(MUTATIONS.flatMap(({ breaks }) => breaks))
  expect(ALL.filter((promise) => !broken.has(promise))).toEqual([])
  expect(MUTATIONS.filter(({ breaks }) => breaks.length === 0)).toEqual([])
  expect([...broken].filter((promise) => !ALL.includes(promise))).toEqual([])
})

test.each(MUTATIONS)('what "$name" replaces stands in the sources once', ({ file, find }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1).toBe(1)
})

test('no promise is broken, and each can be', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'legality', '--smoke', '--json'])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ promise }) => promise)).toEqual(ALL)
  for (const { promise, broken, voided, stockBroken, bitten } of rows) {
    expect({ promise, broken, voided, stockBroken }).toEqual({ promise, broken: 0, voided: 0, stockBroken: 0 })
    const meant = MUTATIONS.filter(({ breaks }) => breaks.includes(promise)).map(({ name }) => name)
    expect(bitten).toEqual(meant)
  }
})
