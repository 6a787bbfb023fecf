/**
 * Random steps, drawn from those that are possible, so that none is wasted. (ModelFuzz's generator
 * draws from all channels, and most are empty.)
 *
 * Deliveries have four times the weight of timers; each fault has its own. A campaign multiplies the
 * weights by what it has learnt about classes of steps.
 */
import type { Chance } from '../tape/chance.ts'
import type { Simulation } from './simulation.ts'
import type { StepClasses } from './step-classes.ts'
import { type FaultCodes, NATURAL, type StepCodes } from './steps.ts'

const WEIGHTS = { deliver: 4, timeout: 1, request: 2 } as const

/** @param classes the learnt factors of the weights; undefined if there are none */
export function suggestStep(simulation: Simulation, chance: Chance, classes?: StepClasses): number {
  const { codes, network } = simulation
  offers.clear()
  offerChannels(simulation, classes)
  offerNodes(simulation, classes)
  offerNetwork(simulation, chance, classes)
  if (offers.sum === 0) return NATURAL
  const chosen = offers.choose(chance.unit())
  const step = codes.steps[chosen]!
  if (step.kind !== 'deliver') return chosen
  // For an ordered channel the count is an upper bound; an unordered one must have the message.
  const { length } = network.channel(step.from, step.to)
  const most = codes.isOrdered ? codes.perStep : Math.min(codes.perStep, length)
  return codes.deliver(step.from, step.to, chance.integer(1, most))
}

function offerChannels(simulation: Simulation, classes: StepClasses | undefined): void {
  const { codes, network } = simulation
  const { active } = network
  const faults = codes.faultsOn.channel
  if (areSpent(simulation, faults) && !network.isPartitioned) {
    offerDeliveries(codes, active, classes)
    return
  }
  const deliveries = classes?.deliveries
  const held = classes?.held
  for (let index = 0; index < active.length; index++) {
    const channel = active[index]!
    if (channel === held || !network.isOpen(channel)) continue
    offers.add(codes.deliverOne(channel), WEIGHTS.deliver, deliveries?.[channel])
    for (let at = 0; at < faults.length; at++) {
      const { index, first, weight, name } = faults[at]!
      if (!simulation.isSpent(index)) offers.add(first + channel, weight, classes?.ofChannel(channel, name))
    }
  }
}

function areSpent(simulation: Simulation, faults: readonly FaultCodes[]): boolean {
  for (let at = 0; at < faults.length; at++) if (!simulation.isSpent(faults[at]!.index)) return false
  return true
}

/** Where nothing else can happen on channels, in half of the time: this is the most frequent loop of all. */
function offerDeliveries(codes: StepCodes, channels: readonly number[], classes: StepClasses | undefined): void {
  const deliveries = classes?.deliveries
  const held = classes?.held
  const { length } = channels
  let sum = 0
  for (let index = 0; index < length; index++) {
    const channel = channels[index]!
    const factor = deliveries === undefined ? 1 : channel === held ? 0 : deliveries[channel]!
    sum += WEIGHTS.deliver * factor
    offers.codes[index] = codes.deliverOne(channel)
    offers.sums[index] = sum
  }
  offers.count = length
  offers.sum = sum
}

function offerNodes(simulation: Simulation, classes: StepClasses | undefined): void {
  const { codes, nodes } = simulation
  const faults = codes.faultsOn.node
  for (let node = 0; node < nodes.length; node++) {
    for (let at = 0; at < faults.length; at++) {
      const { recovery } = faults[at]!
      if (recovery?.isPossible(simulation, node))
        offers.add(recovery.first + node, recovery.weight, classes?.ofNode(node, recovery.name))
    }
    if (simulation.hasTimer(node)) offers.add(codes.timeout(node), WEIGHTS.timeout, classes?.ofNode(node, 'timeout'))
    for (let at = 0; at < faults.length; at++) {
      const fault = faults[at]!
      if (!simulation.isSpent(fault.index) && fault.isPossible(simulation, node))
        offers.add(fault.first + node, fault.weight, classes?.ofNode(node, fault.name))
    }
  }
  const { takers } = simulation
  for (let at = 0; at < takers.length; at++) {
    const node = takers[at]!
    offers.add(codes.request(node), WEIGHTS.request / takers.length, classes?.ofNode(node, 'request'))
  }
}

function offerNetwork(simulation: Simulation, chance: Chance, classes: StepClasses | undefined): void {
  for (const fault of simulation.codes.faultsOn.network) {
    const { recovery } = fault
    if (recovery?.isPossible(simulation, 0))
      offers.add(recovery.first, recovery.weight, classes?.ofNetwork(recovery.name))
    else if (!simulation.isSpent(fault.index) && fault.isPossible(simulation, 0))
      offers.add(fault.draw(chance, 0, 0), fault.weight, classes?.ofNetwork(fault.name))
  }
}

/** Steps and the running sums of their weights. A step of weight 0 is never chosen. */
class Offers {
  readonly codes: number[] = []
  readonly sums: number[] = []
  count = 0
  sum = 0

  clear(): void {
    this.count = 0
    this.sum = 0
  }

  add(code: number, weight: number, factor = 1): void {
    this.sum += weight * factor
    this.codes[this.count] = code
    this.sums[this.count++] = this.sum
  }

  /** @param share in [0, 1) of the weights before the step */
  choose(share: number): number {
    const weight = share * this.sum
    let at = 0
    while (at < this.count - 1 && weight >= this.sums[at]!) at++
    return this.codes[at]!
  }
}

/** Reused, because steps are drawn so often. */
const offers = new Offers()
