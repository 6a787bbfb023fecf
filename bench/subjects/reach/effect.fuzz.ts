// effect: two fibers with a lost update of a Ref around a step that takes a while.
import assert from 'node:assert/strict'
import { Effect, Ref, Semaphore } from 'effect'
import { pause, planted } from './planted.ts'

planted('effect: both fibers count', async ({ isFixed }) => {
  const program = Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const semaphore = yield* Semaphore.make(1)
    const add = Effect.gen(function* () {
      const before = yield* Ref.get(count)
      yield* Effect.promise(pause)
      yield* Ref.set(count, before + 1)
    })
    const each = isFixed ? semaphore.withPermits(1)(add) : add
    yield* Effect.all([each, each.pipe(Effect.delay('5 millis'))], { concurrency: 'unbounded' })
    return yield* Ref.get(count)
  })
  assert.equal(await Effect.runPromise(program), 2)
})
