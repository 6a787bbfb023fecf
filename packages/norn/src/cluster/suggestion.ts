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
import { NATURAL } from './steps.ts'

const WEIGHTS = { deliver: 4, timeout: 1, request: 2 } as const

/** @param classes the learnt factors of the weights; undefined if there are none */
export function suggestStep(simulation: Simulation, chance: Chance, classes?: StepClasses): number {
  const { codes, network, nodes } = simulation
  const { faultsOn } = codes
  offered = 0
  sum = 0
  network.eachReady((from, to) => {
    offer(codes.deliver(from, to, 1), WEIGHTS.deliver, classes?.ofChannel(from, to, 'deliver'))
    for (const fault of faultsOn.channel) {
      if (simulation.isSpent(fault.index)) continue
      offer(fault.onChannel(from, to), fault.weight, classes?.ofChannel(from, to, fault.name))
    }
  })
  for (let node = 0; node < nodes.length; node++) {
    for (const { recovery } of faultsOn.node) {
      if (recovery?.isPossible(simulation, node))
        offer(recovery.first + node, recovery.weight, classes?.ofNode(node, recovery.name))
    }
    if (simulation.hasTimer(node)) offer(codes.timeout(node), WEIGHTS.timeout, classes?.ofNode(node, 'timeout'))
    for (const fault of faultsOn.node) {
      if (!simulation.isSpent(fault.index) && fault.isPossible(simulation, node))
        offer(fault.first + node, fault.weight, classes?.ofNode(node, fault.name))
    }
  }
  const { takers } = simulation
  for (const node of takers) {
    offer(codes.request(node), WEIGHTS.request / takers.length, classes?.ofNode(node, 'request'))
  }
  for (const fault of faultsOn.network) {
    const { recovery } = fault
    if (recovery?.isPossible(simulation, 0)) offer(recovery.first, recovery.weight, classes?.ofNetwork(recovery.name))
    else if (!simulation.isSpent(fault.index) && fault.isPossible(simulation, 0))
      offer(fault.draw(chance, 0, 0), fault.weight, classes?.ofNetwork(fault.name))
  }
  if (offered === 0) return NATURAL
  const chosen = choiceAt(chance.unit() * sum)
  const step = codes.steps[chosen]!
  if (step.kind !== 'deliver') return chosen
  // For an ordered channel the count is an upper bound; an unordered one must have the message.
  const { length } = network.channel(step.from, step.to)
  const most = codes.isOrdered ? codes.perStep : Math.min(codes.perStep, length)
  return codes.deliver(step.from, step.to, chance.integer(1, most))
}

/** The possible steps and the running sums of their weights; reused, because this runs so often. */
const choices: number[] = []
const weights: number[] = []
let offered = 0
let sum = 0

function offer(code: number | undefined, weight: number, factor = 1): void {
  if (code === undefined || factor === 0) return
  sum += weight * factor
  choices[offered] = code
  weights[offered] = sum
  offered++
}

function choiceAt(weight: number): number {
  let at = 0
  while (at < offered - 1 && weight >= weights[at]!) at++
  return choices[at]!
}
