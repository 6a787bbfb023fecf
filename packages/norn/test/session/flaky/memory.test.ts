/** What is known of tests is taken over only by the norn that found it, and over the same code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepState, keptState } from '../../../src/session/flaky/memory.ts'

const root = mkdtempSync(join(tmpdir(), 'norn-memory-'))
afterAll(() => rmSync(root, { recursive: true }))

it('is taken over as it was kept', () => {
  const state = { tests: [], reports: [], whole: undefined, suspects: [], rounds: 1, ran: 20, files: ['a.test.ts'] }
  writeFileSync(join(root, 'a.test.ts'), 'one')
  expect(keepState(root, 'this norn', 'a.test.ts', state)).toBeUndefined()
  expect(keptState(root, 'this norn', 'a.test.ts')).toMatchObject({ rounds: 1, ran: 20 })
  expect(keptState(root, 'another norn of this version', 'a.test.ts')).toBeUndefined()
  writeFileSync(join(root, 'a.test.ts'), 'two')
  expect(keptState(root, 'this norn', 'a.test.ts')).toBeUndefined()
})
