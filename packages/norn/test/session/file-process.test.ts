/** The worker process of a file, over scripted workers. */
import { describe, expect, test } from 'vitest'
import { RequestRefused, WorkerLost } from '../../src/process/worker.ts'
import { UndecidedError, UsageError } from '../../src/session/errors.ts'
import { PROPERTY, passes, scripted } from './scripted.ts'

describe('the process of a file', () => {
  test('starts when it is first needed, and lists its file once', async () => {
    let lists = 0
    const list = async () => {
      lists++
      return [PROPERTY]
    }
    const { file, workers } = scripted([passes], { list })
    expect(workers).toHaveLength(0)
    expect(await file.properties()).toEqual([PROPERTY])
    expect(await file.properties()).toEqual([PROPERTY])
    expect([workers.length, lists]).toEqual([1, 1])
  })

  test('is another one once it was lost, or has filled its memory', () => {
    const { file, workers } = scripted([passes])
    const first = file.worker()
    expect(file.worker()).toBe(first)
    Object.assign(first, { ended: true })
    const second = file.worker()
    Object.assign(second, { isFilling: true })
    file.worker()
    expect(workers.map(({ closed }) => closed)).toEqual([true, true, false])
  })
})

test.each([
  [
    'a module that does not load',
    new RequestRefused('loading', 'no x', ''),
    UsageError,
    'cannot load a.fuzz.ts\n  no x',
  ],
  [
    'a module that loses control',
    new RequestRefused('void', 'net\nline 3', ''),
    UndecidedError,
    /^inconclusive: loading a\.fuzz\.ts [\s\S]*\n {2}net\n {2}line 3$/,
  ],
  [
    'an endless loop',
    new WorkerLost('hang', 'x', undefined),
    UsageError,
    /^loading a\.fuzz\.ts timed out\. Look for an endless loop/,
  ],
  [
    'an endless loop at a known line',
    new WorkerLost('hang', 'x', undefined, [{ file: 'a.fuzz.ts', line: 2, column: 3, functionName: 'wait' }]),
    UsageError,
    'loading a.fuzz.ts timed out\n    at wait (a.fuzz.ts:2:3)',
  ],
  [
    'a full memory',
    new WorkerLost('out of memory', 'too much', undefined),
    UsageError,
    'loading a.fuzz.ts failed: too much',
  ],
  ['an exit', new WorkerLost('crash', 'x', undefined), UsageError, 'loading a.fuzz.ts ended the process'],
  ['an error of norn', new RequestRefused('internal', 'broken', ''), RequestRefused, 'broken'],
])('a file with %s is refused by name', async (_, error, kind, message) => {
  const { file } = scripted([passes], { list: () => Promise.reject(error) })
  const listing = file.properties()
  await expect(listing).rejects.toBeInstanceOf(kind)
  await expect(listing).rejects.toThrow(message)
})
