/**
 * Tests of a file in one execution, in the order of the file, with the hooks where their runner calls
 * them: `beforeAll` at the first test of a suite, `afterAll` behind its last one, the others around
 * each test. Neighbours that are declared concurrent run at the same time.
 *
 * A test ends at its first failure. Its timeout is measured in virtual time when it settles: one that
 * never settles is a deadlock, or reaches a bound of the execution.
 */
import { activeExecution } from './current.ts'
import {
  type Action,
  chainOf,
  type Hook,
  isThenable,
  SkippedItself,
  type Suite,
  settingsOf,
  type Test,
} from './suites.ts'

/** What follows a run of tests. */
export interface TestObserver {
  begins(test: Test): void
  /** A test failed. Those behind it run if this returns true; else its error ends the run. */
  fails(test: Test, error: unknown): boolean
  /** A test skips itself while it runs. */
  skips(test: Test): void
  /** A test passes at this attempt, counted from 1, and not before. */
  retried(test: Test, attempt: number): void
}

interface OpenSuite {
  readonly suite: Suite
  readonly undo: readonly Action[]
  /** An error of its `beforeAll`, which fails its tests. */
  readonly error?: { readonly value: unknown }
}

/** Runs tests; rejects with the first failure that the observer does not pass over. */
export async function runInFileOrder(tests: readonly Test[], observer: TestObserver): Promise<void> {
  const open: OpenSuite[] = []
  const close = async () => {
    const { suite, undo } = open.pop()!
    await all([...suite.hooks.afterAll.toReversed(), ...undo])
  }
  for (const group of groupsOf(tests)) {
    const chain = chainOf(group[0]!.suite)
    while (open.length > 0 && chain[open.length - 1] !== open.at(-1)!.suite) await close()
    for (const suite of chain.slice(open.length)) open.push(await entered(suite))
    const broken = open.find(({ error }) => error !== undefined)
    const run = (test: Test) => (broken === undefined ? tried(test, observer) : Promise.reject(broken.error!.value))
    await Promise.all(group.map((test) => judged(test, run(test), observer)))
  }
  while (open.length > 0) await close()
}

async function entered(suite: Suite): Promise<OpenSuite> {
  try {
    return { suite, undo: await all(suite.hooks.beforeAll) }
  } catch (value) {
    return { suite, undo: [], error: { value } }
  }
}

async function judged(test: Test, run: Promise<void>, observer: TestObserver): Promise<void> {
  try {
    await run
  } catch (error) {
    if (!observer.fails(test, error)) throw error
  }
}

/** Neighbours of one suite that are concurrent; each other test alone. */
function groupsOf(tests: readonly Test[]): Test[][] {
  const groups: Test[][] = []
  for (const test of tests) {
    const last = groups.at(-1)
    const isBeside = last !== undefined && last[0]!.suite === test.suite
    if (isBeside && [test, last[0]!].every((each) => settingsOf(each).isConcurrent)) last.push(test)
    else groups.push([test])
  }
  return groups
}

/** Runs a test with the attempts that its author allows. */
async function tried(test: Test, observer: TestObserver): Promise<void> {
  const { retry = 0 } = settingsOf(test)
  for (let attempt = 1; ; attempt++) {
    observer.begins(test)
    try {
      await once(test)
      if (attempt > 1) observer.retried(test, attempt)
      return
    } catch (error) {
      if (error instanceof SkippedItself) return observer.skips(test)
      if (attempt > retry) throw error
    }
  }
}

async function once(test: Test): Promise<void> {
  const chain = chainOf(test.suite)
  const inwards = (kind: Hook) => chain.flatMap(({ hooks }) => hooks[kind])
  const outwards = (kind: Hook) => chain.toReversed().flatMap(({ hooks }) => hooks[kind].toReversed())
  const undo = await all(inwards('beforeEach'))
  await (settingsOf(test).fails ? expectedToFail(test) : timed(test))
  await all([...outwards('afterEach'), ...undo])
}

async function timed(test: Test): Promise<void> {
  const { timeoutMs } = settingsOf(test)
  const startUs = nowUs()
  await test.body()
  const tookMs = (nowUs() - startUs) / 1000
  if (timeoutMs !== undefined && tookMs > timeoutMs) throw new TestTimeout(tookMs, timeoutMs)
}

function nowUs(): number {
  return activeExecution()?.elapsedUs() ?? 0
}

async function expectedToFail(test: Test): Promise<void> {
  try {
    await timed(test)
  } catch (error) {
    if (error instanceof SkippedItself) throw error
    return
  }
  throw new Error('the test passes, but is declared to fail')
}

/** A test settled later than its timeout allows. */
class TestTimeout extends Error {
  constructor(tookMs: number, timeoutMs: number) {
    super(`the test takes longer than its timeout of ${timeoutMs} ms`)
    this.name = 'TestTimeout'
    // Where the test waited tells more than where norn noticed.
    this.stack = `${this.name}: ${this.message} (${Math.round(tookMs)} ms of virtual time)`
  }
}

/** Calls actions in order; returns the functions that they return, the last first. */
async function all(actions: readonly Action[]): Promise<Action[]> {
  const undo: Action[] = []
  for (const action of actions) {
    const given = action()
    const after = isThenable(given) ? await given : given
    if (typeof after === 'function') undo.unshift(after as Action)
  }
  return undo
}
