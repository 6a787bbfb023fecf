/**
 * The residual risk of a campaign that found nothing: what it has shown, and what more of it would
 * show.
 *
 * Only the unguided share counts, whose choices a strategy drew at random: frequencies under
 * guidance do not predict anything. The unit is the sample: an input with all its schedules, which
 * are not independent of each other, or an execution if there is only one input. So a species in
 * all five schedules of one input was seen once.
 *
 * There is no estimate of the share of behaviour covered: in simulations, estimates of the total
 * were a third of the truth and less, as any must be where rare species abound.
 *
 * Claims are withheld, with the reason, where they have no basis: an execution was flaky or
 * inconclusive, allowed faults never fired, nothing varied, too little ran. Invariant: a readout
 * with such a reason has no claim.
 */

import type { DepthTally, FaultCount, StopTally } from '../contract/campaign-summary.ts'
import { type ExecutionResult, faultName } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import { inputSeed } from '../tape/name.ts'
import { addExecution, type ExcludedDepth, excludedDepth, joinDepths, NO_DEPTH } from './depth-excluded.ts'
import { expectedIn, expectedNext, failureBound } from './extrapolation.ts'
import { addSpecies, countsOf, NO_SPECIES, SpeciesCensus } from './species.ts'

export interface Circumstances {
  readonly executions: number
  /** Executions whose input the property rejected. Default: 0. */
  readonly discarded?: number
  readonly distinctFailures: number
  readonly voided: number
  readonly flaky: number
  readonly faultsAllowed: boolean
  /** Labels of required notes not reached. */
  readonly missed: readonly string[]
}

/** Counts and claims; a claim is null if it is withheld or has no basis. */
export interface StopReadout {
  readonly unguided: number
  readonly guided: number
  /** Unguided executions in samples, and those of them that show what estimates of new species are about. */
  readonly sampled: number
  readonly observed: number
  /** Independent samples: inputs, or executions if there is only one input. */
  readonly samples: number
  readonly species: number
  readonly lastDiscovery: number
  /** Expected new species in the next execution, in 1,000 more, and in as many as were observed. */
  readonly expectedNext: number | null
  readonly expectedPerThousand: number | null
  readonly expectedByDoubling: number | null
  /** The upper bound (95 %) where `expectedNext` is 0. */
  readonly expectedAtMost: number | null
  /** The upper bound (95 %) on the failure rate of samples. */
  readonly failureAtMost: number | null
  readonly depthExcluded: ExcludedDepth | null
  readonly schedulesPerInput: {
    readonly inputs: number
    readonly median: number
    readonly min: number
    readonly max: number
  }
  readonly stability: { readonly repeated: number; readonly same: number }
  readonly faults: readonly FaultCount[]
  /** Why claims are withheld; empty if they are not. */
  readonly withheld: readonly Withheld[]
}

export type WhyWithheld =
  | 'nothing ran'
  | 'all discarded'
  | 'void'
  | 'flaky'
  | 'failure'
  | 'no fault'
  | 'missed'
  | 'nothing unguided'
  | 'nothing varies'
  | 'too little'

interface Withheld {
  readonly why: WhyWithheld
  readonly text: string
}

/** Samples needed for a claim; 3/n is not a bound for fewer. */
const LEAST_SAMPLES = 20

/** Kinds of faults counted. */
const MAX_FAULT_KINDS = 200

/** Numbers of schedules counted apart. */
const MAX_SCHEDULES = 1000

export const NO_STOP_TALLY: StopTally = {
  species: NO_SPECIES,
  unguided: 0,
  sampled: 0,
  observed: 0,
  samples: 0,
  guided: 0,
  lastDiscovery: 0,
  varied: false,
  depth: NO_DEPTH,
  soleInput: 0,
  schedules: [],
  repeated: 0,
  differed: 0,
  faults: [],
}

