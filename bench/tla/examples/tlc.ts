/**
 * Runs TLC, the model checker that norn is compared with, and reads its output. TLC is not part of
 * the project.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** One run of TLC. Numbers that it did not print are undefined. */
export interface TlcRun {
  readonly generated: number | undefined
  readonly distinct: number | undefined
  /** In states, the initial one counted, as TLC prints it. */
  readonly depth: number | undefined
  /** Of the whole command, start-up included. */
  readonly seconds: number
  readonly result: TlcResult
  /** States in the counterexample, the initial one counted; undefined without one. */
  readonly trace: number | undefined
}

type TlcResult =
  | 'passes'
  | 'deadlock'
  | 'assumption'
  | `invariant ${string}`
  /** Killed at the time limit. */
  | 'unfinished'
  /** The first line of an error that ended it. */
  | `error: ${string}`

export interface TlcOptions {
  readonly jar: string
  /** Folders with additional modules. */
  readonly library?: readonly string[]
  /** Wall time after which it is killed. */
  readonly timeMs?: number
}

/** Explores a model breadth first, with one worker. */
export function runTlc(specification: string, configuration: string, options: TlcOptions): TlcRun {
  const scratch = mkdtempSync(join(tmpdir(), 'norn-tlc-'))
  try {
    const began = performance.now()
    const { stdout, status, error } = spawnSync(
      'java',
      [
        '-XX:+UseParallelGC',
        ...(options.library?.length ? [`-DTLA-Library=${options.library.join(':')}`] : []),
        ...['-cp', resolve(options.jar), 'tlc2.TLC', '-workers', '1', '-nowarning', '-noGenerateSpecTE'],
        ...['-metadir', scratch, '-config', resolve(configuration), basename(specification)],
      ],
      {
        cwd: dirname(resolve(specification)),
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        timeout: options.timeMs,
        killSignal: 'SIGKILL',
      },
    )
    const seconds = Number(((performance.now() - began) / 1000).toFixed(2))
    if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error
    return { ...read(stdout, status), seconds }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function read(output: string, status: number | null): Omit<TlcRun, 'seconds'> {
  const counts = [...output.matchAll(/^([\d,]+) states generated, ([\d,]+) distinct states found/gm)].at(-1)
  const depth = /depth of the complete state graph search is (\d+)/.exec(output)?.[1]
  const states = [...output.matchAll(/^State (\d+):/gm)].at(-1)?.[1]
  return {
    generated: counts && number(counts[1]!),
    distinct: counts && number(counts[2]!),
    depth: depth === undefined ? undefined : Number(depth),
    result: resultOf(output, status),
    // TLC prints a violation by an initial state without the word "State".
    trace: states !== undefined ? Number(states) : /violated by the initial state/.test(output) ? 1 : undefined,
  }
}

function resultOf(output: string, status: number | null): TlcResult {
  if (status === null) return 'unfinished'
  if (status === 0) return 'passes'
  if (/^Error: Deadlock reached/m.test(output)) return 'deadlock'
  if (/^Error: Assumption .* is false/m.test(output)) return 'assumption'
  const invariant = /^Error: Invariant (\S+) is violated/m.exec(output)?.[1]
  if (invariant !== undefined) return `invariant ${invariant}`
  return `error: ${/^Error: (.*)/m.exec(output)?.[1] ?? `status ${status}`}`
}

function number(text: string): number {
  return Number(text.replaceAll(',', ''))
}
