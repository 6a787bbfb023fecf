/**
 * "When may I stop?": what a campaign that found nothing has shown, and what more of it would show.
 *
 * All of it comes from the unguided slice, the executions whose choices were drawn by chance and a
 * strategy: where guidance chose, what was seen says nothing of how often it would be seen. The
 * unit of counting is the sample: an input with all its schedules, which are not independent of
 * each other; or an execution, where there is but one input. So a species that all five schedules
 * of one input showed was seen once.
 *
 * Nothing is ever said of how much of the behaviour was covered: simulated, estimates of the total
 * were a third of the truth and less (research notes), as any must be where rare species abound.
 *
 * A claim is withheld, with the reason, where its ground is gone: an execution was flaky or void,
 * faults that were allowed never fired, nothing varied, too little ran. Invariant: a readout with a
 * reason to withhold holds no claim.
 */

import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { scheduleOrdinal } from '../tape/name.ts'
import {
  addExecution,
  type DepthTally,
  type ExcludedDepth,
  excludedDepth,
  joinDepths,
  NO_DEPTH,
} from './depth-excluded.ts'
import { expectedIn, expectedNext, failureBound } from './extrapolation.ts'
import { addSpecies, countsOf, NO_SPECIES, SpeciesCensus, type SpeciesTally } from './species.ts'

/** What one worker saw: plain data, to be added up over workers. */
export interface StopTally {
  readonly species: SpeciesTally
  /** Whether anything was observed that species could be counted of. */
  readonly observed: boolean
  /**
   * Executions of the unguided slice, and of those the ones in samples: examples are not drawn by
   * chance.
   */
  readonly unguided: number
  readonly sampled: number
  /** Executions that guidance chose. */
  readonly guided: number
  /** The execution, in the campaign's count, that last showed something new. */
  readonly lastDiscovery: number
  /** Whether any input or schedule could differ from another. */
  readonly varied: boolean
  readonly depth: DepthTally
  /** How many schedules the only input had; and of more than one input, how many had so many. */
  readonly soleInput: number
  readonly schedules: readonly (readonly [schedules: number, inputs: number])[]
  /** Executions that were run twice, and how many of them did not do the same. */
  readonly repeated: number
  readonly parted: number
  /** Faults that were injected, by operation and kind. */
  readonly faults: readonly FaultCount[]
}

export interface FaultCount {
  readonly operation: string
  /** An error code, or `short`. */
  readonly fault: string
  readonly count: number
}

/** What is known of the campaign otherwise. */
export interface Circumstances {
  readonly executions: number
  /** Executions whose input the property rejected; none unless set. */
  readonly discarded?: number
  readonly distinctFailures: number
  readonly voided: number
  readonly flaky: number
  readonly faultsAllowed: boolean
  /** Labels of notes that had to be reached and were not. */
  readonly missed: readonly string[]
}

/**
 * Counts, and what follows from them; the claims are null where they are withheld or nothing can be
 * said.
 */
export interface StopReadout {
  readonly unguided: number
  readonly guided: number
  /**
   * Of the unguided ones those in samples, and independent samples: inputs, or executions where
   * there is but one input.
   */
  readonly sampled: number
  readonly samples: number
  readonly species: number
  readonly lastDiscovery: number
  /**
   * Expected number of new species: in the next execution, in 1,000 more, in as many again as were
   * sampled.
   */
  readonly expectedNext: number | null
  readonly expectedPerThousand: number | null
  readonly expectedByDoubling: number | null
  /** Where none is expected in the next execution: at most this, at 95 %. */
  readonly expectedAtMost: number | null
  /** At most this share of samples fails, at 95 %. */
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
  /** Why there are no claims; empty if there are. */
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
  /** As a person reads it. */
  readonly text: string
}

/** Samples below which nothing is claimed: 3/n is no bound then. */
const LEAST_SAMPLES = 20

/** Kinds of faults that are told apart. */
const MAX_FAULT_KINDS = 200

/**
 * Numbers of schedules that are told apart; an input has at most as many as names share it, unless
 * guidance adds some.
 */
