/**
 * Finds an execution of a cluster that passes key frames, outside of a campaign: synchronously, in any
 * test runner. The result replays, and is a function of the seed as long as nodes take randomness and
 * time from their context.
 *
 * The planner is that of campaigns; only the world is missing. From each frame to the next an
 * execution may have as many steps as the cluster has; the fault-free phase and the last check are
 * left out.
 */
import fc from 'fast-check'
import { ClusterExecution } from '../../../cluster/cluster.ts'
import type { ClusterOptions } from '../../../cluster/definition.ts'
import { FrameWatch } from '../../../cluster/frames/frame-watch.ts'
import type { KeyFrames } from '../../../cluster/frames/key-frames.ts'
import type { LogEntry } from '../../../cluster/log.ts'
import { withoutRealTimers } from '../../../cluster/no-real-timers.ts'
import { DEFAULT_STEPS } from '../../../cluster/run.ts'
import { Simulation } from '../../../cluster/simulation.ts'
import { suggestStep } from '../../../cluster/suggestion.ts'
import type { Data } from '../../../cluster/system.ts'
import type { ExecutionResult } from '../../../contract/execution.ts'
import type { Plan } from '../../../contract/plan.ts'
import { NOTHING } from '../../../options/guide.ts'
import { type Chance, chance } from '../../../tape/chance.ts'
import { replaySource } from '../../../tape/replay.ts'
import { type ChoiceSource, Tape } from '../../../tape/tape.ts'
import { stepPlanner } from '../search/step-policy.ts'
import { FramesGoal } from './goal.ts'

/**
 * The options of `findExecution`.
 *
 * @public
 */
export interface FindOptions {
  /** 0 by default. */
  readonly seed?: number
  /** Bound on the executions of the search, without shrinking; 10,000 by default. */
  readonly runs?: number
  /** Whether the execution found is shrunk; true by default. */
  readonly shrink?: boolean
}

/**
 * An execution that passes key frames.
 *
 * @public
 */
export interface FramedExecution {
  /** The numbers of the steps that lead to each frame from the one before. */
  readonly pieces: readonly (readonly number[])[]
  readonly requests: readonly Data[]
  /** The seed of the nodes' randomness. */
  readonly chanceSeed: number
}

/**
 * What `findExecution` returns.
 *
 * @public
 */
export interface FramesSearched {
  /** Undefined if none was found. */
  readonly found: FramedExecution | undefined
  /** The most frames that one execution passed, and the name of the next one. */
  readonly reached: number
  readonly missing: string | undefined
  /** Why that one may never hold: what its predicate threw, or its paths that never had a value. */
  readonly doubt: string | undefined
  /** Executions of the search, without shrinking. */
  readonly executions: number
  /** The first error that an execution ended with. */
  readonly failure: unknown
}

/**
 * What one run of an execution that passes key frames showed.
 *
 * @public
 */
export interface FramedRun {
  /** The step at which each frame was reached. */
  readonly at: readonly number[]
  readonly log: readonly LogEntry[]
  /** The steps of each piece in words, repeated steps counted. */
  readonly words: readonly (readonly string[])[]
  readonly failure: unknown
}

const DEFAULT_RUNS = 10_000
const [NODE_SALT, STEP_SALT] = [0x6e6f6465, 0x73746570]

/**
 * Searches for an execution that passes the frames in order.
 *
 * @public
 */
export function findExecution(
  cluster: ClusterOptions,
  keyFrames: KeyFrames,
  { seed = 0, runs = DEFAULT_RUNS, shrink = true }: FindOptions = {},
): FramesSearched {
  const frames = keyFrames.frames.map(({ name }) => name)
  const goal = new FramesGoal([{ name: keyFrames.name, frames }], 1)
  const planner = stepPlanner({ seed, strategy: 'random', examples: 0, guide: NOTHING, resumed: [] }, goal)
  const found = () => goal.found(keyFrames.name)
  let [executions, failure]: [number, unknown] = [0, undefined]
  while (found() === undefined ? executions < runs : shrink && !goal.isDone) {
    if (found() === undefined) executions++
    const plan = planner.next()
    const ran = runPlan(cluster, keyFrames, plan, seed)
    if (found() === undefined) failure ??= ran.failure
    planner.observe(plan, ran.result)
  }
  const [{ reached, doubt } = { reached: 0, doubt: undefined }] = goal.states
  const searched = { reached, missing: frames[reached], doubt, executions, failure }
  const { kept, pieces } = found() ?? {}
  if (kept === undefined || pieces === undefined) return { found: undefined, ...searched }
  const chanceSeed = Number(kept.others[0]!.value)
  return { found: { pieces, requests: requestsOf(cluster, chanceSeed), chanceSeed }, ...searched }
}

