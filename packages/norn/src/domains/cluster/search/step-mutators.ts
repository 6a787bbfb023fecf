/**
 * Norn's mutators of schedules, beside those of ModelFuzz (swap-mutators.ts): general edits of the
 * list, and edits that know what steps mean (hold back a channel, insert a fault or a timeout).
 */

import type { Fault } from '../../../cluster/faults/fault.ts'
import { FAULTS } from '../../../cluster/faults/table.ts'
import { type FaultCodes, NATURAL, type Step, type StepCodes } from '../../../cluster/steps.ts'
import type { Chance } from '../../../tape/chance.ts'
import { MAX_STEPS, oneOf, type StepMaterial, type StepMutator } from './step-mutator.ts'
import { SWAP_MUTATORS } from './swap-mutators.ts'

/** The longest run that is moved, deleted or repeated, and the longest span of a temporary fault. */
const MAX_RUN = 8
const MAX_WHILE = 16

/** Inserts a step: a random one, or one of this or of another schedule. */
const insert: StepMutator = {
  name: 'insert',
  mutate(steps, material) {
    const { chance, codes, other } = material
    const from = chance.coin(0.5) ? steps : other
    const step = from.length > 0 && chance.coin(0.5) ? oneOf(from, chance) : drawStep(codes, chance)
    return insertAt(steps, material.index(steps.length + 1), step)
  },
}

const remove: StepMutator = {
  name: 'delete',
  mutate(steps, { chance, index }) {
    if (steps.length === 0) return undefined
    const at = index(steps.length)
    steps.splice(at, runLength(chance))
    return at
  },
}

/** Moves a run of steps. */
const move: StepMutator = {
  name: 'move',
  mutate(steps, { chance, index }) {
    if (steps.length < 2) return undefined
    const from = index(steps.length)
    const moved = steps.splice(from, runLength(chance))
    const away = chance.coin(0.5) ? chance.integer(-MAX_WHILE, MAX_WHILE) : chance.integer(-steps.length, steps.length)
    const to = Math.max(0, Math.min(steps.length, from + away))
    steps.splice(to, 0, ...moved)
    return from === to ? undefined : Math.min(from, to)
  },
}

/** Swaps two neighbours that differ. */
const exchange: StepMutator = {
  name: 'exchange',
  mutate(steps, { index }) {
    if (steps.length < 2) return undefined
    const near = index(steps.length - 1)
    const differs = (at: number) => steps[at] !== steps[at + 1]
    let at = near
    while (at < steps.length - 1 && !differs(at)) at++
    if (at >= steps.length - 1) return undefined
    ;[steps[at], steps[at + 1]] = [steps[at + 1]!, steps[at]!]
    return at
  },
}

/** Repeats a run of steps. */
const repeat: StepMutator = {
  name: 'repeat',
  mutate(steps, { chance, index }) {
    if (steps.length === 0 || steps.length >= MAX_STEPS) return undefined
    const at = index(steps.length)
    const again = steps.slice(at, at + runLength(chance))
    steps.splice(at + again.length, 0, ...again)
    return at + again.length
  },
}

/** Cuts the schedule; later steps are drawn by the strategy. */
const cutTail: StepMutator = {
  name: 'forget what follows',
  mutate(steps, { index }) {
    if (steps.length === 0) return undefined
    steps.length = index(steps.length)
    return steps.length
  },
}

/** Continues with the steps of another schedule from about the same index. */
const splice: StepMutator = {
  name: 'splice',
  mutate(steps, { chance, other, index }) {
    if (other.length === 0) return undefined
    const at = index(steps.length + 1)
    const from = Math.max(0, Math.min(other.length - 1, at + chance.integer(-MAX_RUN, MAX_RUN)))
    steps.splice(at, steps.length, ...other.slice(from, from + MAX_STEPS))
    return at
  },
}

/** Changes the count of a delivery; in an unordered channel, which message it delivers. */
const recount: StepMutator = {
  name: 'recount',
  suits: ({ perStep }) => perStep > 1,
  mutate(steps, { chance, codes, index }) {
    const at = nearest(steps, codes, index, ({ kind }) => kind === 'deliver')
    const step = at === undefined ? undefined : codes.steps[steps[at]!]!
    if (at === undefined || step?.kind !== 'deliver') return undefined
    const count = chance.integer(1, codes.perStep - 1)
    steps[at] = codes.deliver(step.from, step.to, count >= step.count ? count + 1 : count)
    return at
  },
}

/** Delays the deliveries of a channel, or all deliveries to a node, behind the steps of a span. */
const holdBack: StepMutator = {
  name: 'hold back',
  mutate(steps, { chance, codes, index }) {
    const at = nearest(steps, codes, index, ({ kind }) => kind === 'deliver')
    const held = at === undefined ? undefined : codes.steps[steps[at]!]!
    if (at === undefined || held?.kind !== 'deliver') return undefined
    const whole = chance.coin(0.5)
    const isHeld = (code: number) => {
      const step = codes.steps[code]!
      return step.kind === 'deliver' && step.to === held.to && (whole || step.from === held.from)
    }
    const during = steps.slice(at, at + chance.integer(2, MAX_WHILE))
    const later = during.filter(isHeld)
    if (later.length === during.length) return undefined
    steps.splice(at, during.length, ...during.filter((code) => !isHeld(code)), ...later)
    return at
  },
}

