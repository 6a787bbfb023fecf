/** Runs the command of the experiments, as `npm run bench` does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const MAIN = resolve(import.meta.dirname, '../main.ts')

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

// biome-ignore lint/suspicious/noExplicitAny: rows as they are printed, one shape a suite
export type Row = any

export async function bench(...args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status, stdout, stderr }
}

/** The rows of a smoke run, which must end with status 0. */
export async function smokeRows(...args: readonly string[]): Promise<Row[]> {
  const { status, stdout, stderr } = await bench(...args, '--smoke', '--json')
  if (status !== 0) throw new Error(`bench ${args.join(' ')} ended with status ${status}:\n${stderr}${stdout}`)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
