/** Which editor a page opens: never one that would take over the terminal of norn. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findEditor, openInEditor } from '../../../src/cli/ui/editor.ts'

beforeEach(() => {
  for (const name of ['LAUNCH_EDITOR', 'VISUAL', 'EDITOR']) vi.stubEnv(name, undefined)
})
afterEach(() => void vi.unstubAllEnvs())

it('is that of LAUNCH_EDITOR', () => {
  vi.stubEnv('LAUNCH_EDITOR', 'code')
  expect(findEditor()).toEqual(['code'])
})

it('may have options, and passes over those that need a terminal', () => {
  vi.stubEnv('LAUNCH_EDITOR', '/usr/bin/nvim')
  vi.stubEnv('VISUAL', 'vim -n')
  vi.stubEnv('EDITOR', "subl --wait 'a b'")
  expect(findEditor()).toEqual(['subl', '--wait', 'a b'])
})

it('that is missing is said, with what to do', async () => {
  expect(await openInEditor('/a.ts', 1, () => undefined)).toContain(
    'no editor with a window was found: set LAUNCH_EDITOR',
  )
})
