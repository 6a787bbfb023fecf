import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFailure } from '../../src/storage/failure-file.ts'

test('a failure file that is a pipe or a device is refused, without waiting for its end', () => {
  const root = mkdtempSync(join(tmpdir(), 'norn-failures-'))
  try {
    const path = join(root, 'pipe')
    execFileSync('mkfifo', [path])
    for (const each of [path, '/dev/zero']) expect(() => readFailure(each)).toThrow(/not a regular file/)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
