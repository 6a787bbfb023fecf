/**
 * Random steps, drawn from those that are possible, so that none is wasted. (ModelFuzz's generator
 * draws from all channels, and most are empty.)
 *
 * Deliveries have four times the weight of timers and restarts. Faults are rare, because one often
 * masks the next. A campaign multiplies the weights by what it has learnt about classes of steps.
 */
import type { Chance } from '../tape/chance.ts'
import type { Simulation } from './simulation.ts'
import type { StepClasses } from './step-classes.ts'
import { NATURAL } from './steps.ts'

const WEIGHTS = {
  deliver: 4,
  timeout: 1,
  request: 2,
  restart: 1,
  heal: 1,
  crash: 0.25,
  duplicate: 0.25,
  drop: 0.25,
  partition: 0.25,
} as const

/** @param classes the learnt factors of the weights; undefined if there are none */
export function suggestStep(simulation: Simulation, chance: Chance, classes?: StepClasses): number {
  const { codes, cluster, faults, network, nodes } = simulation
  const quotas = cluster.faults ?? {}
  offered = 0
  sum = 0
  const drops = faults.drops < (quotas.drops ?? 0)
  const duplicates = faults.duplicates < (quotas.duplicates ?? 0)
  network.eachReady((from, to) => {
    offer(codes.deliver(from, to, 1), WEIGHTS.deliver, classes?.ofChannel(from, to, 'deliver'))
    if (drops) offer(codes.drop(from, to), WEIGHTS.drop, classes?.ofChannel(from, to, 'drop'))
    if (duplicates) offer(codes.duplicate(from, to), WEIGHTS.duplicate, classes?.ofChannel(from, to, 'duplicate'))
  })
  const crashes = faults.crashes < (quotas.crashes ?? 0)
  for (let node = 0; node < nodes.length; node++) {
    if (!simulation.isUp(node)) offer(codes.restart(node), WEIGHTS.restart, classes?.ofNode(node, 'restart'))
    if (simulation.hasTimer(node)) offer(codes.timeout(node), WEIGHTS.timeout, classes?.ofNode(node, 'timeout'))
    if (crashes && simulation.isUp(node)) offer(codes.crash(node), WEIGHTS.crash, classes?.ofNode(node, 'crash'))
  }
  const { takers } = simulation
  for (const node of takers) {
    offer(codes.request(node), WEIGHTS.request / takers.length, classes?.ofNode(node, 'request'))
  }
  if (network.isPartitioned) offer(codes.heal, WEIGHTS.heal, classes?.ofNetwork('heal'))
  else if (codes.partitions !== undefined && faults.partitions < (quotas.partitions ?? 0)) {
    const { first, count } = codes.partitions
    offer(first + chance.integer(0, count - 1), WEIGHTS.partition, classes?.ofNetwork('partition'))
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
