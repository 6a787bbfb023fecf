/**
 * The mutators of ModelFuzz, as the paper has them: two deliveries exchange their channels, or their counts; two crashes
 * exchange their places, and a single one gets another process.
 *
 * Departure: two that are alike are never drawn while there are others, since to exchange them changes nothing.
 */
import type { StepCodes } from '../steps.ts'
import { oneOf, placesOf, type StepMaterial, type StepMutator } from './step-mutator.ts'

/** How often two that differ are looked for. */
const TRIES = 8

/** SwapBuffers: the channels that two deliveries name are exchanged, their counts stay. */
export const swapBuffers: StepMutator = {
  name: 'swap channels',
  mutate(steps, material) {
    return exchange(steps, material, 'from', (a, b, codes) => [
      codes.deliver(b.from, b.to, a.count),
      codes.deliver(a.from, a.to, b.count),
    ])
  },
}

/** SwapMaxMessages: the counts of two deliveries are exchanged, their channels stay. */
export const swapMaxMessages: StepMutator = {
  name: 'swap counts',
  suits: ({ perStep }) => perStep > 1,
  mutate(steps, material) {
    return exchange(steps, material, 'count', (a, b, codes) => [
      codes.deliver(a.from, a.to, b.count),
      codes.deliver(b.from, b.to, a.count),
    ])
  },
}

/** SwapCrashProcesses: two crashes exchange their places; a single one gets another process. */
export const swapCrashProcesses: StepMutator = {
  name: 'swap crashes',
  suits: (codes) => codes.crash(0) !== undefined,
  mutate(steps, { chance, codes }) {
    const crashes = placesOf(steps, codes, 'crash')
    if (crashes.length === 0) return undefined
    if (crashes.length === 1) {
      const at = crashes[0]!
      const others = codes.nodes.map((_, node) => codes.crash(node)!).filter((code) => code !== steps[at])
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
export const MODELFUZZ_MUTATORS: readonly StepMutator[] = [swapBuffers, swapCrashProcesses, swapMaxMessages]

interface Delivery {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Two deliveries, the first of them near to the place that matters, that differ in what is exchanged. */
function exchange(
  steps: number[],
  { chance, codes, index }: StepMaterial,
  differing: 'from' | 'count',
  exchanged: (a: Delivery, b: Delivery, codes: StepCodes) => readonly [number, number],
): number | undefined {
  const places = placesOf(steps, codes, 'deliver')
  if (places.length < 2) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const near = index(steps.length)
    const first = places.find((place) => place >= near) ?? places.at(-1)!
    const second = oneOf(places, chance)
    const [a, b] = [codes.steps[steps[first]!]!, codes.steps[steps[second]!]!]
    if (a.kind !== 'deliver' || b.kind !== 'deliver') continue
    const isAlike = differing === 'count' ? a.count === b.count : a.from === b.from && a.to === b.to
    if (isAlike) continue
    ;[steps[first], steps[second]] = exchanged(a, b, codes)
    return Math.min(first, second)
  }
  return undefined
}
