/**
 * The mutators of ModelFuzz: two deliveries swap their channels or their counts; two crashes swap
 * their positions, and a single crash moves to another process.
 *
 * Departure: equal steps are not drawn while there are others, since swapping them changes nothing.
 */
import { crash } from '../../../cluster/faults/crash.ts'
import type { Step, StepCodes } from '../../../cluster/steps.ts'
import { oneOf, type StepMaterial, type StepMutator } from './step-mutator.ts'

/** Attempts to draw two steps that differ. */
const TRIES = 8

/**
 * SwapBuffers: swaps the channels of two deliveries, not their counts. A timer counts as a channel to
 * its node: the paper's actors start something when they are scheduled, norn's by timers.
 */
export const swapBuffers: StepMutator = {
  name: 'swap channels',
  mutate(steps, material) {
    return swap(steps, material, isChannel, (a, b, codes) => {
      if (a.kind === 'deliver' && b.kind === 'deliver') {
        if (a.from === b.from && a.to === b.to) return undefined
        return [codes.deliver(b.from, b.to, a.count), codes.deliver(a.from, a.to, b.count)]
      }
      return [codeOf(b, codes), codeOf(a, codes)]
    })
  },
}

/** SwapMaxMessages: swaps the counts of two deliveries, not their channels. */
export const swapMaxMessages: StepMutator = {
  name: 'swap counts',
  suits: ({ perStep }) => perStep > 1,
  mutate(steps, material) {
    return swap(steps, material, isDelivery, (a, b, codes) => {
      if (a.kind !== 'deliver' || b.kind !== 'deliver' || a.count === b.count) return undefined
      return [codes.deliver(a.from, a.to, b.count), codes.deliver(b.from, b.to, a.count)]
    })
  },
}

/** SwapCrashProcesses: swaps the positions of two crashes, or moves a single one to another node. */
export const swapCrashProcesses: StepMutator = {
  name: 'swap crashes',
  suits: (codes) => codes.of(crash) !== undefined,
  mutate(steps, { chance, codes }) {
    const crashes = crashesIn(steps, codes)
    if (crashes.length === 0) return undefined
    if (crashes.length === 1) {
      const at = crashes[0]!
      const others = codes.nodes.map((_, node) => codes.of(crash)!.first + node).filter((code) => code !== steps[at])
      if (others.length === 0) return undefined
      steps[at] = oneOf(others, chance)
      return at
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const [first, second] = [oneOf(crashes, chance), oneOf(crashes, chance)]
      if (steps[first] === steps[second]) continue
      ;[steps[first], steps[second]] = [steps[second]!, steps[first]!]
      return Math.min(first, second)
    }
    return undefined
  },
}

/** In the order of the paper. */
export const SWAP_MUTATORS: readonly StepMutator[] = [swapBuffers, swapCrashProcesses, swapMaxMessages]

type Channel = Extract<Step, { kind: 'deliver' | 'timeout' }>

function isDelivery(step: Step): step is Channel {
  return step.kind === 'deliver'
}

function isChannel(step: Step): step is Channel {
  return step.kind === 'deliver' || step.kind === 'timeout'
}

/** The indices of the steps that crash a node. */
function crashesIn(steps: readonly number[], { steps: meanings }: StepCodes): number[] {
  const places: number[] = []
  for (let at = 0; at < steps.length; at++) {
    const step = meanings[steps[at]!]
    if (step?.kind === 'fault' && step.act === crash) places.push(at)
  }
  return places
}

function codeOf(step: Channel, codes: StepCodes): number {
  return step.kind === 'deliver' ? codes.deliver(step.from, step.to, step.count) : codes.timeout(step.node)
}

/**
 * Swaps something between two steps, the first near a drawn index.
 *
 * @param swapped the numbers of both steps afterwards; undefined if nothing would change
 */
function swap(
  steps: number[],
  { chance, codes, index }: StepMaterial,
  isMeant: (step: Step) => step is Channel,
  swapped: (a: Channel, b: Channel, codes: StepCodes) => readonly [number, number] | undefined,
): number | undefined {
  const places: number[] = []
  for (let at = 0; at < steps.length; at++) if (isMeant(codes.steps[steps[at]!]!)) places.push(at)
  if (places.length < 2) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const near = index(steps.length)
    const first = places.find((place) => place >= near) ?? places.at(-1)!
    const second = oneOf(places, chance)
    if (steps[first] === steps[second]) continue
    const [a, b] = [codes.steps[steps[first]!] as Channel, codes.steps[steps[second]!] as Channel]
    const changed = swapped(a, b, codes)
    if (changed === undefined) continue
    ;[steps[first], steps[second]] = changed
    return Math.min(first, second)
  }
  return undefined
}
