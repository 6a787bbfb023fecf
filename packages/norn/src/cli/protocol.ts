/** `norn protocol check -- COMMAND`: checks a harness that speaks the stdio protocol. */
import { resolve } from 'node:path'
import { print } from '#shared/print'
import type { CheckResult, Verdict } from '../cluster/stdio/check-result.ts'
import { ENVIRONMENT } from '../cluster/stdio/program.ts'
import { ProgramFailure } from '../cluster/stdio/program-failure.ts'
import { checkProtocol } from '../cluster/stdio/protocol-check.ts'
import { duration, names, text, toggle } from '../options/kinds.ts'
import { type Chosen, flag, type OptionTable } from '../options/option.ts'
import { printableLine, printableLines } from '../report/printable.ts'
import { type Style, terminalStyle } from '../report/style.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'

const DEFAULT_ANSWER_MS = 5000

export const PROTOCOL_OPTIONS = {
  request: flag(names('an array of requests as JSON'), '--request <json>', 'a request that clients may send'),
  nodes: flag(text, '--nodes <names>', 'names of its nodes, separated by commas; by default its own'),
  cwd: flag(text, '--cwd <folder>', 'its working directory', { default: 'the current one' }),
  answerMs: flag(duration, '--answer <duration>', 'real time limit of one answer', { fallback: '5s' }),
  json: flag(toggle, '--json', 'print JSON lines', { default: 'text' }),
} satisfies OptionTable
const MAX_LINE = 16 * 1024 * 1024

/** Runs the checks and prints their results; a failure of the program is a finding, as in `norn fuzz`. */
export async function protocolCheckCommand(
  command: readonly string[],
  { request, nodes, cwd = '.', answerMs = DEFAULT_ANSWER_MS, json }: Chosen<typeof PROTOCOL_OPTIONS>,
): Promise<ExitStatus> {
  const [name, ...args] = command
  if (name === undefined)
    throw new UsageError('protocol check: name the program: norn protocol check -- python3 lock.py')
  const style = terminalStyle(json ? false : undefined)
  if (!json) print(style.bold(`protocol check: ${printableLine(command.join(' '))}`))
  const results: CheckResult[] = []
  const checks = checkProtocol({
    command: [name, ...args],
    nodes: nodes?.split(','),
    cwd: resolve(cwd),
    env: ENVIRONMENT,
    answerMs,
    maxLineBytes: MAX_LINE,
    requests: request.map(parsedRequest),
  })
  try {
    for (const result of checks) {
      results.push(result)
      print(json ? JSON.stringify({ type: 'check', ...result }) : resultText(result, style))
    }
  } catch (error) {
    if (error instanceof ProgramFailure && error.reason === 'ProgramNotStarted') throw new UsageError(error.message)
    throw error
  }
  const status = statusOf(results)
  const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length
  if (json) print(JSON.stringify({ type: 'end', status, failed: count('failed'), warnings: count('warning') }))
  return status
}

function statusOf(results: readonly CheckResult[]): ExitStatus {
  return results.some(({ verdict }) => verdict === 'failed') ? STATUS.failed : STATUS.passed
}

const MARKS: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', warning: '!', skipped: '-' }
const NAME_WIDTH = 16

function resultText({ check, verdict, text, details }: CheckResult, style: Style): string {
  const set = { passed: style.good, failed: style.bad, warning: style.warning, skipped: style.dim }[verdict]
  const line = `  ${set(MARKS[verdict])} ${check.padEnd(NAME_WIDTH)}${printableLine(text)}`
  if (details === undefined) return line
  const below = printableLines(details)
  return [line, ...below.map((each) => `    ${each}`)].join('\n')
}

function parsedRequest(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--request ${text}: expected JSON such as '{"get":"x"}' or '"acquire"'`)
  }
}
