import { describe, expect, test } from 'vitest'
import { crash } from '../../../../src/cluster/faults/crash.ts'
import { quotasOf } from '../../../../src/cluster/faults/faults.ts'
import { partition } from '../../../../src/cluster/faults/partition.ts'
import { type Step, StepCodes } from '../../../../src/cluster/steps.ts'
import { MAX_STEPS, type StepMaterial, type StepMutator } from '../../../../src/domains/cluster/search/step-mutator.ts'
import { drawStep, STEP_MUTATORS } from '../../../../src/domains/cluster/search/step-mutators.ts'
import {
  swapBuffers,
  swapCrashProcesses,
  swapMaxMessages,
} from '../../../../src/domains/cluster/search/swap-mutators.ts'
import { chance } from '../../../../src/tape/chance.ts'

const ALL_FAULTS = { crashes: 2, drops: 2, duplicates: 2, partitions: 2 }
const codes = new StepCodes({ nodes: ['a', 'b', 'c'], network: { perStep: 5 }, quotas: quotasOf(ALL_FAULTS) })
const calm = new StepCodes({ nodes: ['a', 'b', 'c'], network: { perStep: 1 }, quotas: quotasOf({}) })

function material(seed: number, of: StepCodes = codes, other: readonly number[] = []): StepMaterial {
  const draws = chance(seed)
  return { chance: draws, codes: of, other, index: (count) => draws.integer(0, count - 1) }
}

/** Each schedule that a mutator makes of one, for many seeds. */
function mutantsOf(mutator: StepMutator, steps: readonly number[], of = codes): number[][] {
  return Array.from({ length: 60 }, (_, seed) => {
    const mutated = [...steps]
    mutator.mutate(mutated, material(seed, of))
    return mutated
  })
}

const asText = (schedules: readonly (readonly number[])[]) =>
  new Set(schedules.map((steps) => steps.map((code) => codes.describe(code)).join(', ')))

describe('as in ModelFuzz', () => {
  test('two deliveries exchange their channels, and their counts stay', () => {
    const steps = [codes.deliver(0, 1, 2), codes.request(0), codes.deliver(2, 0, 5)]
    expect(mutantsOf(swapBuffers, steps)).toContainEqual([
      codes.deliver(2, 0, 2),
      codes.request(0),
      codes.deliver(0, 1, 5),
    ])
  })

  test('a timer counts as a channel to its node', () => {
    const steps = [codes.timeout(2), codes.deliver(0, 1, 2)]
    expect(asText(mutantsOf(swapBuffers, steps))).toEqual(new Set(['deliver up to 2 of a → b, timeout c']))
  })

  test('two deliveries exchange their counts, and their channels stay', () => {
    const steps = [codes.deliver(0, 1, 2), codes.timeout(0), codes.deliver(2, 0, 5)]
    expect(mutantsOf(swapMaxMessages, steps)).toContainEqual([
      codes.deliver(0, 1, 5),
      codes.timeout(0),
      codes.deliver(2, 0, 2),
    ])
  })

  test('two crashes exchange their places', () => {
    const [first, second] = [codes.of(crash)!.first + 0, codes.of(crash)!.first + 2]
    const steps = [first, codes.timeout(1), second]
    expect(mutantsOf(swapCrashProcesses, steps)).toContainEqual([second, codes.timeout(1), first])
  })

  test('a single crash gets another process', () => {
    const steps = [codes.timeout(1), codes.of(crash)!.first + 0]
    expect(asText(mutantsOf(swapCrashProcesses, steps))).toEqual(new Set(['timeout b, crash b', 'timeout b, crash c']))
  })

  test('where there is nothing to exchange nothing changes', () => {
    const steps = [codes.request(0), codes.deliver(0, 1, 1), codes.of(partition)!.recovery!.first + 0]
    for (const { mutate } of [swapBuffers, swapMaxMessages, swapCrashProcesses]) {
      const mutated = [...steps]
      expect(mutate(mutated, material(1))).toBeUndefined()
      expect(mutated).toEqual(steps)
    }
  })
})

