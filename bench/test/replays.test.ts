/** The replays suite, small: a failure shows the same trace in fresh processes, and is followed into the fixed version. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each(['lockfile', 'write-file-atomic'])(
  '%s',
  async (subject) => {
    const main = fileURLToPath(new URL('../main.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [
      main,
      'replays',
      '--smoke',
      '--json',
      '--only',
      subject,
    ])
    const { processes, sameTrace, sameError, recorded, followed, fixed } = JSON.parse(stdout)
    expect({ sameTrace, sameError }).toEqual({ sameTrace: processes, sameError: processes })
    expect(recorded).toBeGreaterThan(0)
    expect({ followed, fixed }).toEqual({ followed: recorded, fixed: 'passed' })
  },
  60_000,
)