/** Replaces a step by the default step. */
const makeDefault: StepMutator = {
  name: 'soothe',
  mutate(steps, { codes, index }) {
    const at = nearest(steps, codes, index, ({ kind }) => kind !== 'natural')
    if (at === undefined) return undefined
    steps[at] = NATURAL
    return at
  },
}

/** Injects a fault: of a channel before one of its deliveries, of a node that takes part in a step. */
function injecting(fault: Fault): StepMutator {
  return {
    name: fault.name,
    suits: (codes) => codes.of(fault) !== undefined,
    mutate(steps, material) {
      const numbers = material.codes.of(fault)!
      return fault.place === 'channel' ? onChannel(numbers, steps, material) : untilRecovery(numbers, steps, material)
    },
  }
}

/** Before a delivery of the channel, or instead of it. */
function onChannel(numbers: FaultCodes, steps: number[], { chance, codes, index }: StepMaterial): number | undefined {
  const instead = numbers.fault.replacesDelivery === true && chance.coin(0.5)
  const at = nearest(steps, codes, index, ({ kind }) => kind === 'deliver')
  const step = at === undefined ? undefined : codes.steps[steps[at]!]!
  if (at === undefined || step?.kind !== 'deliver') return undefined
  steps.splice(at, instead ? 1 : 0, numbers.onChannel(step.from, step.to))
  return at
}

/** Usually with its recovery later. */
function untilRecovery(numbers: FaultCodes, steps: number[], { chance, codes, index }: StepMaterial): number {
  const at = index(steps.length + 1)
  const node = numbers.fault.place === 'node' ? nodeAt(steps, at, codes, chance) : 0
  insertAt(steps, at, numbers.draw(chance, node, node))
  if (numbers.recovery !== undefined && chance.coin(0.7))
    insertAt(steps, at + 1 + chance.integer(0, MAX_WHILE), recoveryOf(numbers, node))
  return at
}

function recoveryOf({ fault, recovery }: FaultCodes, node: number): number {
  return recovery!.first + (fault.place === 'node' ? node : 0)
}

/** Fires a timer of a node that takes part in a step. */
const timeout: StepMutator = {
  name: 'timeout',
  mutate(steps, { chance, codes, index }) {
    const at = index(steps.length + 1)
    return insertAt(steps, at, codes.timeout(nodeAt(steps, at, codes, chance)))
  },
}

/** Makes a request earlier. */
const request: StepMutator = {
  name: 'request',
  mutate(steps, { chance, codes, index }) {
    const at = index(steps.length + 1)
    return insertAt(steps, at, codes.request(chance.integer(0, codes.nodes.length - 1)))
  },
}

export const STEP_MUTATORS: readonly StepMutator[] = [
  insert,
  remove,
  move,
  exchange,
  repeat,
  cutTail,
  splice,
  recount,
  holdBack,
  makeDefault,
  ...FAULTS.map(injecting),
  timeout,
  request,
  ...SWAP_MUTATORS,
]

/** A random step: all kinds of the cluster are equally likely, but deliveries three times as much. */
export function drawStep(codes: StepCodes, chance: Chance): number {
  const node = chance.integer(0, codes.nodes.length - 1)
  const to = chance.integer(0, codes.nodes.length - 1)
  const deliver = codes.deliver(node, to, chance.integer(1, codes.perStep))
  const faults = codes.faults.flatMap((numbers) => {
    const drawn = numbers.draw(chance, node, to)
    return numbers.recovery === undefined ? drawn : [drawn, recoveryOf(numbers, node)]
  })
  return oneOf([deliver, deliver, deliver, NATURAL, codes.timeout(node), codes.request(node), ...faults], chance)
}

function insertAt(steps: number[], at: number, step: number): number | undefined {
  if (steps.length >= MAX_STEPS) return undefined
  const place = Math.min(at, steps.length)
  steps.splice(place, 0, step)
  return place
}

/** Mostly 1, as most blocks of AFL are short. */
function runLength(chance: Chance): number {
  return chance.coin(0.6) ? 1 : chance.integer(2, MAX_RUN)
}

/** The index of the next wanted step after a drawn index, wrapping around. */
function nearest(
  steps: readonly number[],
  { steps: meanings }: StepCodes,
  index: StepMaterial['index'],
  isWanted: (step: Step) => boolean,
): number | undefined {
  if (steps.length === 0) return undefined
  const near = index(steps.length)
  for (let away = 0; away < steps.length; away++) {
    const at = (near + away) % steps.length
    if (isWanted(meanings[steps[at]!]!)) return at
  }
  return undefined
}

/** A node of the step at an index, or a random one. */
function nodeAt(steps: readonly number[], at: number, { steps: meanings, nodes }: StepCodes, chance: Chance): number {
  const step = meanings[steps[Math.min(at, steps.length - 1)] ?? NATURAL]!
  const drawn = chance.integer(0, nodes.length - 1)
  if (chance.coin(0.25)) return drawn
  if (step.kind === 'deliver') return chance.coin(0.7) ? step.to : step.from
  return 'node' in step && step.node >= 0 ? step.node : drawn
}