const MAX_SCHEDULES = 1000

export const NO_STOP_TALLY: StopTally = {
  species: NO_SPECIES,
  observed: false,
  unguided: 0,
  sampled: 0,
  guided: 0,
  lastDiscovery: 0,
  varied: false,
  depth: NO_DEPTH,
  soleInput: 0,
  schedules: [],
  repeated: 0,
  parted: 0,
  faults: [],
}

/** Takes note of a campaign's executions as they go by. */
export class StopEstimate {
  readonly #census: SpeciesCensus
  readonly #counts = { unguided: 0, sampled: 0, guided: 0, lastDiscovery: 0, soleInput: 0, repeated: 0, parted: 0 }
  readonly #schedules = new Map<number, number>()
  readonly #faults = new Map<string, FaultCount>()
  #observed = false
  #varied = false
  #depth: DepthTally = NO_DEPTH
  /** The input under way: which, how many schedules it had, what PCT did with it. */
  #input: { key: string; schedules: number; depth: DepthTally } | undefined

  /** @param speciesLimit how many species are kept in memory */
  constructor(speciesLimit?: number) {
    this.#census = new SpeciesCensus(speciesLimit)
  }

  /**
   * One execution that ran; those of one input have to come one after the other.
   *
   * @param execution in the campaign's count
   * @param species what it showed; undefined if nothing was observed
   * @param guided whether what earlier executions showed had a say in its choices
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
    if (result.verdict === 'void') return
    const hasInput = result.inputChoices + (result.bodyChoices ?? 0) > 0 || plan.input.from !== 'tape'
    this.#varied ||= hasInput || result.points > 0 || (result.faultPoints ?? 0) > 0
    const isNew = this.#countSchedule(plan, result, hasInput)
    if (plan.choices.from !== 'strategy' || plan.input.from !== 'tape') return
    this.#counts.sampled++
    if (isNew) this.#census.begin()
    this.#observed ||= species !== undefined
    if (species !== undefined && this.#census.observe(species)) this.#counts.lastDiscovery = execution
  }

  /** An execution was run twice: whether it did the same. */
  repeated(same: boolean): void {
    this.#counts.repeated++
    if (!same) this.#counts.parted++
  }

