/**
 * Tests of a file in one execution, in the order of the file, with the hooks where their runner calls
 * them: `beforeAll` at the first test of a suite, `afterAll` behind its last one, the others around
 * each test. Neighbours that are declared concurrent run at the same time.
 *
 * A test ends at its first failure.
 */
import { Attempt } from './attempt.ts'
import {
  type Action,
  chainOf,
  type Hook,
  type HookFunction,
  isThenable,
  SkippedItself,
  type Suite,
  settingsOf,
  type Test,
  whenDone,
} from './suites.ts'

/** What follows a run of tests. */
export interface TestObserver {
  begins(test: Test): void
  /** A test failed. Those behind it run if this returns true; else its error ends the run. */
  fails(test: Test, error: unknown): boolean
  /** A test, or a hook of it, skips itself. */
  skips(test: Test): void
  /** A test passes at this attempt, counted from 1, and not before. */
  retried(test: Test, attempt: number): void
}

interface OpenSuite {
  readonly suite: Suite
  readonly undo: readonly Action[]
  /** Lets the hooks around it go on, and waits for them. */
  readonly leave: () => Promise<void>
  /** An error of its `beforeAll`, which fails its tests. */
  readonly error?: { readonly value: unknown }
}

/** Runs tests; rejects with the first failure that the observer does not pass over. */
export async function runInFileOrder(tests: readonly Test[], observer: TestObserver): Promise<void> {
  const open: OpenSuite[] = []
  const close = async () => {
    const { suite, undo, leave } = open.pop()!
    await all([...hooksOf(suite, 'afterAll').toReversed(), ...undo])
    await leave()
  }
  const isLast = tests.length === 1
  for (const group of groupsOf(tests)) {
    const chain = chainOf(group[0]!.suite)
    while (open.length > 0 && chain[open.length - 1] !== open.at(-1)!.suite) await close()
    for (const suite of chain.slice(open.length)) open.push(await entered(suite))
    const broken = open.find(({ error }) => error !== undefined)
    const run = (test: Test) =>
      broken === undefined ? tried(test, observer, isLast) : Promise.reject(broken.error!.value)
    const waiting = [...group]
    const inTurn = async () => {
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift())
        await judged(test, run(test), observer)
    }
    const { atOnce = group.length } = settingsOf(group[0]!)
    await Promise.all(Array.from({ length: Math.min(atOnce, group.length) }, inTurn))
  }
  while (open.length > 0) await close()
}

async function entered(suite: Suite): Promise<OpenSuite> {
  let leave = async () => {}
  try {
    if (suite.hooks.aroundAll.length > 0) leave = await around(suite.hooks.aroundAll)
    return { suite, leave, undo: await all(hooksOf(suite, 'beforeAll')) }
  } catch (value) {
    return { suite, leave, undo: [], error: { value } }
  }
}

/** Enters the hooks around a suite, up to where they run it. */
function around(hooks: readonly HookFunction[]): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const left = Promise.withResolvers<void>()
    const ended = nested(hooks, async () => {
      resolve(() => {
        left.resolve()
        return ended
      })
      await left.promise
    })
    ended.catch(reject)
  })
}

/** Runs an action inside of hooks, the first outermost. @param attempt that the hooks get */
export async function nested(
  hooks: readonly HookFunction[],
  action: () => Promise<void>,
  attempt = new Attempt({}),
): Promise<void> {
  const [hook, ...others] = hooks
  if (hook === undefined) return action()
  let runs = 0
  const inside = async () => {
    if (++runs > 1) throw new Error('a hook around tests runs them twice')
    await nested(others, action, attempt)
  }
  await hook.action(attempt, inside)
  if (runs === 0) throw new Error('a hook around tests does not run them')
}

async function judged(test: Test, run: Promise<void>, observer: TestObserver): Promise<void> {
  try {
    await run
  } catch (error) {
    if (error instanceof SkippedItself) observer.skips(test)
    else if (!observer.fails(test, error)) throw error
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

/** Runs a test with the attempts that its author allows. @param isLast whether nothing runs behind it */
async function tried(test: Test, observer: TestObserver, isLast: boolean): Promise<void> {
  const { repeats = 0 } = settingsOf(test)
  for (let run = 0; run <= repeats; run++) await retried(test, observer, isLast && run === repeats)
}

async function retried(test: Test, observer: TestObserver, isLast: boolean): Promise<void> {
  const settings = settingsOf(test)
  let { retry = 0 } = settings
  for (let count = 1; ; count++) {
    observer.begins(test)
    const attempt = new Attempt({ ...settings, retry })
    try {
      await once(test, attempt, isLast)
      if (count > 1) observer.retried(test, count)
      return
    } catch (error) {
      retry = attempt.retry
      if (error instanceof SkippedItself || count > retry || settings.retryAfter?.(error) === false) throw error
    }
  }
}

/** After a failure hooks run as well, for the sake of what runs behind it. */
async function once(test: Test, attempt: Attempt, isLast: boolean): Promise<void> {
  if (test.watch?.attempt !== undefined) return test.watch.attempt(test, isLast && attempt.retry === 0)
  const chain = chainOf(test.suite)
  const watch = settingsOf(test).isConcurrent ? undefined : test.watch
  const undo: Action[] = []
  const hooks = chain.toReversed().flatMap((suite) => hooksOf(suite, 'afterEach').toReversed())
  const after = () => all([...hooks, ...undo, ...attempt.ending])
  watch?.begins(test)
  try {
    undo.push(...(await all(chain.flatMap((suite) => hooksOf(suite, 'beforeEach')))))
    await (settingsOf(test).fails ? expectedToFail(test, attempt) : timed(test.body, attempt))
    await after()
    watch?.ends?.(test)
  } catch (error) {
    if (!isLast || attempt.retry > 0) await after().catch(() => {})
    throw error
  } finally {
    watch?.settles?.(test)
  }
}

/** The hooks of a suite, each within its time. @param attemptWith makes what they get */
export function hooksOf(
  suite: Suite,
  kind: Hook,
  attemptWith = (timeoutMs: number | undefined) => new Attempt({ timeoutMs }),
): Action[] {
  return suite.hooks[kind].map(({ action, timeoutMs }) => () => {
    const { hookTimeoutMs } = settingsOf({ settings: {}, suite })
    return timed(action, attemptWith(timeoutMs ?? hookTimeoutMs))
  })
}

/** Calls an action within its time; synchronously where it returns no promise. */
export function timed(action: Action, attempt: Attempt): unknown {
  attempt.start()
  return whenDone(action(attempt), (given) => {
    attempt.check()
    return given
  })
}

async function expectedToFail(test: Test, attempt: Attempt): Promise<void> {
  try {
    await timed(test.body, attempt)
  } catch (error) {
    if (error instanceof SkippedItself) throw error
    return
  }
  throw new Error('the test passes, but is declared to fail')
}

/** Calls actions in order; returns the functions that they return, the last first. */
export async function all(actions: readonly Action[]): Promise<Action[]> {
  const undo: Action[] = []
  for (const action of actions) {
    const given = action()
    const after = isThenable(given) ? await given : given
    if (typeof after === 'function') undo.unshift(after as Action)
  }
  return undo
}
