/** The runners of other projects: how to call one, and what it says of each test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { watchProcessorTime } from './processor-time.ts'
import type { Runner } from './subjects.ts'

export type RunnerVerdict = 'passed' | 'failed' | 'skipped'

/** By {@link testKey}. */
export type RunnerVerdicts = ReadonlyMap<string, RunnerVerdict>

export interface Timed<Value> {
  readonly value: Value
  readonly ms: number
  /** Of the processor, with all processes; undefined where the system does not tell. */
  readonly processorMs: number | undefined
}

/** Runners separate the names of suites by a space or by ` > `. */
export function testKey(file: string, name: string): string {
  return `${file}: ${name.replaceAll(' > ', ' ')}`
}

interface RunnerDialect {
  /** What the runner is called with in front of the arguments of the project. */
  command(report: string): readonly string[]
  /** @param report the text of the file that `command` names */
  parse(report: string): readonly { file: string; name: string; verdict: RunnerVerdict }[]
}

const NODE_REPORTER = resolve(import.meta.dirname, 'node-test-reporter.mjs')
const MOCHA_REPORTER = resolve(import.meta.dirname, 'mocha-reporter.cjs')

const DIALECTS: Readonly<Record<Runner, RunnerDialect>> = {
  'node:test': {
    command: (report) => [
      'node',
      '--test',
      `--test-reporter=${NODE_REPORTER}`,
      `--test-reporter-destination=${report}`,
    ],
    parse: parseLines,
  },
  vitest: { command: (report) => ['vitest', 'run', '--reporter=json', `--outputFile=${report}`], parse: parseJest },
  jest: { command: (report) => ['jest', '--json', `--outputFile=${report}`], parse: parseJest },
  mocha: {
    command: (report) => ['mocha', '--reporter', MOCHA_REPORTER, '--reporter-options', `output=${report}`],
    parse: parseLines,
  },
}

/** Of our own reporters. */
function parseLines(report: string) {
  const lines = report.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as { file: string; name: string; verdict: RunnerVerdict })
}

interface JestReport {
  testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[]
}

function parseJest(report: string) {
  return (JSON.parse(report) as JestReport).testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file,
      name: [...ancestorTitles, title].join(' '),
      verdict: status === 'passed' || status === 'failed' ? (status as RunnerVerdict) : 'skipped',
    })),
  )
}

/**
 * Runs the runner of the project in `root`.
 *
 * @param args follow those of norn's choice: files and options
 * @param env variables beside those of this process
 */
export async function runOwnRunner(
  runner: Runner,
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Timed<RunnerVerdicts>> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-flaky-'))
  const report = join(folder, 'report')
  const { command, parse } = DIALECTS[runner]
  try {
    const { stdout, stderr, ...times } = await runTimed([...command(report), ...args], root, env)
    if (!existsSync(report)) throw new Error(`${runner} reported nothing:\n${stdout}${stderr}`.slice(0, 2000))
    const verdicts = new Map<string, RunnerVerdict>()
    for (const { file, name, verdict } of parse(readFileSync(report, 'utf8'))) {
      const key = testKey(relative(root, resolve(root, file)), name)
      if (verdicts.get(key) !== 'failed') verdicts.set(key, verdict)
    }
    return { value: verdicts, ...times }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command of the project, with its own packages first. */
export async function runTimed(
  [command, ...args]: readonly string[],
  root: string,
  own: Readonly<Record<string, string>> = {},
) {
  const began = performance.now()
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env
  const path = [resolve(root, 'node_modules/.bin'), env.PATH].join(':')
  const child = spawn(command!, args, {
    cwd: root,
    env: { ...env, ...own, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const processorTime = watchProcessorTime(child.pid!)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const ms = Math.round(performance.now() - began)
  return { stdout, stderr, status: status as number | null, ms, processorMs: processorTime() }
}
