import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, lines, NATURAL, ROOT, random } from './workers.ts'

let fixture: Fixture
const source = readFileSync(new URL('./fixtures/isolation.fuzz.ts', import.meta.url), 'utf8')
beforeAll(async () => {
  fixture = await Fixture.open('isolation')
})
afterAll(() => fixture.close())

test('what an execution leaves behind, no later one sees', async () => {
  const first = new Map<string, unknown>()
  // Three rounds in two orders: each property follows every kind of mess.
  for (const names of [fixture.names, fixture.names.toReversed(), fixture.names]) {
    for (const name of names) {
      const { verdict, failure, output, traceHash } = await fixture.run(name)
      const seen = { verdict, kind: failure?.kind, message: failure?.message, output, traceHash }
      if (first.has(name)) expect(seen, name).toEqual(first.get(name))
      else first.set(name, seen)
    }
  }
})

test('and the first execution saw a clean process', async () => {
  expect(await fixture.printed('environment')).toEqual([[null, true, false]])
  expect(await fixture.printed('working directory')).toEqual([[false, true]])
  expect(await fixture.printed('constants on builtins')).toEqual([[false, false, false, false, false]])
  expect(await fixture.printed('listeners of the process')).toEqual([[0, 0, 0, 0, 0, 0, 0], 'called', 'called'])
  expect((await fixture.printed('prototypes of builtins'))[0]).toEqual([[false], [false], [false], [false], [false]])
  expect((await fixture.printed('classes of the network'))[0]).toEqual([false, false, false, false, false])
  expect(await fixture.printed('module state')).toEqual([[0, 0, 1]])
  expect(await fixture.printed('files')).toEqual([
    [false, false, false],
    [true, true, true],
  ])
  expect(await fixture.printed('settings of the library')).toEqual([
    [true, 250, 'verbatim'],
    [65_536, 16, 'none'],
    [null, 2, 50, 1],
  ])
  expect(await fixture.printed('hooks and channels')).toEqual([
    [false, null],
    [true, true],
  ])
})

test('the listeners of the end are called as on stock Node', async () => {
  const started = 'started before the exit'
  expect(await fixture.printed('the end')).toEqual([started, started, ['exit', 7, 3]])
})

test('immediates that an error left standing do not run later', async () => {
  const { failure, output } = await fixture.run('immediates behind one that throws')
  expect([failure!.message, output]).toEqual(['the first of three', ''])
  expect(await fixture.printed('an immediate')).toEqual(['alone'])
})

test('an uncaught error while async hooks are enabled does not harm the process', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const { failure } = await fixture.run('an async hook and an exception', random(seed))
    expect(failure!.message).toBe('with hooks')
  }
  expect((await fixture.run('an immediate', NATURAL)).verdict).toBe('passed')
})

test('what is printed in whatever way is captured, in order', async () => {
  const printed = lines(await fixture.run('output')).filter((line) => /^\w+$/.test(line))
  expect(printed).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'eight', 'seven'])
})

test('the standard input of an execution is empty', async () => {
  expect(await fixture.printed('input')).toEqual([['', true, '']])
})

test('the real disk is never written', () => {
  for (const path of ['/tmp/norn-left', '/norn-left', join(ROOT, 'norn-left'), join(ROOT, 'norn-left-folder')]) {
    expect(existsSync(path), path).toBe(false)
  }
  expect(existsSync(join(ROOT, 'package.json'))).toBe(true)
  expect(readFileSync(new URL('./fixtures/isolation.fuzz.ts', import.meta.url), 'utf8')).toBe(source)
})
