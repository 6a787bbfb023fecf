/**
 * The state of one shrinking: the simplest failing execution so far, and what may still be spent.
 *
 * Invariants: the best fails in the way that was asked for, and only ever gets simpler (by
 * `compare`, but for the end of the tape, see `unbind`); it is what an execution really drew, never
 * what was proposed, so it replays; nothing is tried twice unless it is asked for, and no more than
 * the limit.
 */
import type { Choice } from '../contract/choice.ts'
import { type Choices, essential, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InputPlan } from '../contract/plan.ts'
import { compareDrawn, type Weighed } from './simplicity.ts'
import { type SpanNode, spanTree } from './span-tree.ts'

/** A failing execution with its choices. */
export type Shrunk = ExecutionResult & { readonly choices: NonNullable<ExecutionResult['choices']> }

/** The state of one shrinking: the best so far, and what it may still cost. */
export class Search {
  best: Shrunk
  executions = 0
  improvements = 0
  readonly #executor: Executor
  readonly #input: InputPlan
  readonly #fingerprint: string
  readonly #expired: () => boolean
  readonly #tried = new Set<string>()
  readonly #limit: number
  readonly #compare: (a: Weighed, b: Weighed) => number
  #tree: { readonly of: Shrunk; readonly spans: readonly SpanNode[] } | undefined

  /**
   * @param limit executions that it may cost
   * @param compare negative if the first execution is simpler
   */
  constructor(
    executor: Executor,
    input: InputPlan,
    failing: Shrunk,
    expired: () => boolean,
    limit: number,
    compare: (a: Weighed, b: Weighed) => number,
  ) {
    this.#compare = compare
    this.#limit = limit
    this.#executor = executor
    this.#input = input
    this.#expired = expired
    this.#fingerprint = fingerprint(failing.failure!)
    this.best = failing
  }

  get exhausted(): boolean {
    return this.executions >= this.#limit || this.#expired()
  }

  /** What of the best departs from natural. */
  get choices(): Choices {
    return essential(this.best.choices)
  }

  /** The spans of the best's input. */
  get spans(): readonly SpanNode[] {
    if (this.#tree?.of !== this.best) this.#tree = { of: this.best, spans: spanTree(this.best.choices.spans ?? []) }
    return this.#tree.spans
  }

  /** How many choices of the schedule and of faults are not natural. */
  get late(): number {
    return this.choices.schedule.length + this.choices.fault.length
  }

  /**
   * What the natural execution of the best input draws: its schedule points, and its calls that
   * could meet a fault.
   */
  async naturalPoints(): Promise<Pick<Choices, 'schedule' | 'fault'>> {
    this.executions++
    const choices: Choices = { ...this.choices, length: UNBOUNDED, schedule: [], fault: [] }
    const plan = { input: this.#input, choices: { from: 'record', choices }, detailed: true } as const
    const { choices: drawn } = await this.#executor.execute(plan)
    return drawn ?? { schedule: [], fault: [] }
  }

  /** Runs a candidate; keeps it if it fails in the same way and is simpler. */
  async accepts(candidate: Choices): Promise<boolean> {
    if (this.exhausted) return false
    const key = digestOf(candidate)
    if (this.#tried.has(key)) return false
    this.#tried.add(key)
    this.executions++
    const result = await this.#executor.execute({
      input: this.#input,
      choices: { from: 'record', choices: candidate },
    })
    if (!this.#isSought(result) || this.#compare(result, this.best) >= 0) return false
    this.best = result
    this.improvements++
    return true
  }

  /** The same for a candidate that differs from the best in its input alone. */
  async acceptsInput(input: readonly Choice[]): Promise<boolean> {
    return this.accepts({ ...this.choices, input })
  }

  /**
   * Lets the tape of the best go on without end, if that changes nothing else: what lies past its
   * end is natural whatever a candidate proposes, so values could not be moved there.
   */
  async unbind(): Promise<void> {
    const { choices, best } = this
    const drawn = best.choices.input.length + best.choices.schedule.length + best.choices.fault.length
    if (choices.length >= drawn || this.exhausted) return
    this.executions++
    const unbound = { ...choices, length: UNBOUNDED }
    const result = await this.#executor.execute({ input: this.#input, choices: { from: 'record', choices: unbound } })
    if (!this.#isSought(result) || compareDrawn(result.choices, best.choices) !== 0) return
    this.best = result
  }

  /** Lets candidates be tried again that were before. */
  forget(): void {
    this.#tried.clear()
  }

  /** Whether it is the failure that is being shrunk. */
  #isSought(result: ExecutionResult): result is Shrunk {
    return result.verdict === 'failed' && fingerprint(result.failure!) === this.#fingerprint
  }
}

/** 64 bits that stand for a candidate: its text would be long, and thousands are remembered. */
function digestOf(candidate: Choices): string {
  const text = JSON.stringify(candidate, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  let [a, b] = [0x811c9dc5, 0x9e3779b9]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 15
  }
  return `${a}:${b}`
}
