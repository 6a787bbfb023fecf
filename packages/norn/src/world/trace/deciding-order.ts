/**
 * Which order of two steps decides, told from many executions of one input: all that have it fail, all that
 * have the other one pass, and two of them part at just these two steps.
 */
import type { Sample } from '../../contract/explanation.ts'
import type { TraceEvent } from '../../contract/trace.ts'
import { follows, indexOf } from './causal-order.ts'
import { NAMINGS, Sequence } from './named-steps.ts'
import type { Traced } from './trace-difference.ts'

/** An execution, how it ended, and its place among the others. */
interface Seen {
  readonly sequence: Sequence
  readonly ended: Sample['ended']
  readonly at: number
}

/** A step, and the index of a sample that has it. */
interface SeenStep {
  readonly step: TraceEvent
  readonly at: number
}

/** In all samples that fail the first steps come before the second ones, in none that passes. */
export interface Deciding {
  /** One of a pair; two where each of two tasks has one of the first, and of the second ones. */
  readonly first: readonly SeenStep[]
  readonly second: readonly SeenStep[]
  /** A step that comes before the first ones too in all that fail: neither order decides alone. */
  readonly after?: readonly SeenStep[]
}

/** Samples by index, one that fails and one that passes, whose delays differ by as little as can be. */
export interface Edge {
  readonly fail: number
  readonly pass: number
}

/** What is known of the executions around a failure. */
export interface Surroundings<Of extends Sample = Sample> {
  readonly tried: readonly Of[]
  readonly edges: readonly Edge[]
  /** Executions of other inputs without a delay, where one is needed that passes so. */
  readonly near?: readonly Of[]
}

/**
 * Every pair of steps that decides, and at which the two of an edge part; if there is none, every two tasks that
 * overlap in all samples that fail, and follow each other, either way, in those that pass; if there is none either,
 * every step that comes between two others where it fails, and before both or after both where it passes.
 */
export function decidingOrders(surroundings: Surroundings): Deciding[] {
  for (const decided of [decidingPairs, overlaps, between]) {
    for (const naming of NAMINGS) {
      const seen = ({ traced, ended }: Sample, at: number) => ({ sequence: new Sequence(traced, naming), ended, at })
      const all = surroundings.tried.map(seen)
      const partings = surroundings.edges.flatMap(({ fail, pass }) => partingOf(all[fail]!, all[pass]!))
      const distinct = [...new Map(partings.map((parting) => [parting.keys.join(), parting])).values()]
      const orders = decided(distinct, all, surroundings.near?.map(seen))
      if (orders.length > 0) return orders
    }
  }
  return []
}

function decidingPairs(partings: readonly Parting[], all: readonly Seen[], near?: readonly Seen[]): Deciding[] {
  return partings.flatMap(({ first, second, keys }) => {
    const order = (each: Seen) => orderOf(each, keys)
    const isAsExpected = (each: Seen) =>
      each.ended === 'otherwise' ? order(each) !== false : order(each) === (each.ended === 'failed')
    const isKnown = (each: Seen) => order(each) !== undefined
    const fitsNear = (seen: readonly Seen[]) =>
      seen.filter(isKnown).every(isAsExpected) && seen.some((each) => each.ended === 'passed' && isKnown(each))
    const isSeen =
      all.filter(({ ended, sequence }) => ended === 'failed' && sequence.isBefore(...keys)).length >= MIN_APART
    const decides = isSeen && all.every(isAsExpected) && (near === undefined || fitsNear(near))
    if (!decides || isOneChain(first.step, second.step)) return []
    const fails = all.filter(({ ended }) => ended === 'failed')
    return inOne(fails, keys) ?? inTwo(first, second, fails, all[second.at]!)
  })
}

/** Passing samples with each order of two tasks, or with each of two orders wrong; failing ones with both steps. */
const MIN_APART = 3

/** Whether one comes before the other, which does not happen at all in some that fail. */
function orderOf({ sequence, ended }: Seen, keys: Parting['keys']): boolean | undefined {
  const isWithout = ended === 'failed' && sequence.has(keys[0]) && !sequence.has(keys[1])
  return sequence.isBefore(...keys) ?? (isWithout ? true : undefined)
}

/** A step between two others: two edges part at it, one at either side. */
function between(partings: readonly Parting[], all: readonly Seen[], near?: readonly Seen[]): Deciding[] {
  return partings.flatMap((before) =>
    partings.flatMap((after) => {
      if (before.keys[1] !== after.keys[0] || before.keys[0] === after.keys[1]) return []
      const [{ step: from }, { step }, { step: to }] = [before.first, after.first, after.second]
      if (isOneChain(from, step) || isOneChain(step, to) || !isBetween(before.keys, after.keys, all, near)) return []
      const has = ({ ended, sequence }: Seen) => ended === 'failed' && after.keys.every((key) => sequence.has(key))
      const seen = all.find((each) => has(each) && each.sequence.has(before.keys[0]))
      if (seen === undefined) return []
      const named = (key: string) => [{ step: seen.sequence.stepOf(key)!, at: seen.at }]
      return [{ after: named(before.keys[0]), first: named(after.keys[0]), second: named(after.keys[1]) }]
    }),
  )
}

