/**
 * An attempt at a test, in the order of vitest's runner (`runTest` of vitest 1 to 5): hooks and fixtures end
 * whether the test passes or not, each error fails it, and `fails` turns the result around.
 */
import { Attempt } from '../property/attempt.ts'
import { all, hooksOf, nested, timed } from '../property/file-order.ts'
import { type Action, chainOf, SkippedItself, settingsOf, type Test } from '../property/suites.ts'
import { begun, type Context, endFixtures, type Fixtures } from './fixtures.ts'
import type { Task, VitestRunner } from './vitest-runner.ts'

/** What a test and its hooks receive. */
export interface VitestContext {
  readonly context: Context
  readonly fixtures: Fixtures
  readonly task: Task
}

/** A call of a test or hook in such an attempt. */
export class VitestCall extends Attempt {
  readonly given: VitestContext

  constructor(given: VitestContext, timeoutMs: number | undefined) {
    super({ timeoutMs })
    this.given = given
  }
}

/** @param endsAtFailure whether hooks behind a failure are left out, since nothing follows */
export async function attempted(
  runner: VitestRunner,
  test: Test,
  given: VitestContext,
  endsAtFailure: boolean,
): Promise<void> {
  const { task, context } = given
  const { fails, timeoutMs } = settingsOf(test)
  const chain = chainOf(test.suite)
  const errors: unknown[] = []
  const callWith = (limitMs: number | undefined) => new VitestCall(given, limitMs)
  const trying = async (action: () => unknown) => {
    try {
      await action()
    } catch (error) {
      errors.push(...(Array.isArray(error) ? error : [error]))
    }
  }
  const hasFailed = () => errors.length > 0 || task.result.state === 'fail'
  const isOver = () => endsAtFailure && !fails && hasFailed()

  const inside = async () => {
    const before = begun(context)
    const undo: Action[] = []
    await trying(async () => {
      undo.push(...(await all(chain.flatMap((suite) => hooksOf(suite, 'beforeEach', callWith)))))
      await timed(() => body(test, given), callWith(timeoutMs))
      runner.check(task)
    })
    if (isOver()) return
    await trying(async () => {
      await all(chain.toReversed().flatMap((suite) => hooksOf(suite, 'afterEach', callWith).toReversed()))
      await all(undo)
      await endFixtures(context, before)
    })
    for (const finished of task.onFinished?.toReversed() ?? []) await trying(() => finished(context))
    if (hasFailed()) for (const failed of task.onFailed?.toReversed() ?? []) await trying(() => failed(context))
  }
  const around = chain.flatMap(({ hooks }) => hooks.aroundEach)
  await trying(() => nested(around, inside, callWith(undefined)))
  if (!isOver()) await trying(() => endFixtures(context))

  const skipped = errors.find((error) => error instanceof SkippedItself)
  if (skipped !== undefined) throw skipped
  if (fails && !hasFailed()) throw new Error('the test passes, but is declared to fail')
  if (!fails && hasFailed()) throw errors[0] ?? errorOf(task)
}

/** The body, and assertions that it has not awaited. */
async function body(test: Test, given: VitestContext): Promise<void> {
  await test.body(new VitestCall(given, undefined))
  const settled = await Promise.allSettled(given.task.promises ?? [])
  const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (errors.length > 0) throw errors
}

/** What a soft assertion noted, which may be plain data. */
function errorOf({ result }: Task): unknown {
  const [first] = result.errors ?? []
  if (first instanceof Error || first === undefined) return first ?? new Error('a soft assertion failed')
  const { message, ...rest } = first as { message?: string }
  return Object.assign(new Error(message), rest)
}
