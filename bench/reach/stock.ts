/** Runs the corrected programs of the suite on stock Node, as a check of the programs themselves. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')
/** A program that has not ended by then does not end. */
const LIMIT_MS = 120_000

/** @returns undefined if the first property of the file passes, else why not */
export async function problemOnStock(file: string): Promise<string | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), 'norn-reach-'))
  try {
    const child = spawn(process.execPath, ['--no-warnings', CHILD, file], {
      cwd,
      env: { ...process.env, TMPDIR: cwd },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
    if (status === 0) return undefined
    return errors.split('\n').find((line) => /error/i.test(line)) ?? `exit status ${status}`
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
