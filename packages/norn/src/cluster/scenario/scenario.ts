/**
 * Scenarios: one execution of a cluster, told by what goes wrong in it. The network is calm
 * (nothing is lost, everything comes in the order of time), so that the routine happens by itself;
 * a test states only what is nefarious, as predicates over messages and over the cluster:
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
 * zero. It is a plain synchronous function for any test runner, and for the body of a property.
 *
 * Invariants: between two calls nothing happens; a scenario is a function of its options, its seed
 * and its calls, as long as nodes take chance and time from their context (`random()`, `nowMs`) and
 * from nowhere else; every wait is bounded, in virtual time and in events; a rule that picked
 * nothing is an error in the end, since the test then tests less than it says.
 */
import type { SearchLimits } from '../../property/search-options.ts'
import { chance } from '../../tape/chance.ts'
import { checkOptions } from '../check-options.ts'
import type { ClusterOptions, ClusterView, NodeView, RequestView, Seen } from '../definition.ts'
import type { LogEntry } from '../log.ts'
import { withoutRealTimers } from '../no-real-timers.ts'
import { untilItHolds } from '../run.ts'
import { Simulation } from '../simulation.ts'
import type { Data, NodeId } from '../system.ts'
import { type MessagePredicate, predicateText, Rule, Rules } from './rule.ts'
import { situationText } from './situation.ts'

/**
 * The options of a scenario.
 *
 * @public
 */
export interface ScenarioOptions extends Omit<ClusterOptions, 'requests' | 'route' | keyof SearchLimits> {
  /** What the chance of nodes (`random()`) begins with; 0 unless set. */
  readonly seed?: number
}

/**
 * A condition on a cluster, for the waits of a scenario.
 *
 * @public
 */
export type ClusterPredicate = (cluster: ClusterView) => boolean

/** A scenario that did not go as it says, or that makes no sense. */
class ScenarioError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ScenarioError'
  }
}

/** Virtual time that `until` waits unless told otherwise, in milliseconds. */
const DEFAULT_WITHIN_MS = 10_000
/** Events of one wait, at most: messages without end take no virtual time to be many. */
const MAX_EVENTS = 100_000
const SCENARIO_SALT = 0x7363656e

/**
 * Starts a cluster, in which nothing goes wrong but what is asked for.
 *
 * @public
 * @param options as for `cluster`; requests come from `request` alone, quotas of faults do not
 *   apply
 * @throws TypeError that says which option is wrong
 */
