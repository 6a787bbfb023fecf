/**
 * The test kit for authors of harnesses: runs a program through what docs/stdio-protocol.md asks of
 * it, and says of each point whether it holds, and if not what was sent and what came.
 *
 * Executions are real ones, of a simulation with every fault there is, whose steps chance picks
 * from a fixed seed: so two checks of one program send the same. What the check cannot decide
 * (whether a crash loses what it should) it tells as a warning or not at all.
 */
import { chance } from '../../tape/chance.ts'
import type { ClusterOptions } from '../definition.ts'
import { Simulation } from '../simulation.ts'
import { suggestStep } from '../suggestion.ts'
import type { Data } from '../system.ts'
import { cut, ProgramFailure, SaidFailure } from './program-failure.ts'
import { type Exchanged, type HostOptions, ProgramHost } from './program-host.ts'
import { systemOf } from './program-system.ts'
import { parseError, ShapeError } from './protocol.ts'

export type Verdict = 'passed' | 'failed' | 'warning' | 'skipped'

/** What came of one point. */
export interface CheckResult {
  readonly check: string
  readonly verdict: Verdict
  /** One line. */
  readonly text: string
  /** What was sent and what came, where that says more. */
  readonly details?: string
}

export interface CheckOptions extends Omit<HostOptions, 'onExchange'> {
  /** What clients may ask for; nothing is asked if it is empty. */
  readonly requests: readonly Data[]
}

/** Executions in one process, and their scheduled steps. */
const EXECUTIONS = 20
const STEPS = 200
const REQUESTS = 20
const LARGE_CHARACTERS = 1_000_000
/** Real time that a program may take to end once its stdin has, in milliseconds. */
const END_MS = 2000
const SPEED_EXCHANGES = 2000

/**
 * Runs all checks, each of which may tell several things; ends early where the program cannot be
 * talked to any more.
 *
 * @throws ProgramFailure if it cannot be started
 */
export function* checkProtocol(options: CheckOptions): Generator<CheckResult> {
  const transcript = new Transcript()
  let check = 'handshake'
  const host = new ProgramHost({ ...options, onExchange: (exchanged) => transcript.note(exchanged) })
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
    const isFinding = error instanceof ProgramFailure || error instanceof SaidFailure || error instanceof ShapeError
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
      tickMs === undefined ? 'no clock' : `a tick every ${tickMs} ms`,
      drops ? 'hears of lost messages' : 'does not hear of lost messages',
      random ? 'draws random numbers' : 'draws no random numbers',
    ]
    yield { check: 'handshake', verdict: 'passed', text: traits.join('; ') }
  } catch (error) {
    if (!(error instanceof ProgramFailure) || error.reason !== 'ProgramHang') throw error
    const hint = 'An answer that stays in a buffer never comes: flush stdout after each line.'
    throw Object.assign(error, { message: `${error.message}\n  ${hint}` })
  }
}

function* unknownCommand(host: ProgramHost): Generator<CheckResult> {
  const { answer, line } = host.ask({ command: 'no such command' })
  const isError = parseError(answer) !== undefined
  const text = isError ? 'answered by an error' : 'a command that does not exist has to be answered by an "error"'
  const result = { check: 'unknown command', verdict: isError ? 'passed' : 'failed', text } as const
  yield isError ? result : { ...result, details: `  came: ${cut(line)}` }
}

/** Later versions may say more in a command; so may a line be long, and hold any character. */
function* unknownField(host: ProgramHost): Generator<CheckResult> {
  const comment = `ž 漢 😀 "\\ \u2028 ${'x'.repeat(LARGE_CHARACTERS)}`
  const { answer, line } = host.ask({ command: 'reset', seed: 0, comment } as { command: string })
  const error = parseError(answer)
  const text = 'a command of 1 MB with a field that nobody knows'
  if (error === undefined) yield { check: 'large command', verdict: 'passed', text: `${text} is taken` }
  else
    yield {
      check: 'large command',
      verdict: 'failed',
      text: `${text} has to be taken`,
      details: `  came: ${cut(line)}`,
    }
}

