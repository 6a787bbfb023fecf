/**
 * Native operators against the TLA+ texts of their modules: loaded as a specification's own files,
 * which have no natives, the texts give the same values. Failures are left out: natives fail
 * elsewhere.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import { ownModule } from '../../src/library/modules.ts'
import { loadMachine } from '../../src/node/load.ts'
import { canonical } from '../../src/values/canonical.ts'
import { printValue } from '../../src/values/print.ts'

/** Those whose texts can be evaluated, unless their operands are strings or infinite. */
const MODULES = [
  'Bags',
  'BagsExt',
  'Bitwise',
  'Combinatorics',
  'DyadicRationals',
  'FiniteSets',
  'FiniteSetsExt',
  'Folds',
  'Functions',
  'Relation',
  'SequencesExt',
]

/**
 * Natives that follow TLC instead of the texts: the order of folds, strings as sequences, bags
 * without copies.
 */
const OTHERWISE =
  /^(FoldSet|FoldSeq|FoldFunction|FoldBag)\(LAMBDA x, y : (<<x>>|x \\o)|"(ab|abc|banana|ba)"|^BagIn\(1, 1 :> 0\)/

const header = `EXTENDS Integers, Sequences, TLC, ${MODULES.join(', ')}`
const expressions = readFileSync(join(import.meta.dirname, 'expressions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith(' ') && !line.startsWith('EXTENDS ') && !OTHERWISE.test(line))

function evaluator(files: Readonly<Record<string, string>>): (expression: string) => string | undefined {
  const all = { ...files, 'User.tla': `---- MODULE User ----\n${header}\n====` }
  const machine = loadMachine('User.tla', { files: all, print: () => undefined })
  return (expression) => {
    try {
      return printValue(canonical(machine.formula(expression, 'the expression').evaluate()))
    } catch (error) {
      if (error instanceof TlaError) return undefined
      throw error
    }
  }
}

test('the texts of modules mean what their natives do', () => {
  const natives = evaluator({})
  const texts = evaluator(Object.fromEntries(MODULES.map((name) => [`${name}.tla`, ownModule(name)!.text])))
  const differing: string[] = []
  let compared = 0
  for (const expression of expressions) {
    const native = natives(expression)
    const text = native === undefined ? undefined : texts(expression)
    if (native === undefined || text === undefined) continue
    compared++
    if (native !== text) differing.push(`${expression}: natively ${native}, as text ${text}`)
  }
  expect(differing).toEqual([])
  expect(compared).toBeGreaterThan(250)
})