  tally(): StopTally {
    const schedules = new Map(this.#schedules)
    const { depth } = this.#closed(schedules)
    return {
      ...this.#counts,
      species: this.#census.tally(),
      observed: this.#observed,
      varied: this.#varied,
      depth,
      schedules: [...schedules].sort(([a], [b]) => a - b),
      faults: sortedFaults([...this.#faults.values()]),
    }
  }

  /** Whether a sample begins with it. */
  #countSchedule(plan: Plan, result: ExecutionResult, hasInput: boolean): boolean {
    if (!hasInput) {
      this.#counts.soleInput++
      const sole = { ...this.#depth, soleInput: true }
      this.#depth = addExecution(sole, plan, result)
      return true
    }
    const key = inputKey(plan)
    const isNew = this.#input?.key !== key
    if (isNew) {
      this.#depth = this.#closed(this.#schedules).depth
      this.#input = { key, schedules: 0, depth: NO_DEPTH }
    }
    const input = this.#input!
    input.schedules++
    input.depth = addExecution(input.depth, plan, result)
    return isNew
  }

  /** Adds the input under way to what is known of those before it. */
  #closed(schedules: Map<number, number>): { depth: DepthTally } {
    if (this.#input === undefined) return { depth: this.#depth }
    const count = Math.min(MAX_SCHEDULES, this.#input.schedules)
    schedules.set(count, (schedules.get(count) ?? 0) + 1)
    return { depth: joinDepths(this.#depth, this.#input.depth) }
  }

  #countFaults({ faults = [] }: ExecutionResult): void {
    for (const { operation, fault } of faults) {
      const kind = /^\d/.test(fault) ? 'short' : fault
      const key = `${operation} ${kind}`
      const count = (this.#faults.get(key)?.count ?? 0) + 1
      if (count > 1 || this.#faults.size < MAX_FAULT_KINDS) this.#faults.set(key, { operation, fault: kind, count })
    }
  }
}

function inputKey({ input, choices }: Plan): string {
  if (input.from === 'example') return `example ${input.index}`
  if (choices.from === 'record' || choices.from === 'bytes') return choices.from
  const { seed, length } = choices.name
  return `${seed - scheduleOrdinal(seed)}/${length}`
}

/** What several workers saw, as one. */
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
    observed: a.observed || b.observed,
    unguided: a.unguided + b.unguided,
    sampled: a.sampled + b.sampled,
    guided: a.guided + b.guided,
    lastDiscovery: Math.max(a.lastDiscovery, b.lastDiscovery),
    varied: a.varied || b.varied,
    depth: joinDepths(a.depth, b.depth),
    soleInput: a.soleInput + b.soleInput,
    schedules: [...schedules].sort(([x], [y]) => x - y),
    repeated: a.repeated + b.repeated,
    parted: a.parted + b.parted,
    faults: sortedFaults([...faults.values()]),
  }
}

/** What may be said. */
export function readStop(tally: StopTally, circumstances: Circumstances): StopReadout {
  const counts = countsOf(tally.species)
  const { samples, species } = counts
  const withheld = reasons(tally, circumstances)
  const claims = withheld.length === 0
  const perSample = samples === 0 ? 1 : tally.sampled / samples
  const seen = claims && tally.observed
  const next = expectedNext(counts)
  const inMore = (executions: number) => {
    const expected = seen ? expectedIn(executions / perSample, counts) : undefined
    return expected === undefined ? null : rounded(expected)
  }
  return {
    unguided: tally.unguided,
    guided: tally.guided,
    sampled: tally.sampled,
    samples,
    species,
    lastDiscovery: tally.lastDiscovery,
    expectedNext: seen ? rounded(next.expected / perSample) : null,
    expectedPerThousand: inMore(1000),
    expectedByDoubling: inMore(tally.sampled),
    expectedAtMost: seen && next.atMost !== undefined ? rounded(next.atMost / perSample) : null,
    failureAtMost: claims ? rounded(failureBound(samples)) : null,
    depthExcluded: claims ? excludedDepth(tally.depth) : null,
    schedulesPerInput: schedulesPerInput(tally),
    stability: { repeated: tally.repeated, same: tally.repeated - tally.parted },
    faults: tally.faults,
    withheld,
  }
}

function reasons(tally: StopTally, circumstances: Circumstances): Withheld[] {
  const { executions, discarded = 0, distinctFailures, voided, flaky, faultsAllowed, missed } = circumstances
  const { samples } = tally.species
  const reasons: Withheld[] = []
  const withhold = (holds: boolean, why: WhyWithheld, text: string) => {
    if (holds) reasons.push({ why, text })
  }
  if (executions === 0) return [{ why: 'nothing ran', text: 'nothing ran' }]
  withhold(discarded === executions, 'all discarded', `the property rejected all ${executions} inputs`)
  withhold(voided > 0, 'void', `control was lost in ${voided} of ${executions} executions`)
  withhold(flaky > 0, 'flaky', `${flaky === 1 ? 'a failure' : `${flaky} failures`} did not repeat: the target is flaky`)
  withhold(distinctFailures > 0, 'failure', 'a failure was found')
  withhold(faultsAllowed && tally.faults.length === 0, 'no fault', 'faults were allowed and none was injected')
  withhold(missed.length > 0, 'missed', `never reached: ${missed.map((label) => `'${label}'`).join(', ')}`)
  if (voided === executions) return reasons
  if (tally.unguided === 0) withhold(true, 'nothing unguided', 'guidance chose every execution, chance alone none')
  else if (!tally.varied) withhold(true, 'nothing varies', 'nothing in it varies, every execution is the same')
  else {
    const few = `chance alone drew ${samples} samples, of at least ${LEAST_SAMPLES}`
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

/** To four digits: more would be a pretence, and differ where sums are taken in another order. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
