/**
 * Explores a model with `norn tla check` in a process of its own, which may hang or run out of
 * memory.
 */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const MAIN = resolve(import.meta.dirname, '../../../packages/norn/src/cli/main.ts')

export interface Explored {
  /** Undefined if norn printed none. */
  readonly generated: number | undefined
  readonly distinct: number | undefined
  readonly depth: number | undefined
  /** Of the whole command, start-up included. */
  readonly seconds: number
  /**
   * `passes`, `deadlock`, `assumption`, `invariant NAME`, …; `unfinished` at a limit of time or
   * memory; `failed` without a result.
   */
  readonly result: string
  /** One line, unless the result is `passes`. */
  readonly why: string | undefined
  /** States of its counterexample; undefined without one. */
  readonly trace: number | undefined
}

export interface ExploreOptions {
  /** Wall time after which it is killed. */
  readonly timeMs: number
  /** The program to run; norn's sources unless set. */
  readonly main?: string
}

/** Characters kept of the output, which has no bound: its end counts. */
const KEPT_CHARACTERS = 1 << 22

export async function explore(
  specification: string,
  configuration: string,
  { timeMs, main = MAIN }: ExploreOptions,
): Promise<Explored> {
  const began = performance.now()
  const child = spawn(process.execPath, [main, 'tla', 'check', specification, '--config', configuration, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8')
    child[stream].on('data', (text: string) => {
      output[stream] = (output[stream] + text).slice(-KEPT_CHARACTERS)
    })
  }
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, timeMs)
  await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(timer)
  const seconds = (performance.now() - began) / 1000
  if (timedOut) return { ...NOTHING, seconds, result: 'unfinished', why: `not within ${timeMs / 1000} s` }
  return { ...read(output), seconds }
}

const NOTHING = { generated: undefined, distinct: undefined, depth: undefined, why: undefined, trace: undefined }

/** The last line of `norn tla check --json`, as far as it is read here. */
interface LastLine {
  readonly result: string
  readonly generated: number
  readonly distinct: number
  readonly depth: number
  readonly name?: string
  readonly bound?: string
  readonly error?: {
    readonly message: string
    readonly at?: { readonly file: string; readonly line: number; readonly column: number }
  }
  readonly behaviour?: readonly unknown[]
}

function read({ stdout, stderr }: { stdout: string; stderr: string }): Omit<Explored, 'seconds'> {
  let last: LastLine
  try {
    last = JSON.parse(stdout.trimEnd().split('\n').at(-1)!)
  } catch {
    const lines = stderr.split('\n').filter((line) => line.trim() !== '')
    const why = lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it printed nothing'
    return { ...NOTHING, result: 'failed', why: why.trim() }
  }
  const { generated, distinct, depth, error } = last
  const trace = last.behaviour?.length || undefined
  return { generated, distinct, depth, trace, result: resultOf(last), why: whyOf(error) }
}

function resultOf({ result, name }: LastLine): string {
  // The counts of TLC, which are compared, are those of safety.
  if (result === 'passed' || result === 'incomplete') return 'passes'
  if (result === 'bound') return 'unfinished'
  if (result === 'refused') return 'failed'
  return result === 'invariant' || result === 'property' ? `${result} ${name}` : result
}

function whyOf(error: LastLine['error']): string | undefined {
  if (error === undefined) return undefined
  const { message, at } = error
  const place = at === undefined ? '' : `${at.file.split('/').at(-1)}:${at.line}:${at.column}: `
  return `${place}${message}`.split('\n')[0]
}