/**
 * Replays an execution that was found.
 *
 * @public
 */
export function runFramed(cluster: ClusterOptions, keyFrames: KeyFrames, execution: FramedExecution): FramedRun {
  const { pieces, requests, chanceSeed } = execution
  const steps = pieces.flat()
  // A number that a changed cluster does not have is the default step.
  const tape = new Tape(({ index, max }) => (steps[index]! <= max ? steps[index] : undefined))
  const { watch, simulation, failure } = run(cluster, keyFrames, requests, chanceSeed, tape, steps.length)
  const { steps: at } = watch.reached[0]!
  const words = at.map((end, frame) => {
    return simulation.codes.describeAll(steps.slice(frame === 0 ? 0 : at[frame - 1]! + 1, end + 1))
  })
  return { at, log: simulation.log, words, failure }
}

/** Runs a plan. The first choice is the seed of the nodes' randomness, and of generated requests. */
function runPlan(cluster: ClusterOptions, keyFrames: KeyFrames, { choices }: Plan, seed: number) {
  const tape = new Tape(sourceOf(choices))
  const otherwise = () => seed >>> 0
  const chanceSeed = tape.draw('schedule', 'chance', 0, 0xffff_ffff, { kind: 'seed', otherwise })
  const ran = run(cluster, keyFrames, requestsOf(cluster, chanceSeed), chanceSeed, tape)
  const { simulation, execution, failure } = ran
  const result: ExecutionResult = {
    verdict: failure === undefined ? 'passed' : 'failed',
    inputChoices: 0,
    points: execution.performed.length,
    chains: simulation.nodes.length,
    durationUs: simulation.nowUs,
    observation: { ...UNOBSERVED, choices: () => tape.record(), cluster: execution.observation() },
  }
  return { result, failure }
}

/** What the planner of clusters asks of an observation beside these, a search for frames does not use. */
const UNOBSERVED = {
  ...{ counters: [], comparisons: undefined, order: [], happensBefore: 0, products: [] },
  ...{ notes: new Map<string, number>(), targets: new Map<string, number>(), timeline: () => [] },
}

function sourceOf(choices: Plan['choices']): ChoiceSource {
  if (choices.from !== 'record' && choices.from !== 'mutation')
    throw new Error(`no execution is run from ${choices.from}`)
  const { source } = replaySource(choices.choices)
  if (choices.from === 'record') return source
  const draws = chance(STEP_SALT, choices.name.seed)
  return (asked) => source(asked) ?? asked.suggest?.(draws) ?? draws.bits()
}

function requestsOf({ requests = [] }: ClusterOptions, seed: number): readonly Data[] {
  if (Array.isArray(requests)) return requests
  return fc.sample(requests as fc.Arbitrary<readonly Data[]>, { seed: seed | 0, numRuns: 1 })[0]!
}

/** Runs steps until all frames are passed, an error is thrown, or there are too many since the last frame. */
function run(
  cluster: ClusterOptions,
  keyFrames: KeyFrames,
  requests: readonly Data[],
  chanceSeed: number,
  tape: Tape,
  most = Number.POSITIVE_INFINITY,
) {
  const random = chance(NODE_SALT, chanceSeed)
  const onSettled = () => watch.settled(simulation.step)
  const simulation: Simulation = new Simulation({ cluster, requests, random: () => random.unit(), onSettled })
  const watch = new FrameWatch([keyFrames], simulation.view)
  const schedule = (label: string, max: number, suggest: (chance: Chance) => number) =>
    tape.draw('schedule', label, 0, max, { kind: 'step', suggest })
  const execution = new ClusterExecution(simulation, { schedule }, { watch })
  const { codes } = simulation
  const { steps: at, frames } = watch.reached[0]!
  const isOver = (step: number) => step >= most || step > (at.at(-1) ?? -1) + (cluster.steps ?? DEFAULT_STEPS)
  let failure: unknown
  try {
    withoutRealTimers(() => {
      simulation.start()
      for (let step = 0; at.length < frames.length && !isOver(step); step++) {
        simulation.step = step
        const code = execution.next(step, codes.max, (draws) => suggestStep(simulation, draws))
        // Unless it throws; then it was.
        execution.performed[step] = true
        execution.performed[step] = simulation.perform(codes.steps[code]!)
      }
    })
  } catch (error) {
    failure = error
  } finally {
    simulation.system.finish?.()
  }
  return { watch, execution, simulation, failure }
}
