/**
 * Replaces `tap`: norn collects the tests that a file declares while it is evaluated. Comparisons are those
 * of the project's own tap. A file that asserts outside of a test is one test for tap, and not supported.
 */
import { currentCollection, evaluation } from '../property/property.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import type { Exports } from './installed.ts'
import { tapAssertions, tapMatch } from './tap-assertions.ts'
import { type TapFile, TapRun } from './tap-run.ts'
import { declaring, type Flavour, hooking } from './test-functions.ts'

function flavourOf(file: TapFile): Flavour {
  return {
    name: 'tap',
    defaults: { isProgram: true },
    call({ kind, body, title, attempt }) {
      // Of the test that tap 15 and later hand a hook of the file, it gets what tests read later.
      if (kind !== 'test') return body({ context: file.context() })
      return new TapRun(title, body, file).run(attempt?.ending)
    },
  }
}

/** An object that is another one in each execution. */
function ofExecution(): () => object {
  let [seen, context] = [evaluation(), {}]
  return () => {
    if (seen !== evaluation()) [seen, context] = [evaluation(), {}]
    return context
  }
}

function tapModule({ file, refuse }: FrameworkHost): Exports {
  const flavour = flavourOf({ assertions: tapAssertions(file), match: tapMatch(file), refuse, context: ofExecution() })
  const declare = declaring('test', flavour)
  /** A file may await its tests: that they all run, in their order, is for norn to see to. */
  const declared =
    (how: Function) =>
    (...args: unknown[]) => {
      if (currentCollection() === undefined) return refuse('a test of tap that is declared after its file is evaluated')
      how(...args)
      return Promise.resolve()
    }
  const after = hooking('afterAll', flavour)
  const root: Exports = {
    test: declared(declare),
    only: declared(declare.only!),
    skip: declared(declare.skip!),
    todo: declared(declare.todo!),
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
