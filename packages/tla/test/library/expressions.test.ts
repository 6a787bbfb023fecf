/**
 * The operators of the library against TLC: a table of expressions (expressions.txt) with TLC's
 * values. Where TLC fails norn fails too, with the message that the table holds. Norn writes
 * intervals out.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import type { Machine } from '../../src/evaluate/machine.ts'
import { loadMachine } from '../../src/node/load.ts'
import { printValue } from '../../src/values/print.ts'

const groups = readFileSync(join(import.meta.dirname, 'expressions.txt'), 'utf8')
  .split(/^EXTENDS /m)
  .slice(1)
  .map((text) => {
    const [modules, ...lines] = text.split('\n').filter((line) => line !== '')
    const pairs = lines.flatMap((line, at) => (at % 2 === 0 ? [[line, lines[at + 1]!.trimStart()] as const] : []))
    return { modules: modules!, pairs }
  })

function result(machine: Machine, expression: string): string {
  try {
    return printValue(machine.formula(expression, 'the expression').evaluate())
  } catch (error) {
    if (error instanceof TlaError) return `error: ${error.message}`
    throw error
  }
}

test.each(groups)('expressions over $modules', ({ modules, pairs }) => {
  const files = { 'User.tla': `---- MODULE User ----\nEXTENDS ${modules}\n====` }
  const machine = loadMachine('User.tla', { files, print: () => undefined })
  const found = pairs.map(([expression]) => `${expression}\n  ${result(machine, expression)}`)
  expect(found).toEqual(pairs.map(([expression, expected]) => `${expression}\n  ${expected}`))
})

test('the table is what it is said to be', () => {
  expect(groups).toHaveLength(2)
  const all = groups.flatMap(({ pairs }) => pairs)
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter(([, expected]) => expected.startsWith('error: ')).length).toBeGreaterThan(120)
})
