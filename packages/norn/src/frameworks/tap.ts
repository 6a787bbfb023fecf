/**
 * Replaces `tap`: norn collects the tests that a file declares while it is evaluated. Comparisons are those
 * of the project's own tap. A file that declares its tests later, in callbacks, is one test, as it is for tap;
 * what a file asserts outside of its tests counts in each of them.
 */
import { currentCollection, evaluation } from '../property/property.ts'
import { whenNoneDeclared } from '../property/suites.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import type { Exports } from './installed.ts'
import { tapAssertions, tapMatch } from './tap-assertions.ts'
import { assertionsOf, type TapFile, TapRun } from './tap-run.ts'
import { TapWhole } from './tap-whole.ts'
import { declaring, type Flavour, hooking } from './test-functions.ts'

/** The name of a file that is one test. */
const WHOLE = '(the file)'

function flavourOf(file: TapFile, whole: () => TapWhole): Flavour {
  return {
    name: 'tap',
    defaults: { isProgram: true },
    call({ kind, body, title, attempt }) {
      // Of the test that tap 15 and later hand a hook of the file, it gets what tests read later.
      if (kind !== 'test') return body({ context: file.context() })
      whole().check()
      return new TapRun(title, body, file).run(attempt?.ending)
    },
  }
}

/** What is made anew in each execution. */
function ofExecution<Made>(make: () => Made): () => Made {
  let seen: number | undefined
  let made: Made
  return () => {
    if (seen !== evaluation()) [seen, made] = [evaluation(), make()]
    return made
  }
}

function tapModule({ file, refuse }: FrameworkHost): Exports {
  const context = ofExecution(() => ({}))
  const tapFile: TapFile = { assertions: tapAssertions(file), match: tapMatch(file), refuse, context }
  const whole = ofExecution(() => new TapWhole(tapFile))
  const flavour = flavourOf(tapFile, whole)
  const declareWhole = declaring('test', { ...flavour, call: ({ attempt }) => whole().run(attempt?.ending) })
  whenNoneDeclared(file, () => {
    whole().becomesTest()
    declareWhole(WHOLE, () => {})
  })
  const declare = declaring('test', flavour)
  /** A file may await its tests: that they all run, in their order, is for norn to see to. */
  const declared =
    (how: Function, late: 'test' | 'skip') =>
    (...args: unknown[]) => {
      if (currentCollection() === undefined)
        return whole().declares(late, args) ?? refuse('a test of tap that is declared beside those of its file')
      how(...args)
      return Promise.resolve()
    }
  const after = hooking('afterAll', flavour)
  const asserting =
    (name: string) =>
    (...args: unknown[]) =>
      whole().asserts(name, args)
  const root: Exports = {
    ...Object.fromEntries(assertionsOf(tapFile).map((name) => [name, asserting(name)])),
    test: declared(declare, 'test'),
    only: declared(declare.only!, 'test'),
    skip: declared(declare.skip!, 'skip'),
    todo: declared(declare.todo!, 'skip'),
    before: hooking('beforeAll', flavour),
    beforeEach: hooking('beforeEach', flavour),
    afterEach: hooking('afterEach', flavour),
    after,
    teardown: after,
    tearDown: after,
    jobs: 1,
    comment() {},
    setTimeout() {},
    // Plans of the whole file: norn reports its tests one by one.
    plan() {},
    end() {},
  }
  const t: Exports = new Proxy(root, {
    get(target, name, receiver) {
      if (name in target || typeof name === 'symbol' || name === 'then' || name === '__esModule')
        return Reflect.get(target, name, receiver)
      return () => refuse(`${name} of tap outside of a test`)
    },
  })
  return Object.assign(t, { t, default: t })
}

export const tap: Framework = { specifier: 'tap', module: tapModule }
