/** Replaces `node:test`: norn collects the declarations; mocks, assertions and snapshots are Node's own. */
import { hostRequire } from '../loader/internals.ts'
import { currentCollection, evaluation } from '../property/property.ts'
import { fullTitle, type Hook, type TestWatch } from '../property/suites.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import type { Exports } from './installed.ts'
import { NodeTestRun, type TestFile } from './node-test-run.ts'
import { nodeSnapshots } from './node-test-snapshots.ts'
import { declaring, type Flavour, hooking } from './test-functions.ts'

interface Mocks {
  reset(): void
}

interface NodeTest {
  readonly mock: { constructor: new () => Mocks }
}

const ignored = () => {}

/** What `t.assert` has of node:assert. */
const ASSERTIONS: readonly string[] = [
  ...['deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject', 'doesNotThrow', 'equal', 'fail', 'ifError'],
  ...['match', 'notDeepEqual', 'notDeepStrictEqual', 'notEqual', 'notStrictEqual', 'ok', 'partialDeepStrictEqual'],
  ...['rejects', 'strictEqual', 'throws'],
]

function flavourWith(file: TestFile, watch: TestWatch): Flavour {
  return {
    name: 'node:test',
    defaults: { isProgram: true },
    watch,
    call: (call) => new NodeTestRun(call, file).run(),
    callSuite(body, { current }) {
      const context = {
        name: current.title,
        fullName: current.parent === undefined ? current.title : fullTitle(current.parent, current.title),
        filePath: file.file,
        signal: new AbortController().signal,
        diagnostic: ignored,
      }
      return body.call(context, context)
    },
  }
}

/** Declares hooks: of a suite, or of the test that runs. */
function hook(kind: Hook, own: 'before' | 'after' | 'beforeEach' | 'afterEach', flavour: Flavour, file: TestFile) {
  const declare = hooking(kind, flavour)
  return (...args: unknown[]) => {
    const body = args.find((each) => typeof each === 'function') as Function | undefined
    const { running } = file
    if (body !== undefined && running !== undefined && currentCollection() === undefined) running.hook(own, body)
    else declare(...args)
  }
}

/** A test that is declared while another runs is a subtest of it. */
function testOf(flavour: Flavour, file: TestFile) {
  const declare = declaring('test', flavour)
  return new Proxy(declare, {
    apply(target, self, args: unknown[]) {
      const { running } = file
      return running !== undefined && currentCollection() === undefined
        ? running.subtest(...args)
        : Reflect.apply(target, self, args)
    },
  })
}

/** `import test from 'node:test'` and `require` give `test`, with the other exports on it. */
function nodeTestModule(host: FrameworkHost): Exports {
  const real = hostRequire('node:test') as NodeTest & Exports
  const { refuse } = host
  const snapshots = nodeSnapshots(host)
  const assert = hostRequire('node:assert') as Exports
  const assertions: Exports = {
    ...Object.fromEntries(ASSERTIONS.map((name) => [name, assert[name]])),
    ...snapshots.assertions,
  }
  /** Those that end with the test. */
  let ofTest: Mocks[] = []
  let ofFile: Mocks | undefined
  let seen = evaluation()
  const renew = () => {
    if (seen === evaluation()) return
    seen = evaluation()
    ofFile = undefined
    ofTest = []
  }
  const guarded = (target: () => Mocks) =>
    new Proxy(
      {},
      {
        get(_, name) {
          if (name === 'module') return refuse('mock.module of node:test')
          const mocks = target()
          const value: unknown = Reflect.get(mocks, name)
          return typeof value === 'function' ? value.bind(mocks) : value
        },
      },
    )
  const mocks = () => {
    renew()
    const own = new real.mock.constructor()
    ofTest.push(own)
    return guarded(() => own)
  }
  const mock = guarded(() => {
    renew()
    return (ofFile ??= new real.mock.constructor())
  })
  const file: TestFile = { file: host.file, assertions, mocks, running: undefined }
  const watch: TestWatch = {
    begins() {
      file.running = undefined
      snapshots.forget()
    },
    settles() {
      for (const each of ofTest.splice(0)) each.reset()
    },
  }
  const flavour = flavourWith(file, watch)
  const test = testOf(flavour, file)
  const describe = declaring('describe', flavour)
  const exports = {
    test,
    it: test,
    describe,
    suite: describe,
    before: hook('beforeAll', 'before', flavour, file),
    beforeEach: hook('beforeEach', 'beforeEach', flavour, file),
    afterEach: hook('afterEach', 'afterEach', flavour, file),
    after: hook('afterAll', 'after', flavour, file),
    mock,
    assert: { register: (name: string, assertion: Function) => void (assertions[name] = assertion) },
    run: () => refuse('run of node:test'),
    snapshot: real.snapshot,
  }
  const names = ['skip', 'todo', 'only', 'expectFailure']
  for (const name of names) Object.defineProperty(test, name, { value: test[name], enumerable: true })
  return Object.assign(test, exports, { default: test })
}

export const nodeTest: Framework = {
  specifier: 'node:test',
  module: nodeTestModule,
  leavesNothing: () => true,
  entry: 'norn/node-test',
}
