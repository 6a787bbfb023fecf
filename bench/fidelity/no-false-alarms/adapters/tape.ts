/** tape (5.x, https://github.com/tape-testing/tape): `test` and the names of its assertions. */
import { AssertionTest, type Body, type Dialect, readTest } from './assertion-test.ts'
import { root } from './collected.ts'
import type { CollectedTest } from './group.ts'

class TapeTest extends AssertionTest {
  constructor(title: string, parent?: AssertionTest) {
    super(title, TAPE, parent)
  }
}

const TAPE: Dialect = { create: (title, parent) => new TapeTest(title, parent), subtestsAtOnce: false }

/** Other names of an assertion, from the readme. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  ok: ['true', 'assert'],
  notOk: ['false', 'notok'],
  error: ['ifError', 'ifErr', 'iferror'],
  equal: ['equals', 'isEqual', 'strictEqual', 'strictEquals', 'is'],
  not: ['notEqual', 'notEquals', 'isNotEqual', 'doesNotEqual', 'isInequal', 'notStrictEqual', 'isNot'],
  looseEqual: ['looseEquals'],
  strictSame: ['deepEqual', 'deepEquals', 'isEquivalent', 'same'],
  notStrictSame: ['notDeepEqual', 'notDeepEquals', 'notEquivalent', 'notDeeply', 'notSame', 'isNotEquivalent'],
  looseSame: ['deepLooseEqual'],
  notLooseSame: ['notDeepLooseEqual'],
  notMatch: ['doesNotMatch'],
}
const prototype = TapeTest.prototype as unknown as Record<string, unknown>
for (const [name, others] of Object.entries(NAMES)) for (const other of others) prototype[other] = prototype[name]

function declare(mode: CollectedTest['mode']) {
  return (...given: unknown[]) => {
    const { title, options, body } = readTest(given)
    const skipped = body === undefined || options.skip || options.todo
    root.add(title, skipped ? 'skip' : options.only ? 'only' : mode, () => new TapeTest(title).run(body as Body))
  }
}

const tape = Object.assign(declare('run'), {
  skip: declare('skip'),
  only: declare('only'),
  onFinish: () => {},
  onFailure: () => {},
})
Object.assign(tape, { test: tape, default: tape })

export default tape
export const test = tape
export { tape as 'module.exports' }