function* executions(host: ProgramHost, options: CheckOptions, transcript: Transcript): Generator<CheckResult> {
  const losses = new Losses()
  let said: SaidFailure | undefined
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
    const text = 'an assertion of the program failed; norn fuzz would report it as a failure'
    yield { check: 'assertions', verdict: 'warning', text, details: indented(said.message) }
  }
  if (options.requests.length === 0) {
    yield { check: 'requests', verdict: 'skipped', text: 'none made: give some that it understands by --request JSON' }
  } else if (answered === 0) {
    yield { check: 'requests', verdict: 'warning', text: `none of ${asked} requests got a reply` }
  } else yield { check: 'requests', verdict: 'passed', text: `${asked} requests, ${answered} replies` }

  // The first execution again has had all the others before it.
  const again = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  yield same('reset', first, again, 'after a reset, the same commands are answered the same', 'does `reset` reset all?')
  host.end()
  const elsewhere = Array.from({ length: EXECUTIONS }, (_, seed) => execute(seed))
  const why = 'is there a clock, a random number or the order of a hash table in it?'
  yield same('determinism', first, elsewhere, 'in another process, the same commands are answered the same', why)
  yield crashes
}

interface Outcome {
  readonly said: SaidFailure | undefined
  readonly requests: number
  readonly replies: number
}

/** One execution: as many steps as there are, by chance, with every fault. */
function runOnce(host: ProgramHost, requests: readonly Data[], seed: number, losses: Losses): Outcome {
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
  const count = (said: SaidFailure | undefined) => ({
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
    if (!(error instanceof SaidFailure)) throw error
    system.finish!()
    return count(error)
  }
}

/**
 * Whether crashes cost anything: a node that has all it had before after each of them keeps too
 * much.
 */
class Losses {
  readonly #before = new Map<string, string>()
  #kept = 0
  #lost = 0

  /**
   * @param state what it showed before, as JSON; one that shows nothing, or nothing new, tells
   * nothing
   */
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
    if (crashes === 0)
      return { check, verdict: 'skipped', text: 'no node that had done something showed its state before a crash' }
    if (this.#lost > 0) return { check, verdict: 'passed', text: `of ${crashes} crashes ${this.#lost} lost something` }
    const text = `no crash of ${crashes} lost anything: is all of a node's state durable? "crash" has to take the rest`
    return { check, verdict: 'warning', text }
  }
}

function* speed(host: ProgramHost): Generator<CheckResult> {
  host.reset(0)
  const began = performance.now()
  for (let exchange = 0; exchange < SPEED_EXCHANGES; exchange++) host.perform({ command: 'reset', seed: 0 })
  const perSecond = Math.round(SPEED_EXCHANGES / ((performance.now() - began) / 1000))
  yield { check: 'speed', verdict: 'passed', text: `${perSecond} commands/s (of reset)` }
}

function* end(host: ProgramHost): Generator<CheckResult> {
  const ending = host.end(END_MS)
  const check = 'end'
  if (ending === undefined || ending.killed) {
    yield { check, verdict: 'failed', text: `it does not end within ${END_MS / 1000} s of the end of its stdin` }
  } else if (ending.code === 0) yield { check, verdict: 'passed', text: 'it ends when its stdin does' }
  else yield { check, verdict: 'warning', text: `it ends when its stdin does, but not well: ${ending.how}` }
}

/** Compares what two series of the same executions sent and got. */
function same(
  check: string,
  first: readonly (readonly string[])[],
  second: readonly (readonly string[])[],
  text: string,
  hint: string,
): CheckResult {
  for (let execution = 0; execution < first.length; execution++) {
    const [one, other] = [first[execution]!, second[execution]!]
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      if (one[at] === other[at]) continue
      const [sent = '', before = 'nothing'] = one[at]?.split('\n') ?? []
      const now = other[at]?.split('\n')[1] ?? 'nothing'
      const details = [
        `  sent: ${cut(sent)}`,
        `  first: ${differing(before, now)}`,
        `  then: ${differing(now, before)}`,
      ]
      return { check, verdict: 'failed', text: `it does not hold that ${text}: ${hint}`, details: details.join('\n') }
    }
  }
  return { check, verdict: 'passed', text }
}

const SHOWN_BEFORE = 60

/** A line, cut so that it shows where it differs from another. */
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

/**
 * The lines of the execution under way: a command and its answer each. Bounded by what an execution
 * may send.
 */
class Transcript {
  lines: string[] = []

  note({ id, command, sent, came }: Exchanged): void {
    // The first command of an execution; a reset that ends one has a higher id.
    if (command === 'reset' && id === 1) this.lines = []
    if (this.lines.length < MAX_LINES) this.lines.push(`${sent}\n${came}`)
  }
}

const MAX_LINES = 5000
