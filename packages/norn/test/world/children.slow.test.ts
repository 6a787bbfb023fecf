/** Child processes that run Node: races, leaks, and what is not controlled. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatOf } from '../../src/contract/inconclusive.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await Fixture.open('children')
})
afterAll(() => fixture.close())

const own = (name: string, plan = NATURAL) => fixture.run(`norn: ${name}`, plan)

test.each(['messages of two children come in either order', 'two children increment a file'])(
  '%s: some schedules fail, and a tape gives one trace',
  async (name) => {
    const verdicts = new Set<string>()
    const other = await Fixture.open('children')
    for (let seed = 1; seed <= 30; seed++) {
      const { verdict, traceHash } = await own(name, random(seed))
      verdicts.add(verdict)
      if (seed % 6 === 0) expect((await other.run(`norn: ${name}`, random(seed))).traceHash).toBe(traceHash)
    }
    other.close()
    expect([...verdicts].sort()).toEqual(['failed', 'passed'])
  },
)

test('a child that lives on is a leak with its place, and nothing of it is another', async () => {
  const { verdict, leaks } = await own('a child that lives on')
  expect([verdict, leaks?.map(({ kind, what }) => [kind, what])]).toEqual([
    'passed',
    [['child process', "child process 'node child.cjs', still running"]],
  ])
  expect(leaks![0]!.frames.map(({ file }) => file).join()).toContain('children.fuzz.ts')
})

test.each(['a child that ends after the body', 'an unref child is no leak'])('%s', async (name) => {
  for (const plan of [NATURAL, ...[1, 2, 3].map(random)]) {
    const { verdict, leaks } = await own(name, plan)
    expect([verdict, leaks]).toEqual(['passed', undefined])
  }
})

test('a process ends that exits beside its threads', async () => {
  for (const plan of [NATURAL, ...[1, 2, 3, 4, 5].map(random)]) {
    const { verdict, output, leaks } = await own('a process exits beside its threads', plan)
    expect([verdict, output, leaks]).toEqual(['passed', '3\n', undefined])
  }
})

test.each([
  ['an option that changes Node', 'child process: a Node with --preserve-symlinks'],
  ['a variable for Node', 'child process: a Node with --inspect in NODE_OPTIONS'],
  ['a pipe at descriptor 3', "child process 'node child.cjs' with a pipe at descriptor 3"],
])('what is not controlled is inconclusive by name: %s', async (name, what) => {
  expect(whatOf((await own(name)).voided!.reason)).toBe(what)
})
