/** `norn replay FAILURE --script`: the failure as a script for stock Node, run before it is printed. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FailureReport } from '../contract/execution.ts'
import type { Explained } from '../contract/explanation.ts'
import { messageShape } from '../contract/fingerprint.ts'
import { conditions } from '../process/worker.ts'
import { inputSource } from '../property/input/input-source.ts'
import { NEVER, stockDelays, stockScript } from '../report/stock-script.ts'
import type { OpenFailure } from './open-failure.ts'

/** The least delays that are tried, in milliseconds: real operations take longer than virtual ones. */
const LEAST_MS = [5, 50, 500]
/** Runs of a script; all of them have to fail. */
const RUNS = 3
/** Real time of one run, in milliseconds. */
const RUN_MS = 20_000

/** Sources as people write them: types, and what they stand for. */
const FLAGS = ['--experimental-transform-types']

export interface StockOutcome {
  /** The script, if it fails in at least one run. */
  readonly script?: string
  /** Whether it fails in each run. */
  readonly reproduces: boolean
  /** How it went, in a sentence. */
  readonly text: string
}

/** Makes a script of a failing replay, and runs it. */
export async function stockOutcome(opened: OpenFailure, { result, explanation }: Explained): Promise<StockOutcome> {
  const { saved, root, start } = opened
  const none = (why: string) => ({ reproduces: false, text: `no script: ${why}` })
  if (result.verdict !== 'failed' || explanation === undefined) return none('the replay does not fail')
  if (saved.aliases.length > 0) return none('stock Node knows no aliases')
  const input = inputSource(result.input ?? saved.input)
  if (input === undefined) return none('its input cannot be written as JavaScript')
  const delays = stockDelays(result, explanation)
  if (typeof delays === 'string') return none(delays)
  let best: StockOutcome & { readonly times: number } = { ...none(''), times: 0 }
  for (const leastMs of delays.length === 0 ? LEAST_MS.slice(0, 1) : LEAST_MS) {
    const scriptWith = (head: readonly string[]) =>
      stockScript({ property: saved.property, file: start.file, input, delays, leastMs, head })
    const { times, seen } = await failures(scriptWith([]), root, result.failure!)
    const how = `fails on stock Node ${process.versions.node} in ${times} of ${RUNS} runs`
    if (times === 0) {
      best =
        best.times > 0 ? best : { ...none(`on stock Node ${process.versions.node} it ${seen} in ${RUNS} runs`), times }
      continue
    }
    const head = [`'${saved.property}' ${how}: node ${FLAGS.join(' ')} SCRIPT, in the folder of the project`]
    if (times > best.times) best = { script: scriptWith(head), reproduces: times === RUNS, text: how, times }
    if (times === RUNS) break
  }
  return best
}

/** How many runs of a script end with the failure; otherwise how the last ended. */
async function failures(
  script: string,
  root: string,
  failure: FailureReport,
): Promise<{ times: number; seen: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-script-'))
  const path = join(folder, 'failure.mjs')
  writeFileSync(path, script)
  let [times, seen] = [0, 'passes']
  try {
    for (let run = 0; run < RUNS; run++) {
      const { code, output } = await ran(path, root)
      const [, said] = /^FAILS: ([\s\S]*)$/m.exec(output) ?? []
      if (code === 1 && said !== undefined && isSame(said, failure)) times++
      else
        seen = code === 0 ? 'passes' : said === undefined ? 'does not run' : `fails otherwise (${said.split('\n')[0]})`
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { times, seen }
}

function isSame(said: string, { kind, message }: FailureReport): boolean {
  if (kind === 'deadlock') return said.startsWith(NEVER)
  return messageShape(said.trimEnd()) === messageShape(message.trimEnd())
}

function ran(path: string, cwd: string): Promise<{ code: number | string; output: string }> {
  const args = ['--no-warnings', ...FLAGS, ...conditions(), path]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, timeout: RUN_MS, killSignal: 'SIGKILL' }, (error, stdout) => {
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), output: stdout })
    })
  })
}
