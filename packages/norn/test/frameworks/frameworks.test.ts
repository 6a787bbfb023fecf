/** A test framework is one file and one entry in a table. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Framework } from '../../src/frameworks/framework.ts'
import { ENTRIES, testFrameworks } from '../../src/frameworks/frameworks.ts'

const root = mkdtempSync(join(tmpdir(), 'norn-frameworks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function hostOf(text: string) {
  const file = join(root, 'a.test.js')
  writeFileSync(file, text)
  const refuse = (what: string): never => {
    throw new Error(what)
  }
  return { file, refuse, outside: <Result>(action: () => Result) => action() }
}

const made: string[] = []
const DUMMY: Framework = {
  specifier: 'dummy-framework',
  module: ({ file }) => {
    made.push(file)
    return { test: () => 'declared' }
  },
}

it('another framework is an entry; it is loaded at once for a file that names it', () => {
  const host = hostOf("import { test } from 'dummy-framework'")
  const { modules } = testFrameworks(host, [DUMMY])
  expect(made).toEqual([host.file])
  expect(modules.get('dummy-framework')).toMatchObject({ test: expect.any(Function) })
})

it('and else at its first import', () => {
  const { modules } = testFrameworks(hostOf('// dummy-framework'), [DUMMY])
  expect(made).toHaveLength(1)
  modules.get('dummy-framework')
  expect(made).toHaveLength(2)
})

it('the entry points of norn for tests follow from the table', () => {
  expect(ENTRIES).toEqual(['norn/vitest', 'norn/node-test'])
})
