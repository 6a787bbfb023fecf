/**
 * Scenarios: one execution of a cluster, in which nothing goes wrong but what the test asks for.
 * Everything else follows the default schedule. A test states the faults, as predicates over
 * messages and over the cluster:
 *
 *     const s = scenario({ system: election, seed: 1 })
 *     const votes = s.drop(({ from, message }) => from === 'b' && message.type === 'vote')
 *     s.until(({ nodes }) => nodes.some(({ state }) => state.role === 'candidate'))
 *     s.release(votes)
 *     s.crash('a')
 *     s.until((cluster) => cluster.node('c').state.role === 'leader')
 *     s.end()
 *
 * After the tests of TigerBeetle's replica, which drive its simulator with all probabilities at
 * zero. A plain synchronous function, for any test runner and for the body of a property.
 *
 * Invariants: nothing happens between two calls. A scenario is a function of its options, its seed
 * and its calls, if nodes take randomness and time only from their context. Every wait is bounded,
 * in virtual time and in events. A rule that never matched is an error at the end, because such a
 * test tests less than it says.
 */
import type { SearchLimits } from '../../options/table.ts'
import { chance } from '../../tape/chance.ts'
import { checkOptions } from '../check-options.ts'
import type { ClusterOptions, ClusterView, NodeView, RequestView } from '../definition.ts'
import { crash, restart } from '../faults/crash.ts'
import { stepOf } from '../faults/fault.ts'
import { heal, partition } from '../faults/partition.ts'
import type { LogEntry } from '../log.ts'
import { withoutRealTimers } from '../no-real-timers.ts'
import { awaitLiveness } from '../run.ts'
import { Simulation } from '../simulation.ts'
import type { Data, NodeId } from '../system.ts'
import { type MessagePredicate, predicateText, Rule, Rules } from './rule.ts'
import { situationText } from './situation.ts'

/**
 * The options of a scenario.
 *
 * @public
 */
export interface ScenarioOptions<State = unknown>
  extends Omit<ClusterOptions<unknown, State>, 'requests' | 'route' | keyof SearchLimits> {
  /** The seed of the nodes' `random()`. Default: 0. */
  readonly seed?: number
}

/**
 * A condition on a cluster, for the waits of a scenario.
 *
 * @public
 */
export type ClusterPredicate<State = unknown> = (cluster: ClusterView<State>) => boolean

/** A scenario that did not go as its calls say, or a call that is not possible. */
class ScenarioError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ScenarioError'
  }
}

const DEFAULT_WITHIN_MS = 10_000
/** A bound on each wait beside that on virtual time, which stands still without latency. */
const MAX_EVENTS = 100_000
const SCENARIO_SALT = 0x7363656e

/**
 * Starts a cluster in which nothing goes wrong but what the scenario asks for.
 *
 * @public
 * @param options as for `cluster`; quotas of faults do not apply
 * @throws TypeError that names the wrong option
 */
export function scenario<State>(options: ScenarioOptions<State>): Scenario<State>
/** Calls the body, then `end`. */
export function scenario<State>(
  options: ScenarioOptions<State>,
  body: (scenario: Scenario<State>) => void,
): Scenario<State>
export function scenario<State>(
  options: ScenarioOptions<State>,
  body?: (scenario: Scenario<State>) => void,
): Scenario<State> {
  const begun = new Scenario(options)
  if (body === undefined) return begun
  try {
    const given: unknown = body(begun)
    if (typeof (given as PromiseLike<unknown> | undefined)?.then === 'function')
      throw new TypeError('the body of a scenario returned a promise: it must be synchronous')
  } catch (error) {
    begun.finish()
    throw error
  }
  begun.end()
  return begun
}

/**
 * One execution of a cluster, driven by a test. Made by `scenario`.
 *
 * @public
 */
export class Scenario<State = unknown> {
  readonly #simulation: Simulation
  readonly #requests: Data[] = []
  readonly #rules: Rules
  #finished = false

