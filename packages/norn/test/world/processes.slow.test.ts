import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatOf } from '../../src/contract/inconclusive.ts'
import { programs, SCRIPTS } from './fixtures/processes.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
const folder = mkdtempSync(join(tmpdir(), 'norn-processes-'))
const { PATH } = process.env

beforeAll(async () => {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  fixture = await Fixture.open('processes')
  process.env.PATH = `${folder}${delimiter}${PATH}`
})
afterAll(async () => {
  process.env.PATH = PATH
  await fixture.close()
  rmSync(folder, { recursive: true })
})

test.each(Object.entries(programs))('events and results are those of stock Node: %s', async (name, program) => {
  const stock = JSON.parse(JSON.stringify(await program()))
  for (const plan of [NATURAL, ...[1, 2, 3, 4, 5].map(random)]) {
    const { verdict, failure, voided, output } = await fixture.run(name, plan)
    expect({ verdict, failure, voided }).toMatchObject({ verdict: 'passed' })
    expect(JSON.parse(output!)).toEqual(stock)
  }
})

test('programs end in any order, twice the same for one tape', async () => {
  const name = 'two programs end in any order'
  expect((await fixture.run(name)).verdict).toBe('passed')
  const verdicts = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const { verdict, traceHash } = await fixture.run(name, random(seed))
    expect((await fixture.run(name, random(seed))).traceHash).toBe(traceHash)
    verdicts.add(verdict)
  }
  expect([...verdicts].sort()).toEqual(['failed', 'passed'])
})

test.each([
  'a stand-in that takes stdin starts although nobody writes any',
  'a file for stdin',
  'stand-ins see files, and fresh modules',
])('%s', async (name) => {
  for (const plan of [NATURAL, ...[1, 2, 3].map(random)])
    expect(await fixture.run(name, plan)).toMatchObject({ verdict: 'passed' })
})

test('a program that reads stdin waits for its end', async () => {
  expect((await fixture.run('stdin that is never ended')).failure?.kind).toBe('deadlock')
})

test.each([
  [
    'unknown',
    "child process 'git' without a stand-in (give the property the option commands: { git: (args, stdin) => '…' })",
  ],
  [
    'unknown, by its path',
    "child process 'apt-get' without a stand-in (give the property the option commands: { 'apt-get': (args, stdin) => '…' })",
  ],
  [
    'operators',
    "child process with a shell line: known < known (a stand-in fits one program and its arguments: give the shell one, commands: { sh: (args) => '…' })",
  ],
  ['synchronous promise', "child process 'later' run synchronously, whose stand-in returns a promise"],
  ['no outcome', "the stand-in of 'odd' returned 5. Return a string, or { stdout, stderr, code, signal }"],
  [
    'stdin after the stand-in has begun',
    "child process 'cat' whose stdin came after a timer, when its stand-in had begun (write or end stdin earlier)",
  ],
])('what cannot be played is inconclusive by name: %s', async (name, what) => {
  const { verdict, voided } = await fixture.run(name)
  expect({ verdict, what: voided && whatOf(voided.reason) }).toEqual({ verdict: 'void', what })
})
