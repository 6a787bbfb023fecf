/**
 * Checks a program against docs/stdio-protocol.md, for authors of harnesses.
 *
 * Executions are simulations with all faults and random steps from fixed seeds, so every check of a
 * program sends the same. What the check cannot decide (whether a crash loses what it should) is a
 * warning.
 */
import { chance } from '../../tape/chance.ts'
import type { ClusterOptions } from '../definition.ts'
import { Simulation } from '../simulation.ts'
import { suggestStep } from '../suggestion.ts'
import type { Data } from '../system.ts'
import { cut, ProgramFailure, ReportedFailure } from './program-failure.ts'
import { type Exchanged, type HostOptions, ProgramHost } from './program-host.ts'
import { systemOf } from './program-system.ts'
import { parseError, ShapeError } from './protocol.ts'

export type Verdict = 'passed' | 'failed' | 'warning' | 'skipped'

export interface CheckResult {
  readonly check: string
  readonly verdict: Verdict
  /** One line. */
  readonly text: string
  /** What was sent and received, if that helps. */
  readonly details?: string
}

export interface CheckOptions extends Omit<HostOptions, 'onExchange'> {
  /** Requests to draw from; no requests are made if it is empty. */
  readonly requests: readonly Data[]
}

/** The number of executions in one process, and of their scheduled steps and requests. */
const EXECUTIONS = 20
const STEPS = 200
const REQUESTS = 20
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
  let check = 'handshake'
  const host = new ProgramHost({ ...options, onExchange: (exchanged) => transcript.add(exchanged) })
  try {
    yield* handshake(host)
    check = 'unknown command'
    yield* unknownCommand(host)
    check = 'large command'
    yield* unknownField(host)
    check = 'executions'
    yield* executions(host, options, transcript)
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
  }
}

function* handshake(host: ProgramHost): Generator<CheckResult> {
  try {
    const { nodes, tickMs, drops, random } = host.hello
    const traits = [
      `${nodes.length} nodes (${nodes.join(', ')})`,
      tickMs === undefined ? 'no ticks' : `a tick every ${tickMs} ms`,
      drops ? 'told of lost messages' : 'not told of lost messages',
      random ? 'random numbers' : 'no random numbers',
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

function* executions(host: ProgramHost, options: CheckOptions, transcript: Transcript): Generator<CheckResult> {
  const losses = new CrashLosses()
  let said: ReportedFailure | undefined
  let requests = 0
  let replies = 0
  const execute = (seed: number): readonly string[] => {
    const outcome = runOnce(host, options.requests, seed, losses)
    said ??= outcome.said
    requests += outcome.requests
    replies += outcome.replies
    return transcript.lines
  }
  const first = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  const exchanges = first.reduce((sum, lines) => sum + lines.length, 0)
  yield {
    check: 'executions',
    verdict: 'passed',
    text: `${EXECUTIONS} executions, ${exchanges} commands: each answered once, in the right shape`,
  }
  const [asked, answered, crashes] = [requests, replies, losses.result()]
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
}

interface Outcome {
  readonly said: ReportedFailure | undefined
  readonly requests: number
  readonly replies: number
}

/** One execution with random steps and all faults. */
function runOnce(host: ProgramHost, requests: readonly Data[], seed: number, losses: CrashLosses): Outcome {
  const system = systemOf({ host, owner: undefined })
  const cluster: ClusterOptions = {
    system: () => system,
    network: { perStep: 3 },
    faults: { crashes: 10, drops: 10, duplicates: 10, partitions: 2 },
  }
  const draws = chance(seed)
  const asked =
    requests.length === 0 ? [] : Array.from({ length: REQUESTS }, () => requests[draws.integer(0, requests.length - 1)])
  const simulation = new Simulation({ cluster, requests: asked, random: () => draws.unit(), system })
  const count = (said: ReportedFailure | undefined) => ({
    said,
    requests: simulation.requests.length,
    replies: simulation.requests.reduce((sum, each) => sum + each.replies.length, 0),
  })
  try {
    simulation.start()
    const initial = simulation.nodes.map((id) => JSON.stringify(system.state(id)))
    for (let ordinal = 0; ordinal < STEPS; ordinal++) {
      const step = simulation.codes.steps[suggestStep(simulation, draws)]!
      const node = step.kind === 'crash' || step.kind === 'restart' ? step.node : -1
      const id = simulation.nodes[node]
      const before = id === undefined ? undefined : JSON.stringify(system.state(id))
      simulation.step = ordinal
      const done = simulation.perform(step)
      if (!done || id === undefined) continue
      if (step.kind === 'crash') losses.crashed(id, before, initial[node])
      else losses.restarted(id, JSON.stringify(system.state(id)))
    }
    system.finish!()
    return count(undefined)
  } catch (error) {
    if (!(error instanceof ReportedFailure)) throw error
    system.finish!()
    return count(error)
  }
}

/** Counts the crashes after which a restarted node shows the same state as before. */
class CrashLosses {
  readonly #before = new Map<string, string>()
  #kept = 0
  #lost = 0

  /** @param state the node's state before the crash, as JSON */
  crashed(node: string, state: string | undefined, initial: string | undefined): void {
    this.#before.delete(node)
    if (state !== undefined && state !== initial) this.#before.set(node, state)
  }

  restarted(node: string, state: string | undefined): void {
    const before = this.#before.get(node)
    if (before === undefined) return
    if (before === state) this.#kept++
    else this.#lost++
  }

  result(): CheckResult {
    const crashes = this.#kept + this.#lost
    const check = 'crashes'
    if (crashes === 0) return { check, verdict: 'skipped', text: 'no node showed a changed state before a crash' }
    if (this.#lost > 0) return { check, verdict: 'passed', text: `${this.#lost} of ${crashes} crashes lost data` }
    const text = `none of ${crashes} crashes lost data: "crash" must discard everything that is not durable`
    return { check, verdict: 'warning', text }
  }
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

/** Compares the answers of two runs of the same executions. */
function same(
  check: string,
  firstRun: readonly (readonly string[])[],
  secondRun: readonly (readonly string[])[],
  text: string,
  hint: string,
): CheckResult {
  for (let execution = 0; execution < firstRun.length; execution++) {
    const [one, other] = [firstRun[execution]!, secondRun[execution]!]
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      if (one[at] === other[at]) continue
      const [sent = '', first = 'nothing'] = one[at]?.split('\n') ?? []
      const second = other[at]?.split('\n')[1] ?? 'nothing'
      const details = [
        `  sent: ${cut(sent)}`,
        `  first answer: ${differing(first, second)}`,
        `  second answer: ${differing(second, first)}`,
      ]
      return { check, verdict: 'failed', text: `violated: ${text} (${hint})`, details: details.join('\n') }
    }
  }
  return { check, verdict: 'passed', text }
}

const SHOWN_BEFORE = 60

/** A line, cut around the first difference from another. */
function differing(line: string, other: string): string {
  let at = 0
  while (at < line.length && line[at] === other[at]) at++
  const from = Math.max(0, at - SHOWN_BEFORE)
  return `${from > 0 ? '…' : ''}${cut(line.slice(from))}`
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

/** The exchanges of the current execution, one string each. */
class Transcript {
  lines: string[] = []

  add({ id, command, sent, received }: Exchanged): void {
    // A reset that ends an execution has a higher id.
    if (command === 'reset' && id === 1) this.lines = []
    if (this.lines.length < MAX_LINES) this.lines.push(`${sent}\n${received}`)
  }
}

const MAX_LINES = 5000