  constructor({ seed = 0, ...options }: ScenarioOptions<State>) {
    const { requests, route, ...cluster } = options as ClusterOptions
    checkOptions('scenario', cluster)
    const random = chance(SCENARIO_SALT, seed)
    this.#simulation = new Simulation({ cluster, requests: this.#requests, random: () => random.unit() })
    this.#simulation.ignoresQuotas = true
    this.#rules = new Rules(this.#simulation)
    withoutRealTimers(() => this.#simulation.start())
  }

  /** The cluster: always the same object, which stays up to date. */
  get view(): ClusterView<State> {
    return this.#simulation.view as ClusterView<State>
  }

  get log(): readonly LogEntry[] {
    return this.#simulation.log
  }

  get nowMs(): number {
    return this.view.nowMs
  }

  node(id: NodeId): NodeView<State> {
    return this.view.node(id)
  }

  /** The visible state of a node; undefined while it is down. */
  state(id: NodeId): State {
    return this.node(id).state
  }

  /** Drops matching messages: those in flight, and those sent until the rule is released. */
  drop<Message = unknown>(predicate: MessagePredicate<Message>): Rule {
    return this.#rule('drop', predicate as MessagePredicate)
  }

  /**
   * Holds matching messages, including those in flight, until the rule is released. A `fifo` channel
   * stays in order: messages behind a held one wait too.
   */
  hold<Message = unknown>(predicate: MessagePredicate<Message>): Rule {
    return this.#rule('hold', predicate as MessagePredicate)
  }

  /** Ends a rule, or all rules, and releases the messages held. */
  release(rule?: Rule): void {
    if (rule !== undefined && !this.#rules.has(rule))
      throw new ScenarioError('release(rule): not a rule of this scenario (`drop` and `hold` return rules)')
    this.#rules.end(rule === undefined ? this.#rules.active : [rule])
  }

  /** Runs everything that is due in a span of virtual time. */
  run(forMs: number): void {
    this.#pass('run', forMs, () => false)
  }

  /**
   * Runs until a predicate holds.
   *
   * @param withinMs virtual time, in milliseconds; default 10,000
   * @throws ScenarioError with the situation, if the predicate does not hold in time
   */
  until(
    predicate: ClusterPredicate<State>,
    { withinMs = DEFAULT_WITHIN_MS }: { readonly withinMs?: number } = {},
  ): void {
    const what = `until(${predicateText(predicate)})`
    const endUs = this.#simulation.nowUs + milliseconds('until', withinMs)
    for (let events = 0; !predicate(this.view); events++) {
      const dueUs = this.#simulation.nextDueUs
      if (dueUs === undefined) this.#fail(`${what}: still false, and no event is left`)
      if (dueUs > endUs) this.#fail(`${what}: not within ${withinMs} ms`)
      if (events >= MAX_EVENTS) this.#fail(`${what}: not within ${MAX_EVENTS} events`)
      this.#natural()
    }
  }

  /**
   * Runs for a span of virtual time in which a predicate must never hold.
   *
   * @throws ScenarioError as soon as it holds
   */
  never(predicate: ClusterPredicate<State>, forMs: number): void {
    if (this.#pass('never', forMs, predicate)) this.#fail(`never(${predicateText(predicate)}): it came true`)
  }

  /** Crashes a node: it loses its timers and everything it did not persist. */
  crash(id: NodeId): void {
    if (!this.#simulation.inject(stepOf(crash, { node: this.#simulation.indexOf(id) })))
      this.#fail(`crash('${id}'): it is down already`)
  }

  restart(id: NodeId): void {
    const isDown = this.#do((simulation) => simulation.inject(stepOf(restart, { node: simulation.indexOf(id) })))
    if (!isDown) this.#fail(`restart('${id}'): it is up`)
  }

  /** Fires a timer of a node now, ahead of time. @param timer default: the one due first */
  timeout(id: NodeId, timer?: string): void {
    const isSet = this.#do((simulation) => simulation.timeout(simulation.indexOf(id), timer, true))
    if (!isSet) this.#fail(`timeout('${id}'${timer === undefined ? '' : `, '${timer}'`}): it has set no such timer`)
  }

  /**
   * Separates some nodes from all others, after healing the network. Messages in flight across the
   * partition wait; messages sent across it are lost.
   */
  partition(side: readonly NodeId[]): void {
    const simulation = this.#simulation
    const away = new Set(side.map((id) => simulation.indexOf(id)))
    if (away.size === 0 || away.size === simulation.nodes.length)
      this.#fail('partition(nodes): some nodes must be on either side')
    simulation.inject(stepOf(heal))
    simulation.inject(stepOf(partition, { side: simulation.nodes.map((_, node) => Number(away.has(node))) }))
  }

  heal(): void {
    if (!this.#simulation.inject(stepOf(heal))) this.#fail('heal(): the network is whole')
  }

  /**
   * Sends a client's request to a node.
   *
   * @param request plain data
   * @returns the request, whose replies grow as they arrive
   */
  request(id: NodeId, request: Data): RequestView {
    this.#requests.push(request)
    if (!this.#do((simulation) => simulation.request(simulation.indexOf(id)))) {
      this.#requests.pop()
      this.#fail(`request('${id}', …): the node is down`)
    }
    return this.view.requests.at(-1)!
  }

  /**
   * Starts the fault-free phase (no rules, no partitions, no crashed nodes unless crashes are
   * permanent) and waits until the cluster's `eventually` holds.
   *
   * @throws LivenessError if it does not in time
   */
  calm(): void {
    this.release()
    const { eventually } = this.#simulation.cluster
    this.#do((simulation) =>
      eventually === undefined ? simulation.startFaultFreePhase() : awaitLiveness(simulation, eventually),
    )
  }

  /**
   * Ends the scenario: the cluster's `check` must hold, and every rule must have matched.
   *
   * @throws ScenarioError that lists the rules without a match
   */
  end(): void {
    try {
      this.#simulation.cluster.check?.(this.view)
      const { unused } = this.#rules
      if (unused.length === 0) return
      const list = unused.map(({ text }) => `\n  ${text}`).join('')
      this.#fail(`no message of the scenario matched${list}\na rule that never matches tests nothing`)
    } finally {
      this.finish()
    }
  }

  /** Ends the system, without a check. */
  finish(): void {
    if (!this.#finished) this.#simulation.system.finish?.()
    this.#finished = true
  }

  #rule(kind: 'drop' | 'hold', predicate: MessagePredicate): Rule {
    if (typeof predicate !== 'function')
      throw new TypeError(`${kind}(predicate): predicate must be a function: \`({ from, to, message }) => …\``)
    const rule = new Rule(kind, predicate)
    this.#rules.add(rule)
    return rule
  }

  #natural(): void {
    this.#do((simulation) => simulation.natural())
  }

  /** Performs an action, then shows new messages to the rules. */
  #do<Result>(action: (simulation: Simulation) => Result): Result {
    const result = withoutRealTimers(() => action(this.#simulation))
    this.#rules.apply()
    return result
  }

  /** Runs for a span of virtual time or until a predicate holds; whether it does. */
  #pass(what: string, forMs: number, stops: ClusterPredicate<State>): boolean {
    const endUs = this.#simulation.nowUs + milliseconds(what, forMs)
    for (let events = 0; !stops(this.view); events++) {
      const dueUs = this.#simulation.nextDueUs
      if (dueUs === undefined || dueUs > endUs) {
        this.#simulation.advanceTo(endUs)
        return stops(this.view)
      }
      if (events >= MAX_EVENTS) this.#fail(`${what}(…, ${forMs}): more than ${MAX_EVENTS} events in that time`)
      this.#natural()
    }
    return true
  }

  #fail(what: string): never {
    const situation = situationText(this.view, this.#rules.active)
    throw new ScenarioError([`${what} (at ${this.nowMs} ms)`, ...situation].join('\n'))
  }
}

/** @returns microseconds */
function milliseconds(what: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 0 && Number.isFinite(ms)) return Math.round(ms * 1000)
  throw new TypeError(`${what}: ${String(ms)} is not a number of milliseconds`)
}