export function scenario(options: ScenarioOptions): Scenario
/** The same; calls the body, then `end`. */
export function scenario(options: ScenarioOptions, body: (scenario: Scenario) => void): Scenario
export function scenario(options: ScenarioOptions, body?: (scenario: Scenario) => void): Scenario {
  const begun = new Scenario(options)
  if (body === undefined) return begun
  try {
    const given: unknown = body(begun)
    if (typeof (given as PromiseLike<unknown> | undefined)?.then === 'function')
      throw new TypeError('the body of a scenario gave a promise: a scenario never waits in real time')
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
export class Scenario {
  readonly #simulation: Simulation
  readonly #requests: Data[] = []
  readonly #rules: Rules
  #finished = false

  constructor({ seed = 0, ...options }: ScenarioOptions) {
    const { requests: _, route: __, ...cluster }: ClusterOptions = options
    checkOptions('scenario', cluster)
    const random = chance(SCENARIO_SALT, seed)
    this.#simulation = new Simulation({ cluster, requests: this.#requests, random: () => random.unit() })
    this.#simulation.unlimited = true
    this.#rules = new Rules(this.#simulation)
    withoutRealTimers(() => this.#simulation.start())
  }

  /** The cluster as it is now: always the same object, which stays up to date. */
  get view(): ClusterView {
    return this.#simulation.view
  }

  get log(): readonly LogEntry[] {
    return this.#simulation.log
  }

  get nowMs(): number {
    return this.view.nowMs
  }

  node(id: NodeId): NodeView {
    return this.view.node(id)
  }

  /** What a node lets be seen of itself; undefined while it is down. */
  state(id: NodeId): Seen {
    return this.node(id).state
  }

  /**
   * Loses the messages that a predicate picks: those under way now, and those sent until the rule
   * is released.
   */
  drop(predicate: MessagePredicate): Rule {
    return this.#rule('drop', predicate)
  }

  /**
   * Keeps the messages that a predicate picks from arriving, those under way too, until the rule is
   * released. Channels stay in order: what is behind a message that is held waits with it, unless
   * the network is one of order `any`.
   */
  hold(predicate: MessagePredicate): Rule {
    return this.#rule('hold', predicate)
  }

  /** Ends a rule, or all of them; what it held goes on its way. */
  release(rule?: Rule): void {
    if (rule !== undefined && !this.#rules.has(rule))
      throw new ScenarioError('release(rule): the rule is none of this scenario; `drop` and `hold` give them')
    this.#rules.end(rule === undefined ? this.#rules.inForce : [rule])
  }

  /** Lets virtual time go by, and all that is due in it happen. */
  run(forMs: number): void {
    this.#pass('run', forMs, () => false)
  }

  /**
   * Lets things happen until a predicate holds; it may hold already.
   *
   * @throws ScenarioError if it does not within so much virtual time (10,000 ms unless set), with
   *   what was going on
   */
  until(predicate: ClusterPredicate, { withinMs = DEFAULT_WITHIN_MS }: { readonly withinMs?: number } = {}): void {
    const what = `until(${predicateText(predicate)})`
    const endUs = this.#simulation.nowUs + milliseconds('until', withinMs)
    for (let events = 0; !predicate(this.view); events++) {
      const dueUs = this.#simulation.nextDueUs
      if (dueUs === undefined) this.#fail(`${what}: never, as nothing is left to happen`)
      if (dueUs > endUs) this.#fail(`${what}: not within ${withinMs} ms`)
      if (events >= MAX_EVENTS) this.#fail(`${what}: not within ${MAX_EVENTS} events`)
      this.#natural()
    }
  }

  /**
   * Lets virtual time go by in which a predicate must not hold, at any moment.
   *
   * @throws ScenarioError as soon as it does
   */
  never(predicate: ClusterPredicate, forMs: number): void {
    if (this.#pass('never', forMs, predicate)) this.#fail(`never(${predicateText(predicate)}): it came true`)
  }

  /** A node goes down: it loses its timers, and all that it did not make durable. */
  crash(id: NodeId): void {
    if (!this.#simulation.crash(this.#simulation.indexOf(id))) this.#fail(`crash('${id}'): it is down already`)
  }

  restart(id: NodeId): void {
    const isDown = this.#do((simulation) => simulation.restart(simulation.indexOf(id)))
    if (!isDown) this.#fail(`restart('${id}'): it is up`)
  }

  /**
   * A timer of a node runs out now, ahead of its time: its clock is fast. @param timer the one due
   * first unless named
   */
  timeout(id: NodeId, timer?: string): void {
    const isSet = this.#do((simulation) => simulation.timeout(simulation.indexOf(id), timer, true))
    if (!isSet) this.#fail(`timeout('${id}'${timer === undefined ? '' : `, '${timer}'`}): it has set no such timer`)
  }

  /**
   * Parts the network in two: the nodes given, and all others. What was under way between the two
   * waits, what is sent is lost. Parting a network that is parted heals it first.
   */
  partition(side: readonly NodeId[]): void {
    const simulation = this.#simulation
    const away = new Set(side.map((id) => simulation.indexOf(id)))
    if (away.size === 0 || away.size === simulation.nodes.length)
      this.#fail('partition(nodes): some nodes must be on either side')
    simulation.heal()
    simulation.part(simulation.nodes.map((_, node) => Number(away.has(node))))
  }

  heal(): void {
    if (!this.#simulation.heal()) this.#fail('heal(): the network is whole')
  }

  /**
   * A client asks a node for something.
   *
   * @param request plain data
   * @returns the request, with the replies as they come
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
   * Ends all that interferes (rules, partitions, crashes unless they are permanent) and waits until
   * the cluster's `eventually` holds.
   *
   * @throws LivenessError if it does not in time
   */
  calm(): void {
    this.release()
    const { eventually } = this.#simulation.cluster
    this.#do((simulation) => (eventually === undefined ? simulation.calm() : untilItHolds(simulation, eventually)))
  }

  /**
   * Ends the scenario: the cluster's `check` must hold, and every rule must have picked something.
   *
   * @throws ScenarioError that names the rules which did not
   */
  end(): void {
    try {
      this.#simulation.cluster.check?.(this.view)
      const { unused } = this.#rules
      if (unused.length === 0) return
      const list = unused.map(({ text }) => `\n  ${text}`).join('')
      this.#fail(`of the messages of this scenario none was picked by${list}\nso it tests less than it says`)
    } finally {
      this.finish()
    }
  }

  /** Lets go of the system, without a check. */
  finish(): void {
    if (!this.#finished) this.#simulation.system.finish?.()
    this.#finished = true
  }

  #rule(kind: 'drop' | 'hold', predicate: MessagePredicate): Rule {
    if (typeof predicate !== 'function')
      throw new TypeError(`${kind}(predicate): a function of a message is asked for, \`({ from, to, message }) => …\``)
    const rule = new Rule(kind, predicate)
    this.#rules.add(rule)
    return rule
  }

  /** What is due first happens. */
  #natural(): void {
    this.#do((simulation) => simulation.natural())
  }

  /** Lets something happen; then rules see what was sent. */
  #do<Result>(action: (simulation: Simulation) => Result): Result {
    const result = withoutRealTimers(() => action(this.#simulation))
    this.#rules.apply()
    return result
  }

  /** Lets time go by, or things happen until a predicate holds; whether it did. */
  #pass(what: string, forMs: number, stops: ClusterPredicate): boolean {
    const endUs = this.#simulation.nowUs + milliseconds(what, forMs)
    for (let events = 0; !stops(this.view); events++) {
      const dueUs = this.#simulation.nextDueUs
      if (dueUs === undefined || dueUs > endUs) {
        this.#simulation.pass(endUs)
        return stops(this.view)
      }
      if (events >= MAX_EVENTS) this.#fail(`${what}(…, ${forMs}): more than ${MAX_EVENTS} events in that time`)
      this.#natural()
    }
    return true
  }

  #fail(what: string): never {
    const situation = situationText(this.view, this.#rules.inForce)
    throw new ScenarioError([`${what} (at ${this.nowMs} ms)`, ...situation].join('\n'))
  }
}

/** @returns microseconds */
function milliseconds(what: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 0 && Number.isFinite(ms)) return Math.round(ms * 1000)
  throw new TypeError(`${what}: ${String(ms)} is no number of milliseconds`)
}
