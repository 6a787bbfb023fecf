/** Runs the command in this process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { run } from '../../src/cli/run.ts'

export interface Ran {
  readonly status: number
  readonly output: string
  readonly errors: string
}

export async function command(...args: readonly string[]): Promise<Ran> {
  const output: string[] = []
  const errors: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void output.push(`${text}\n`))
  const error = vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(`${text}\n`))
  try {
    const status = await run(args)
    return { status, output: output.join(''), errors: errors.join('') }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'norn-history-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** The path of a file that is removed after the test. */
export function file(content: string | Uint8Array, name = 'history.edn'): string {
  const path = join(folder(), name)
  writeFileSync(path, content)
  return path
}