/** Whether all that fail have both orders, and all that pass lack one, some this and some that one. */
function isBetween(
  one: Parting['keys'],
  other: Parting['keys'],
  all: readonly Seen[],
  near?: readonly Seen[],
): boolean {
  const apart = [0, 0]
  let failing = 0
  for (const each of all) {
    const orders = [each.sequence.isBefore(...one), orderOf(each, other)]
    const isBoth = orders.every((order) => order === true)
    const lacking = orders.indexOf(false)
    if (each.ended === 'failed' ? !isBoth : each.ended === 'passed' ? lacking < 0 : isBoth) return false
    if (each.ended === 'failed') failing++
    else if (lacking >= 0 && orders[1 - lacking] === true) apart[lacking]!++
  }
  const fits = ({ sequence, ended }: Seen) => {
    const orders = [sequence.isBefore(...one), sequence.isBefore(...other)]
    return orders.includes(undefined) || (ended === 'failed') === orders.every((order) => order === true)
  }
  return failing >= MIN_APART && apart.every((count) => count >= MIN_APART) && (near === undefined || near.every(fits))
}

/** How executions with other delays ended that have an order of steps of a failing one, or the other one. */
export function endings(
  failing: Traced,
  { first, second }: { readonly first: readonly TraceEvent[]; readonly second: readonly TraceEvent[] },
  around: readonly Sample[],
) {
  const naming = NAMINGS[0]!
  const names = new Sequence(failing, naming)
  const pairs = first.flatMap((one) => second.map((other) => [names.keyOf(one), names.keyOf(other)] as const))
  const counts = { inOrder: { passed: 0, failed: 0, otherwise: 0 }, inOther: { passed: 0, failed: 0, otherwise: 0 } }
  for (const { traced, ended } of around) {
    const sequence = new Sequence(traced, naming)
    const orders = pairs.map(([one, other]) => one && other && sequence.isBefore(one, other))
    if (orders.every((order) => order === true)) counts.inOrder[ended]++
    if (orders.every((order) => order === false)) counts.inOther[ended]++
  }
  return counts
}

/** From a first step of one task and a second one of the other, at which an edge parts, to the other two. */
function overlaps(partings: readonly Parting[], all: readonly Seen[]): Deciding[] {
  const failing = all.find(({ ended }) => ended === 'failed')
  if (failing === undefined) return []
  const { steps, keys } = failing.sequence
  const isLike = (one: TraceEvent, other: TraceEvent) =>
    one.event === other.event && one.kind === other.kind && indexOf(one) === indexOf(other) && one.label !== other.label
  const found = partings.flatMap((parting) => {
    const [first, second] = parting.keys.map((key) => failing.sequence.stepOf(key))
    if (first === undefined || second === undefined || isOneChain(first, second)) return []
    const others = [...steps.keys()].filter((at) => isLike(steps[at]!, first) && follows(second, steps[at]!))
    const lasts = [...steps.keys()].filter((at) => isLike(steps[at]!, second) && follows(steps[at]!, first))
    return others.flatMap((other) =>
      lasts.flatMap((last) => {
        if (!overlap(parting.keys, [keys[other]!, keys[last]!], all)) return []
        const inOrder = (...two: readonly TraceEvent[]) =>
          steps.filter((step) => two.includes(step)).map((step) => ({ step, at: failing.at }))
        return [{ first: inOrder(first, steps[other]!), second: inOrder(steps[last]!, second) }]
      }),
    )
  })
  // Each of the two tasks may have been taken for the one.
  const nameOf = ({ first, second }: Deciding) => [...first, ...second].map(({ step }) => steps.indexOf(step)).join()
  return [...new Map(found.map((each) => [nameOf(each), each])).values()]
}

/** Whether all that fail have both orders, and all that pass exactly one; each of these in some. */
function overlap(one: Parting['keys'], other: Parting['keys'], all: readonly Seen[]): boolean {
  const apart = [0, 0]
  for (const { sequence, ended } of all) {
    const orders = [sequence.isBefore(...one), sequence.isBefore(...other)]
    const lacking = orders.indexOf(false)
    if (ended === 'failed' && !orders.every((order) => order === true)) return false
    if (ended !== 'passed') continue
    if (lacking < 0 || orders[1 - lacking] === false) return false
    apart[lacking]!++
  }
  return apart.every((count) => count >= MIN_APART)
}

/** Both steps as the first sample has them that has both: what they access may have other names in others. */
function inOne(fails: readonly Seen[], keys: Parting['keys']): Deciding[] | undefined {
  for (const { sequence, at } of fails) {
    const [first, second] = keys.map((key) => sequence.stepOf(key))
    if (first !== undefined && second !== undefined)
      return [{ first: [{ step: first, at }], second: [{ step: second, at }] }]
  }
  return undefined
}

/** The second never happens where it fails: it is the same there as where it passes if it was started alike. */
function inTwo(first: SeenStep, second: SeenStep, fails: readonly Seen[], passing: Seen): Deciding[] {
  const start = passing.sequence.startOf(second.step)
  const isAlike = ({ sequence }: Seen) =>
    start !== undefined && sequence.startOf(second.step)?.resource === start.resource
  return second.step.event === 'timer' || fails.some(isAlike) ? [{ first: [first], second: [second] }] : []
}

interface Parting {
  readonly first: SeenStep
  readonly second: SeenStep
  readonly keys: readonly [first: string, second: string]
}

function partingOf(fail: Seen, pass: Seen): Parting[] {
  const [keys, others] = [fail.sequence.keys, pass.sequence.keys]
  const place = keys.findIndex((key, index) => key !== others[index])
  const [one, other] = [keys[place], others[place]]
  if (one === undefined || other === undefined) return []
  const first = { step: fail.sequence.steps[place]!, at: fail.at }
  const second = { step: pass.sequence.steps[place]!, at: pass.at }
  return [{ first, second, keys: [one, other] }]
}

function isOneChain(one: TraceEvent, other: TraceEvent): boolean {
  return follows(one, other) || follows(other, one)
}
