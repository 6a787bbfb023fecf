import { expect, test } from 'vitest'
import { checkFaults } from '../../src/property/fault-options.ts'

test.each([[undefined], [{}], [{ fs: 0 }], [{ fs: 1 }], [{ fs: 1000 }], [{ fs: undefined }]])(
  '%j is allowed',
  (faults) => {
    expect(() => checkFaults('p', faults)).not.toThrow()
  },
)

test.each<[unknown, string]>([
  [{ net: 1 }, "fuzz('p'): option faults has an unknown kind of fault: 'net'. Known kinds: fs"],
  [{ fs: -1 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: -1"],
  [{ fs: 1001 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: 1001"],
  [{ fs: 1.5 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: 1.5"],
  [{ fs: Number.NaN }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: NaN"],
  [{ fs: Infinity }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: Infinity"],
  [{ fs: '2' }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: '2'"],
  [{ fs: null }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: null"],
  [2, "fuzz('p'): option faults must be an object: 2. Write an object such as { fs: 2 }"],
  [null, "fuzz('p'): option faults must be an object: null. Write an object such as { fs: 2 }"],
  [['fs'], "fuzz('p'): option faults must be an object: an array. Write an object such as { fs: 2 }"],
])('%j is refused', (faults, message) => {
  expect(() => checkFaults('p', faults)).toThrow(message)
})
