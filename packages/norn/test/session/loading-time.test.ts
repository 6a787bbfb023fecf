import { expect, test } from 'vitest'
import { UndecidedError } from '../../src/session/errors.ts'
import { loadedBy } from '../../src/session/loading-time.ts'

const never = new Promise<string>(() => {})

test('a file that does not load in the time of the call is inconclusive, with what to do', async () => {
  const loading = loadedBy(performance.now(), never, 'a.fuzz.ts', 15_000)
  await expect(loading).rejects.toBeInstanceOf(UndecidedError)
  await expect(loading).rejects.toThrow('loading a.fuzz.ts took longer than the call may (15 s)')
  await expect(loading).rejects.toThrow('Raise --time')
})

test('one that loads in time is what it is, and so is its error', async () => {
  const end = performance.now() + 60_000
  expect(await loadedBy(end, Promise.resolve('loaded'), 'a', 60_000)).toBe('loaded')
  expect(await loadedBy(Number.POSITIVE_INFINITY, Promise.resolve('loaded'), 'a', 0)).toBe('loaded')
  await expect(loadedBy(end, Promise.reject(new Error('broken')), 'a', 60_000)).rejects.toThrow('broken')
})
