// memoizee with promises: concurrent calls share one, errors are not kept, a cleared value is
// computed again.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import memoize from 'memoizee'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const operation = fc.record({
  gap: fc.integer({ min: 0, max: 4 }),
  kind: fc.constantFrom('call', 'clear', 'delete', 'change'),
})

fuzz(
  'memoizee: a call after a clear sees the change before it',
  {
    operations: fc.array(operation, { maxLength: 6 }),
    maxAge: fc.constantFrom(undefined, 3),
    fails: fc.boolean(),
    mode: fc.constantFrom(true, 'then'),
  },
  async ({ operations, maxAge, fails, mode }) => {
    let version = 0
    let calls = 0
    const read = memoize(
      async (_key: string) => {
        const seen = version
        const isFailing = fails && calls++ === 0
        await pause(2)
        if (isFailing) throw new Error('fails once')
        return seen
      },
      { promise: mode as true, maxAge },
    )
    let least = 0
    const pending: Promise<unknown>[] = []
    for (const { gap, kind } of operations) {
      if (gap > 0) await sleep(gap)
      if (kind === 'change') version++
      else if (kind === 'clear' || kind === 'delete') {
        if (kind === 'clear') read.clear()
        else read.delete('key')
        least = version
      } else {
        const bound = least
        pending.push(
          read('key').then(
            (seen: number) => assert.ok(seen >= bound, `${seen} is older than ${bound}`),
            () => {},
          ),
        )
      }
    }
    await Promise.all(pending)
    await sleep(50)
    assert.ok((await read('key').catch(() => pause(2).then(() => read('key')))) >= least)
  },
)
