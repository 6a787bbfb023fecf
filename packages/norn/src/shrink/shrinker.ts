/**
 * The state of a shrink: the simplest failing execution so far, and the budget left.
 *
 * Invariants: the best has the fingerprint of the first failure and only gets simpler by `compare`
 * (except for the length of its tape, see `unbind`); it holds what an execution drew, so it
 * replays; no candidate runs twice until `forget`, and no more than `limit` executions run.
 */
import type { Choice } from '../contract/choice.ts'
import { type Choices, essential, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InputPlan } from '../contract/plan.ts'
import { choicesText } from '../tape/codec.ts'
import { digest } from '../tape/digest.ts'
import { realigned } from './realign.ts'
import { compareDrawn, countNonSimplest } from './simplicity.ts'
import { type SpanNode, spanTree } from './span-tree.ts'

/** A failing execution with its choices. */
export type Failing = ExecutionResult & { readonly choices: NonNullable<ExecutionResult['choices']> }

export class Shrinker {
  best: Failing
  /** Executions at most. */
  limit: number
  executions = 0
  improvements = 0
  readonly #executor: Executor
  readonly #input: InputPlan
  readonly #fingerprint: string
  readonly #expired: () => boolean
  readonly #tried = new Set<string>()
  readonly #compare: (a: Failing, b: Failing) => number
  readonly #isMinimum: (best: Failing) => boolean
  /** Whether the best is as simple as a minimum that is known, so that there is no more to do. */
  isKnown = false
  #tree: { readonly of: Failing; readonly spans: readonly SpanNode[] } | undefined

  /**
   * @param limit executions at most
   * @param compare negative if the first execution is simpler
   * @param isMinimum whether a failure is as simple as a minimum that is known
   */
  constructor(
    executor: Executor,
    input: InputPlan,
    failing: Failing,
    expired: () => boolean,
    limit: number,
    compare: (a: Failing, b: Failing) => number,
    isMinimum: (best: Failing) => boolean = () => false,
  ) {
    this.#isMinimum = isMinimum
    this.#compare = compare
    this.limit = limit
    this.#executor = executor
    this.#input = input
    this.#expired = expired
    this.#fingerprint = fingerprint(failing.failure!)
    this.best = failing
  }

  get exhausted(): boolean {
    return this.isKnown || this.executions >= this.limit || this.#expired()
  }

  /** The choices of the best that a replay needs: those of the input, and those not simplest. */
  get choices(): Choices {
    return essential(this.best.choices)
  }

  /** The spans of the best's input. */
  get spans(): readonly SpanNode[] {
    if (this.#tree?.of !== this.best) this.#tree = { of: this.best, spans: spanTree(this.best.choices.spans ?? []) }
    return this.#tree.spans
  }

  /** The number of schedule and fault choices that are not the simplest. */
  get nonSimplest(): number {
    return countNonSimplest(this.best.choices.schedule) + countNonSimplest(this.best.choices.fault)
  }

  /** The schedule and fault choices that the best input draws under the default schedule. */
  async drawnByDefault(): Promise<Pick<Choices, 'schedule' | 'fault'>> {
    this.executions++
    const choices: Choices = { ...this.choices, length: UNBOUNDED, schedule: [], fault: [] }
    const plan = { input: this.#input, choices: { from: 'record', choices }, detailed: true } as const
    const { choices: drawn } = await this.#executor.execute(plan)
    return drawn ?? { schedule: [], fault: [] }
  }

  /** Runs a candidate, and keeps it if it fails with the same fingerprint and is simpler. */
  async accepts(candidate: Choices): Promise<boolean> {
    return (await this.#attempt(candidate, false)).accepted
  }

  /** The same; returns the execution if it fails with the same fingerprint, simpler or not. */
  async fails(candidate: Choices): Promise<Failing | undefined> {
    return (await this.#attempt(candidate, false)).failing
  }

  /**
   * The same for a candidate with another input: first with the delays and faults at their labels,
   * then with these realigned to the operations of the other input.
   *
   * @param changed other choices of the best with other values
   */
  async acceptsInput(input: readonly Choice[], changed: Partial<Choices> = {}): Promise<boolean> {
    const candidate = { ...this.choices, ...changed, input }
    const { schedule, fault } = this.best.choices
    const departs = candidate.schedule.length + candidate.fault.length > 0
    const { accepted, drawn } = await this.#attempt(candidate, departs)
    if (accepted || !departs || drawn === undefined) return accepted
    for (const lanes of realigned(candidate, { schedule, fault }, drawn)) {
      if ((await this.#attempt({ ...candidate, ...lanes }, false)).accepted) return true
    }
    return false
  }

  /** @param detailed whether the choices drawn are wanted of a candidate that passes */
  async #attempt(
    candidate: Choices,
    detailed: boolean,
  ): Promise<{ accepted: boolean; failing?: Failing; drawn?: Choices }> {
    if (this.exhausted) return { accepted: false }
    const key = digest(choicesText(candidate))
    if (this.#tried.has(key)) return { accepted: false }
    this.#tried.add(key)
    this.executions++
    const result = await this.#executor.execute({
      input: this.#input,
      choices: { from: 'record', choices: candidate },
      ...(detailed ? { detailed } : {}),
    })
    const drawn = result.choices === undefined ? {} : { drawn: result.choices }
    if (!this.#isSought(result)) return { accepted: false, ...drawn }
    if (this.#compare(result, this.best) >= 0) return { accepted: false, failing: result, ...drawn }
    this.best = result
    this.improvements++
    this.isKnown = this.#isMinimum(result)
    return { accepted: true, failing: result }
  }

  /** Takes another failure with the same fingerprint if it is simpler. */
  adopts(other: Failing): boolean {
    if (this.#compare(other, this.best) >= 0) return false
    this.best = other
    this.improvements++
    return true
  }

  /**
   * Removes the end of the best's tape if that changes nothing else. Choices after the end take
   * their simplest values whatever a candidate proposes, so no pass could move values there.
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

  /** Allows candidates that ran before to run again. */
  forget(): void {
    this.#tried.clear()
  }

  #isSought(result: ExecutionResult): result is Failing {
    return result.verdict === 'failed' && fingerprint(result.failure!) === this.#fingerprint
  }
}
