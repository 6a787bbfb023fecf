/**
 * Checks a program against docs/stdio-protocol.md, for authors of harnesses.
 *
 * Executions are simulations with all faults and random steps from fixed seeds, so every check of a
 * program sends the same. What the check cannot decide (whether a crash loses what it should) is a
 * warning.
 */
import type { Data } from '../system.ts'
import { checkBatches } from './batch-check.ts'
import { CrashLosses, runOnce } from './check-execution.ts'
import type { CheckResult } from './check-result.ts'
import { cut, ProgramFailure, ReportedFailure } from './program-failure.ts'
import { type Exchanged, type HostOptions, ProgramHost } from './program-host.ts'
import { parseError, ShapeError } from './protocol.ts'
import { same, Transcript } from './transcript.ts'

export interface CheckOptions extends Omit<HostOptions, 'onExchange'> {
  /** Requests to draw from; no requests are made if it is empty. */
  readonly requests: readonly Data[]
}

/** The number of executions in one process. */
const EXECUTIONS = 20
const LARGE_CHARACTERS = 1_000_000
/** Real time for a program to exit after the end of its stdin, in milliseconds. */
const END_MS = 2000
const SPEED_EXCHANGES = 2000

/**
 * Runs all checks, and yields one or more results of each; ends at the first failure of the program.
 *
 * @throws ProgramFailure if the program cannot be started
 */
export function* checkProtocol(options: CheckOptions): Generator<CheckResult> {
  const transcript = new Transcript()
  const onExchange = (exchanged: Exchanged) => transcript.add(exchanged)
  let check = 'handshake'
  // Batches come last, since failures of single commands are easier to understand.
  const host = new ProgramHost({ ...options, batches: false, onExchange })
  const batching = new ProgramHost({ ...options, onExchange })
  try {
    yield* handshake(host)
    check = 'unknown command'
    yield* unknownCommand(host)
    check = 'large command'
    yield* unknownField(host)
    check = 'executions'
    const baseline: string[][] = []
    yield* executions(host, options, transcript, baseline)
    check = 'batches'
    yield* checkBatches(host.hello.batches ? batching : undefined, options.requests, transcript, baseline)
    check = 'speed'
    yield* speed(host)
    check = 'end'
    yield* end(host)
  } catch (error) {
    const isFinding = error instanceof ProgramFailure || error instanceof ReportedFailure || error instanceof ShapeError
    if (!isFinding || (error instanceof ProgramFailure && error.reason === 'ProgramNotStarted')) throw error
    yield failed(check, error)
  } finally {
    host.end()
    batching.end()
  }
}

function* handshake(host: ProgramHost): Generator<CheckResult> {
  try {
    const { nodes, tickMs, drops, batches, crashes, counters, random } = host.hello
    const traits = [
      `${nodes.length} nodes (${nodes.join(', ')})`,
      tickMs === undefined ? 'no ticks' : `a tick every ${tickMs} ms`,
      batches ? 'batches' : 'no batches',
      crashes ? 'crashes' : 'no crashes',
      drops ? 'told of lost messages' : 'not told of lost messages',
      random ? 'random numbers' : 'no random numbers',
      ...(counters === undefined ? [] : [`${counters} counters`]),
    ]
    yield { check: 'handshake', verdict: 'passed', text: traits.join('; ') }
  } catch (error) {
    if (!(error instanceof ProgramFailure) || error.reason !== 'ProgramHang') throw error
    const hint = 'If it does answer, the answer may be stuck in a buffer: flush stdout after each line.'
    throw Object.assign(error, { message: `${error.message}\n  ${hint}` })
  }
}

function* unknownCommand(host: ProgramHost): Generator<CheckResult> {
  const { answer, line } = host.ask({ command: 'no such command' })
  const isError = parseError(answer) !== undefined
  const text = isError ? 'answered with an "error"' : 'an unknown command must be answered with an "error"'
  const result = { check: 'unknown command', verdict: isError ? 'passed' : 'failed', text } as const
  yield isError ? result : { ...result, details: `  received: ${cut(line)}` }
}

