/**
 * The verdict on an execution: how it ended, and why. Invariant: the first ending counts; later
 * events change nothing. Pure: knows no Node and takes no time.
 */
import { describeReason, type InconclusiveReason } from '../contract/inconclusive.ts'
import { isStackOverflow } from '../contract/stack-overflow.ts'
import type { Bounds } from './execution.ts'
import type { DriveEnd } from './loop/loop.ts'
import { type Ending, type Failure, isTermination, Termination } from './realm/ending.ts'
import { RealError } from './realm/language.ts'
import { callSites } from './realm/stack.ts'
import type { Settlement } from './settlement.ts'

export const OUT_OF_TIME = 'the virtual time ran out'

/**
 * The outcome of the body, or of loading the modules: its settlement, or the reason why the loop
 * ended before.
 */
export type Outcome = Settlement | { readonly how: Exclude<DriveEnd, 'reached'> }

export class Verdict {
  #ending: Ending | undefined
  /** The stack of a call that leads to a refusal only later. */
  #approach: Error | undefined

  /** The stack overflowed inside norn's functions, at a depth that varies between processes. */
  #overflowed = false

  reset(): void {
    this.#ending = undefined
    this.#overflowed = false
    this.#approach = undefined
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  /** Whether the ending is known. */
  get known(): boolean {
    return this.#ending !== undefined
  }

  /** Whether the program has ended its process, so that nothing it does is seen. */
  get hasExited(): boolean {
    const ending = this.#ending
    return ending?.kind === 'failed' && (ending.failure.kind === 'exit' || ending.failure.kind === 'abort')
  }

  /** Whether no further step may begin. */
  get stops(): boolean {
    return this.known || this.#overflowed
  }

  pass(): void {
    if (this.#overflowed) this.#end({ kind: 'inconclusive', reason: { kind: 'caught stack overflow' }, stack: '' })
    this.#end({ kind: 'passed' })
  }

  /** Returns an error that norn's function threw, and records whether it is a stack overflow. */
  noteOverflow<Thrown>(error: Thrown): Thrown {
    if (isStackOverflow(error) && !isTermination(error)) this.#overflowed = true
    return error
  }

  fail(failure: Failure): void {
    if (isTermination(failure.error) && this.known) return
    this.#end({ kind: 'failed', failure })
  }

  /** Fails at a bound reached between two steps. */
  noProgress(why: string): void {
    this.fail({ kind: 'no progress', error: new RealError(why) })
  }

  /** Fails at a bound reached within a step, and throws to end the step. */
  stop(why: string): never {
    this.noProgress(why)
    throw new Termination(why)
  }

  /** Fails as if the body had thrown the error, and throws to end the step. */
  end(error: Error): never {
    this.fail({ kind: 'error', error })
    throw new Termination(error.message)
  }

  /**
   * Remembers a call that leads to a refusal only later: its stack is shown where the refusal's own
   * has no line of the program.
   */
  approach(way: Error): void {
    this.#approach = way
  }

  /** Makes the execution inconclusive. Throws. */
  refuse(reason: InconclusiveReason): never {
    const error = new Termination(describeReason(reason))
    const stack = error.stack ?? ''
    const way = callSites(stack).length > 0 ? stack : (this.#approach?.stack ?? stack)
    this.#end({ kind: 'inconclusive', reason, stack: way.replace(/^[^\n]*/, String(error)) })
    throw error
  }

  /**
   * Makes a failed execution inconclusive: it failed because of what the world lacks.
   *
   * @param way where the program asked for it
   */
  lacks(reason: InconclusiveReason, way: Error, error: unknown): void {
    const own = error instanceof Error && typeof error.stack === 'string' ? error.stack : ''
    const stack = callSites(way.stack ?? '').length > 0 ? way.stack! : own
    this.#ending = { kind: 'inconclusive', reason, stack: stack.replace(/^[^\n]*/, () => describeReason(reason)) }
  }

  /** Makes the execution inconclusive, whatever its ending: an operation passed every gate. */
  lostControl(): void {
    if (this.#ending?.kind === 'inconclusive') return
    this.#ending = { kind: 'inconclusive', reason: { kind: 'unnamed operation' }, stack: '' }
  }

  judgeLoading(outcome: Outcome): void {
    if (outcome.how === 'fulfilled') return
    const error =
      outcome.how === 'rejected'
        ? outcome.error
        : new RealError('the modules did not finish loading: a top-level await never settled')
    this.fail({ kind: 'loading', error })
  }

  /** @param open the names of the open addresses */
  judgeBody(outcome: Outcome, bounds: Bounds, open = ''): void {
    if (outcome.how === 'rejected') this.fail({ kind: 'error', error: outcome.error })
    if (outcome.how === 'idle') {
      const error = new RealError('the body never settled, and nothing is left that could happen')
      this.fail({ kind: 'deadlock', error })
    }
    if (outcome.how === 'silent') this.#end({ kind: 'inconclusive', reason: { kind: 'silent peer', open }, stack: '' })
    if (outcome.how === 'steps')
      this.noProgress(`the body did not settle within ${bounds.maxSteps} steps (option maxSteps)`)
    if (outcome.how === 'time') this.noProgress(OUT_OF_TIME)
  }

  #end(ending: Ending): void {
    this.#ending ??= ending
  }
}
