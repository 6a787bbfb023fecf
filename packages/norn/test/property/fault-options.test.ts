import { expect, test } from 'vitest'
import { checkFaults } from '../../src/property/fault-options.ts'

test.each([[undefined], [{}], [{ fs: 0 }], [{ fs: 1 }], [{ fs: 1000 }], [{ fs: undefined }]])(
  '%j is allowed',
  (faults) => {
    expect(() => checkFaults('p', faults)).not.toThrow()
  },
)

test.each<[unknown, string]>([
  [{ net: 1 }, "fuzz('p'): the option faults names 'net', a kind of fault that norn does not have; it has fs"],
  [{ fs: -1 }, "fuzz('p'): the option faults.fs is -1; it must be a whole number from 0 to 1000"],
  [{ fs: 1001 }, "fuzz('p'): the option faults.fs is 1001; it must be a whole number from 0 to 1000"],
  [{ fs: 1.5 }, "fuzz('p'): the option faults.fs is 1.5; it must be a whole number from 0 to 1000"],
  [{ fs: Number.NaN }, "fuzz('p'): the option faults.fs is NaN; it must be a whole number from 0 to 1000"],
  [{ fs: Infinity }, "fuzz('p'): the option faults.fs is Infinity; it must be a whole number from 0 to 1000"],
  [{ fs: '2' }, "fuzz('p'): the option faults.fs is '2'; it must be a whole number from 0 to 1000"],
  [{ fs: null }, "fuzz('p'): the option faults.fs is null; it must be a whole number from 0 to 1000"],
  [2, "fuzz('p'): the option faults is 2; it must be an object, such as { fs: 2 }"],
  [null, "fuzz('p'): the option faults is null; it must be an object, such as { fs: 2 }"],
  [['fs'], "fuzz('p'): the option faults is an array; it must be an object, such as { fs: 2 }"],
])('%j is refused', (faults, message) => {
  expect(() => checkFaults('p', faults)).toThrow(message)
})