export class StopEstimate {
  readonly #census: SpeciesCensus
  readonly #counts = {
    unguided: 0,
    sampled: 0,
    observed: 0,
    samples: 0,
    guided: 0,
    lastDiscovery: 0,
    soleInput: 0,
    repeated: 0,
    differed: 0,
  }
  readonly #schedules = new Map<number, number>()
  readonly #faults = new Map<string, FaultCount>()
  /** Whether the census has the current sample. */
  #isCounted = false
  #varied = false
  #depth: DepthTally = NO_DEPTH
  /** The current input. */
  #input: { readonly plan: Plan; schedules: number; depth: DepthTally } | undefined

  /** @param speciesLimit species kept in memory */
  constructor(speciesLimit?: number) {
    this.#census = new SpeciesCensus(speciesLimit)
  }

  /**
   * Adds an execution. The executions of one input must be consecutive.
   *
   * @param execution its number in the campaign
   * @param species undefined if not observed. Whether they are must not depend on what happened
   * @param guided whether feedback influenced its choices
   */
  observe(
    execution: number,
    plan: Plan,
    result: ExecutionResult,
    species: Iterable<number> | undefined,
    guided = plan.choices.from === 'mutation',
  ): void {
    this.#countFaults(result)
    if (guided) {
      this.#counts.guided++
      return
    }
    this.#counts.unguided++
    if (result.voided !== undefined) return
    const hasInput = result.inputChoices + (result.bodyChoices ?? 0) > 0 || plan.input.from !== 'tape'
    this.#varied ||= hasInput || result.points > 0 || (result.faultPoints ?? 0) > 0
    const isNew = this.#countSchedule(plan, result, hasInput)
    if (plan.choices.from !== 'strategy' || plan.input.from !== 'tape') return
    this.#counts.sampled++
    if (isNew) {
      this.#counts.samples++
      this.#isCounted = false
    }
    if (species === undefined) return
    this.#counts.observed++
    if (!this.#isCounted) this.#census.begin()
    this.#isCounted = true
    if (this.#census.observe(species)) this.#counts.lastDiscovery = execution
  }

  /** Adds an execution that ran twice. */
  repeated(same: boolean): void {
    this.#counts.repeated++
    if (!same) this.#counts.differed++
  }

  tally(): StopTally {
    const schedules = new Map(this.#schedules)
    const { depth } = this.#closed(schedules)
    return {
      ...this.#counts,
      species: this.#census.tally(),
      varied: this.#varied,
      depth,
      schedules: [...schedules].sort(([a], [b]) => a - b),
      faults: sortedFaults([...this.#faults.values()]),
    }
  }

  /** @returns whether the execution starts a sample */
  #countSchedule(plan: Plan, result: ExecutionResult, hasInput: boolean): boolean {
    if (!hasInput) {
      this.#counts.soleInput++
      const sole = { ...this.#depth, soleInput: true }
      this.#depth = addExecution(sole, plan, result)
      return true
    }
    const isNew = this.#input === undefined || !isSameInput(this.#input.plan, plan)
    if (isNew) {
      this.#depth = this.#closed(this.#schedules).depth
      this.#input = { plan, schedules: 0, depth: NO_DEPTH }
    }
    const input = this.#input!
    input.schedules++
    input.depth = addExecution(input.depth, plan, result)
    return isNew
  }

  /** Adds the current input to `schedules` and to the tally of depths. */
  #closed(schedules: Map<number, number>): { depth: DepthTally } {
    if (this.#input === undefined) return { depth: this.#depth }
    const count = Math.min(MAX_SCHEDULES, this.#input.schedules)
    schedules.set(count, (schedules.get(count) ?? 0) + 1)
    return { depth: joinDepths(this.#depth, this.#input.depth) }
  }

  #countFaults({ faults = [] }: ExecutionResult): void {
    for (const { operation, fault } of faults) {
      const kind = faultName(fault)
      const key = `${operation} ${kind}`
      const count = (this.#faults.get(key)?.count ?? 0) + 1
      if (count > 1 || this.#faults.size < MAX_FAULT_KINDS) this.#faults.set(key, { operation, fault: kind, count })
    }
  }
}

/** Whether the inputs of two plans are the same; compared for each execution, so without a text. */
function isSameInput(a: Plan, b: Plan): boolean {
  if (a.input.from === 'example' || b.input.from === 'example')
    return a.input.from === 'example' && b.input.from === 'example' && a.input.index === b.input.index
  const [one, other] = [a.choices, b.choices]
  if (!('name' in one) || !('name' in other)) return one.from === other.from
  return inputSeed(one.name.seed) === inputSeed(other.name.seed) && one.name.length === other.name.length
}

/** The sum of the counts of two workers. */
export function addStops(a: StopTally, b: StopTally): StopTally {
  const schedules = new Map(a.schedules)
  for (const [count, inputs] of b.schedules) schedules.set(count, (schedules.get(count) ?? 0) + inputs)
  const faults = new Map(a.faults.map((each) => [`${each.operation} ${each.fault}`, each]))
  for (const each of b.faults) {
    const key = `${each.operation} ${each.fault}`
    faults.set(key, { ...each, count: each.count + (faults.get(key)?.count ?? 0) })
  }
  return {
    species: addSpecies(a.species, b.species),
    unguided: a.unguided + b.unguided,
    sampled: a.sampled + b.sampled,
    observed: a.observed + b.observed,
    samples: a.samples + b.samples,
    guided: a.guided + b.guided,
    lastDiscovery: Math.max(a.lastDiscovery, b.lastDiscovery),
    varied: a.varied || b.varied,
    depth: joinDepths(a.depth, b.depth),
    soleInput: a.soleInput + b.soleInput,
    schedules: [...schedules].sort(([x], [y]) => x - y),
    repeated: a.repeated + b.repeated,
    differed: a.differed + b.differed,
    faults: sortedFaults([...faults.values()]),
  }
}

export function readStop(tally: StopTally, circumstances: Circumstances): StopReadout {
  const counts = countsOf(tally.species)
  const { samples, observed } = tally
  const withheld = reasons(tally, circumstances)
  const claims = withheld.length === 0
  const seen = claims && observed > 0
  const perSample = seen ? observed / counts.samples : 1
  const next = expectedNext(counts)
  const inMore = (executions: number) => {
    const expected = seen ? expectedIn(executions / perSample, counts) : undefined
    return expected === undefined ? null : rounded(expected)
  }
  return {
    unguided: tally.unguided,
    guided: tally.guided,
    sampled: tally.sampled,
    observed,
    samples,
    species: counts.species,
    lastDiscovery: tally.lastDiscovery,
    expectedNext: seen ? rounded(next.expected / perSample) : null,
    expectedPerThousand: inMore(1000),
    expectedByDoubling: inMore(observed),
    expectedAtMost: seen && next.atMost !== undefined ? rounded(next.atMost / perSample) : null,
    failureAtMost: claims ? rounded(failureBound(samples)) : null,
    depthExcluded: claims ? excludedDepth(tally.depth) : null,
    schedulesPerInput: schedulesPerInput(tally),
    stability: { repeated: tally.repeated, same: tally.repeated - tally.differed },
    faults: tally.faults,
    withheld,
  }
}

function reasons(tally: StopTally, circumstances: Circumstances): Withheld[] {
  const { executions, discarded = 0, distinctFailures, voided, flaky, faultsAllowed, missed } = circumstances
  const { samples } = tally
  const reasons: Withheld[] = []
  const withhold = (holds: boolean, why: WhyWithheld, text: string) => {
    if (holds) reasons.push({ why, text })
  }
  if (executions === 0) return [{ why: 'nothing ran', text: 'nothing ran' }]
  withhold(discarded === executions, 'all discarded', `the property rejected all ${executions} inputs`)
  withhold(voided > 0, 'void', `${voided} of ${plural(executions, 'execution')} inconclusive`)
  withhold(flaky > 0, 'flaky', `${plural(flaky, 'failure')} did not repeat: the property is flaky`)
  withhold(distinctFailures > 0, 'failure', 'a failure was found')
  withhold(faultsAllowed && tally.faults.length === 0, 'no fault', 'faults were allowed, but none was injected')
  withhold(missed.length > 0, 'missed', `never reached: ${missed.map((label) => `'${label}'`).join(', ')}`)
  if (voided === executions) return reasons
  if (tally.unguided === 0)
    withhold(true, 'nothing unguided', 'every execution was guided, none was drawn by chance alone')
  else if (!tally.varied) withhold(true, 'nothing varies', 'every execution is the same: no inputs or schedules vary')
  else {
    const few = `too few executions: ${plural(samples, 'sample')} by chance alone, ${LEAST_SAMPLES} needed. Raise --time or --runs`
    withhold(samples < LEAST_SAMPLES, 'too little', few)
  }
  return reasons
}

function schedulesPerInput({ soleInput, schedules }: StopTally): StopReadout['schedulesPerInput'] {
  const all = [...schedules, ...(soleInput > 0 ? [[soleInput, 1] as const] : [])].sort(([a], [b]) => a - b)
  const inputs = all.reduce((sum, [, count]) => sum + count, 0)
  let before = 0
  const middle = all.find(([, count]) => (before += count) * 2 >= inputs)
  return { inputs, median: middle?.[0] ?? 0, min: all[0]?.[0] ?? 0, max: all.at(-1)?.[0] ?? 0 }
}

function sortedFaults(faults: readonly FaultCount[]): FaultCount[] {
  const name = ({ operation, fault }: FaultCount) => `${operation} ${fault}`
  return faults.toSorted((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1))
}

/** To four digits: further ones mean nothing, and depend on the order of summation. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
