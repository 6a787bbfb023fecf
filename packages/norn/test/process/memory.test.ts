import { afterEach, expect, test, vi } from 'vitest'
import { DEFAULT_MEMORY_MB } from '../../src/options/table.ts'
import { memoryLimitMb, memoryShare, ranOutOfMemory } from '../../src/process/memory.ts'

afterEach(() => vi.unstubAllEnvs())

test('the limit is what the call says, else what NODE_OPTIONS say, else the default', () => {
  vi.stubEnv('NODE_OPTIONS', '')
  expect([memoryLimitMb(300), memoryLimitMb(undefined)]).toEqual([300, DEFAULT_MEMORY_MB])
  for (const options of ['--max-old-space-size=512', '--no-warnings --max_old_space_size 512']) {
    vi.stubEnv('NODE_OPTIONS', options)
    expect([memoryLimitMb(300), memoryLimitMb(undefined)]).toEqual([300, 512])
  }
})

test.runIf(process.platform === 'linux')('the share of a process grows as its limit shrinks', () => {
  expect(memoryShare(process.pid, 1e6)).toBeLessThan(0.1)
  expect(memoryShare(process.pid, 1)).toBeGreaterThan(memoryShare(process.pid, 1024))
})

test('a process that is gone holds nothing', () => {
  expect([memoryShare(undefined, 1), memoryShare(2 ** 30, 1)]).toEqual([0, 0])
})

test.each([
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', true],
  ['# Fatal process out of memory: Zone', true],
  ['Error: Allocation failed, as the program says', false],
])('the last words %j: %s', (words, isMemory) => {
  expect(ranOutOfMemory(words)).toBe(isMemory)
})