describe.each(STEP_MUTATORS.map((mutator) => [mutator.name, mutator] as const))('the mutator "%s"', (_, mutator) => {
  const shapes = [codes, calm].filter((of) => mutator.suits?.(of) ?? true)
  const schedules = (of: StepCodes, seed: number) => {
    const draws = chance(seed, 1)
    return Array.from({ length: draws.integer(0, 30) }, () => drawStep(of, draws))
  }
  const trials = shapes.flatMap((of) =>
    Array.from({ length: 200 }, (_, seed) => ({ of, seed, steps: schedules(of, seed) })),
  )

  test('makes schedules of steps that there are, and changes nothing before the place that it tells', () => {
    let changed = 0
    for (const { of, seed, steps } of trials) {
      const mutated = [...steps]
      const place = mutator.mutate(mutated, material(seed, of, schedules(of, seed + 1)))
      for (const code of mutated) expect(of.steps[code]).toBeDefined()
      if (place === undefined) expect(mutated).toEqual(steps)
      else {
        expect(mutated.slice(0, place)).toEqual(steps.slice(0, place))
        changed++
      }
    }
    expect(changed).toBeGreaterThan(0)
  })

  test('does the same with the same random numbers', () => {
    for (const { of, seed, steps } of trials.slice(0, 50)) {
      const [first, second] = [[...steps], [...steps]]
      mutator.mutate(first, material(seed, of, schedules(of, 3)))
      mutator.mutate(second, material(seed, of, schedules(of, 3)))
      expect(second).toEqual(first)
    }
  })

  test('lets no schedule grow without end', () => {
    const steps = new Array<number>(MAX_STEPS).fill(codes.deliver(0, 1, 2))
    for (let seed = 0; seed < 20; seed++) mutator.mutate(steps, material(seed, codes, steps.slice(0, 100)))
    // A run of a few steps may still come on top.
    expect(steps.length).toBeLessThanOrEqual(MAX_STEPS + 200)
  })
})

test('a cluster without faults gets none by mutation', () => {
  const kinds = new Set<string>()
  for (let seed = 0; seed < 300; seed++) {
    const steps = [calm.deliver(0, 1, 1), calm.timeout(2), calm.deliver(1, 2, 1)]
    const suited = STEP_MUTATORS.filter(({ suits }) => suits?.(calm) ?? true)
    for (const { mutate } of suited) mutate(steps, material(seed, calm))
    for (const code of steps) kinds.add(calm.steps[code]!.kind)
  }
  expect(kinds).toEqual(new Set(['natural', 'deliver', 'timeout', 'request']))
})

test('a lost message is the one of the channel that was to be delivered', () => {
  const drop = STEP_MUTATORS.find(({ name }) => name === 'drop')!
  const steps = [codes.timeout(0), codes.deliver(2, 1, 3)]
  expect(asText(mutantsOf(drop, steps))).toEqual(
    new Set(['timeout a, drop c → b, deliver up to 3 of c → b', 'timeout a, drop c → b']),
  )
})

test('what is held back comes behind all that happens for a while, in its order', () => {
  const holdBack = STEP_MUTATORS.find(({ name }) => name === 'hold back')!
  const steps = [codes.deliver(0, 1, 1), codes.deliver(2, 1, 1), codes.timeout(0), codes.timeout(2)]
  const mutants = asText(mutantsOf(holdBack, steps))
  expect(mutants).toContain('deliver c → b, timeout a, timeout c, deliver a → b')
  expect(mutants).toContain('timeout a, timeout c, deliver a → b, deliver c → b')
})

test('the step that is drawn by chance may be any that the cluster has', () => {
  const draws = chance(5)
  const nameOf = (step: Step) => (step.kind === 'fault' ? step.act.name : step.kind)
  const kinds = new Set(Array.from({ length: 2000 }, () => nameOf(codes.steps[drawStep(codes, draws)]!)))
  expect(kinds.size).toBe(10)
})
