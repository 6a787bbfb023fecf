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
  /** @param report the text of the file that `command` names, or of the output where there is none */
  parse(report: string): readonly { file: string; name: string; verdict: RunnerVerdict }[]
}

const REPORTER = resolve(import.meta.dirname, 'node-test-reporter.mjs')

const DIALECTS: Readonly<Record<Runner, RunnerDialect>> = {
  'node:test': {
    command: (report) => ['node', '--test', `--test-reporter=${REPORTER}`, `--test-reporter-destination=${report}`],
    parse: (report) =>
      report
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ file, names, verdict }) => ({ file, name: names.join(' '), verdict })),
  },
  vitest: { command: (report) => ['vitest', 'run', '--reporter=json', `--outputFile=${report}`], parse: parseJest },
  jest: { command: (report) => ['jest', '--json', `--outputFile=${report}`], parse: parseJest },
  mocha: { command: () => ['mocha', '--reporter', 'json'], parse: parseMocha },
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

interface MochaTest {
  readonly file: string
  readonly fullTitle: string
}

/** Tests may print in front of the report. */
function parseMocha(output: string) {
  const start = output.lastIndexOf('{\n  "stats"')
  if (start === -1) throw new Error('mocha printed no report')
  const { passes, failures, pending } = JSON.parse(output.slice(start)) as Record<string, MochaTest[]>
  const all = (tests: readonly MochaTest[] = [], verdict: RunnerVerdict) =>
    tests.map(({ file, fullTitle: name }) => ({ file, name, verdict }))
  return [...all(passes, 'passed'), ...all(failures, 'failed'), ...all(pending, 'skipped')]
}

/** Runs the runner of the project in `root`. @param args follow those of norn's choice: files and options */
export async function runOwnRunner(
  runner: Runner,
  root: string,
  args: readonly string[],
): Promise<Timed<RunnerVerdicts>> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-flaky-'))
  const report = join(folder, 'report')
  const { command, parse } = DIALECTS[runner]
  try {
    const { stdout, stderr, ...times } = await runTimed([...command(report), ...args], root)
    const said = existsSync(report) ? readFileSync(report, 'utf8') : stdout
    if (said.trim() === '') throw new Error(`${runner} reported nothing:\n${stderr.slice(0, 2000)}`)
    const verdicts = new Map<string, RunnerVerdict>()
    for (const { file, name, verdict } of parse(said)) {
      const key = testKey(relative(root, resolve(root, file)), name)
      if (verdicts.get(key) !== 'failed') verdicts.set(key, verdict)
    }
    return { value: verdicts, ...times }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command of the project, with its own packages first. */
export async function runTimed([command, ...args]: readonly string[], root: string) {
  const began = performance.now()
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env
  const path = [resolve(root, 'node_modules/.bin'), env.PATH].join(':')
  const child = spawn(command!, args, { cwd: root, env: { ...env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] })
  const processorTime = watchProcessorTime(child.pid!)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const ms = Math.round(performance.now() - began)
  return { stdout, stderr, status: status as number | null, ms, processorMs: processorTime() }
}
