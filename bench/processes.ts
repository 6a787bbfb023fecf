/** Processes that suites start. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { EXECUTION_FLAGS } from './engine.ts'

const STDERR_CHARACTERS = 10_000

export interface Ended {
  /** Null if a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  /** Its beginning. */
  readonly stderr: string
}

/** Runs a baseline on stock Node in a temporary folder of its own, and kills it after `limitMs`. */
export async function runBaseline(script: string, settings: unknown, limitMs: number): Promise<Ended> {
  const temporary = mkdtempSync(join(tmpdir(), 'norn-baseline-'))
  const args = ['--expose-internals', '--no-warnings', script, JSON.stringify(settings)]
  const child = spawn(process.execPath, args, {
    cwd: temporary,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  try {
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status, stdout, stderr: stderr.slice(0, STDERR_CHARACTERS) }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Starts a process with the flags of worker processes, and returns its only message. */
export async function measuredInProcess<Message>(script: string, args: readonly string[]): Promise<Message> {
  const child = fork(script, args, { execArgv: EXECUTION_FLAGS })
  const message = await answer<Message>(child)
  child.disconnect()
  return message
}

/** The next message of a process. @throws if the process ends first */
export function answer<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const died = (status: number | null) =>
      reject(new Error(`the process exited with status ${status} before it answered`))
    child.once('exit', died)
    child.once('message', (message: Message) => {
      child.off('exit', died)
      resolve(message)
    })
  })
}

/** Runs an action for each item, `jobs` at a time. */
export async function sideBySide<Each>(
  all: readonly Each[],
  jobs: number,
  action: (each: Each) => Promise<void>,
): Promise<void> {
  const left = [...all]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await action(next)
  }
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, work))
}