/** Commands of later versions may have more fields, and lines may be long and hold any character. */
function* unknownField(host: ProgramHost): Generator<CheckResult> {
  const comment = `ž 漢 😀 "\\ \u2028 ${'x'.repeat(LARGE_CHARACTERS)}`
  const { answer, line } = host.ask({ command: 'reset', seed: 0, comment } as { command: string })
  const error = parseError(answer)
  const check = 'large command'
  const text = 'a command of 1 MB with an unknown field'
  if (error === undefined) yield { check, verdict: 'passed', text: `${text} is accepted` }
  else yield { check, verdict: 'failed', text: `${text} must be accepted`, details: `  received: ${cut(line)}` }
}

/** @param baseline receives the transcripts of the first run */
function* executions(
  host: ProgramHost,
  options: CheckOptions,
  transcript: Transcript,
  baseline: string[][],
): Generator<CheckResult> {
  const losses = new CrashLosses()
  let said: ReportedFailure | undefined
  let requests = 0
  let replies = 0
  const hit = new Set<number>()
  const execute = (seed: number): string[] => {
    const outcome = runOnce(host, options.requests, seed, losses)
    said ??= outcome.said
    requests += outcome.requests
    replies += outcome.replies
    for (const [counter, hits] of host.counters?.entries() ?? []) if (hits > 0) hit.add(counter)
    return transcript.lines
  }
  const first = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  baseline.push(...first)
  const exchanges = first.reduce((sum, lines) => sum + lines.length, 0)
  yield {
    check: 'executions',
    verdict: 'passed',
    text: `${EXECUTIONS} executions, ${exchanges} commands: each answered once, in the right shape`,
  }
  const [asked, answered, crashes] = [requests, replies, losses.result(host.hello.crashes)]
  if (said !== undefined) {
    const text = 'the program reported an error, which norn fuzz would report as a failure'
    yield { check: 'assertions', verdict: 'warning', text, details: indented(said.message) }
  }
  if (options.requests.length === 0) {
    yield {
      check: 'requests',
      verdict: 'skipped',
      text: 'none made: add requests that the program understands with --request JSON',
    }
  } else if (answered === 0) {
    yield { check: 'requests', verdict: 'warning', text: `none of ${asked} requests got a reply` }
  } else yield { check: 'requests', verdict: 'passed', text: `${asked} requests, ${answered} replies` }

  // All executions run before the first one runs again.
  const again = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  yield same(
    'reset',
    first,
    again,
    'after a reset, the same commands get the same answers',
    'does `reset` reset everything?',
  )
  host.end()
  const elsewhere = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  const why = 'does it use a clock, random numbers or the order of a hash table?'
  yield same('determinism', first, elsewhere, 'in another process, the same commands get the same answers', why)
  yield crashes
  const { counters } = host.hello
  if (counters === undefined) return
  const verdict = hit.size === 0 ? 'warning' : 'passed'
  yield { check: 'coverage', verdict, text: `${hit.size} of ${counters} counters were hit` }
}

function* speed(host: ProgramHost): Generator<CheckResult> {
  host.reset(0)
  const began = performance.now()
  for (let exchange = 0; exchange < SPEED_EXCHANGES; exchange++) host.perform({ command: 'reset', seed: 0 })
  const perSecond = Math.round(SPEED_EXCHANGES / ((performance.now() - began) / 1000))
  yield { check: 'speed', verdict: 'passed', text: `${perSecond} "reset" commands per second` }
}

function* end(host: ProgramHost): Generator<CheckResult> {
  const ending = host.end(END_MS)
  const check = 'end'
  if (ending === undefined || ending.killed) {
    yield {
      check,
      verdict: 'failed',
      text: `the program does not exit within ${END_MS / 1000} s after the end of its stdin`,
    }
  } else if (ending.code === 0) yield { check, verdict: 'passed', text: 'the program exits at the end of its stdin' }
  else yield { check, verdict: 'warning', text: `the program exits at the end of its stdin, but with ${ending.how}` }
}

function failed(check: string, error: Error): CheckResult {
  const [text = '', ...rest] = error.message.split('\n')
  return { check, verdict: 'failed', text, ...(rest.length === 0 ? {} : { details: rest.join('\n') }) }
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
