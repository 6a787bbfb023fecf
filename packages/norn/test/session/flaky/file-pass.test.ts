import { expect, it } from 'vitest'
import type { ListedProperty, ListedTest } from '../../../src/process/protocol.ts'
import type { FileProcess } from '../../../src/session/file-process.ts'
import { passOver } from '../../../src/session/flaky/file-pass.ts'

const names = ['first', 'second', 'third']
const tests = names.map((name) => ({ name, mode: 'run', testNames: [name] }) as unknown as ListedTest)

/** A process in which `second` fails with an error that nobody handles, unless `first` ran before. */
const file = {
  file: 'a.test.ts',
  worker: () => ({
    execute: async ({ testNames = [] }: ListedProperty) => {
      const fails = testNames.includes('second') && !testNames.includes('first')
      const ran = { failed: fails ? ['second'] : [], last: testNames.at(-1), retried: [], skipped: [] }
      const failure = { kind: 'unhandled rejection', message: 'nobody' }
      return { verdict: fails ? 'failed' : 'passed', points: 0, chains: 1, tests: ran, ...(fails ? { failure } : {}) }
    },
  }),
} as unknown as FileProcess

const pass = (isUp: () => boolean) => passOver(file, tests, { seed: 1, schedules: 0, isUp })

it('a test that ends its execution alone is tried behind the tests before it', async () => {
  const { reports } = await pass(() => false)
  expect(reports.map(({ verdict }) => verdict)).toEqual(['clean', 'dependent', 'clean'])
  expect(reports[1]!.needs).toEqual(['first'])
})

it.each([
  ['while tests run alone', 2, 0],
  ['while they run in order', 5, 1],
])('what fails alone is not known to fail if the time ends before it runs behind others: %s', async (_, most, last) => {
  let asked = 0
  const { reports } = await pass(() => ++asked > most)
  expect(reports.map(({ executions }) => executions)).toEqual([1, 0, last])
  expect(reports.map(({ verdict }) => verdict)).toEqual([
    'clean',
    'inconclusive',
    last === 0 ? 'inconclusive' : 'clean',
  ])
})
