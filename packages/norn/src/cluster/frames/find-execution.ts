/**
 * Finds an execution of a cluster that passes key frames, outside of a campaign: in any test
 * runner, synchronously. The result replays, and is a function of the seed as long as nodes take
 * chance and time from their context.
 *
 * Each piece may have as many steps as the cluster has; the calm that follows an execution, and the
 * last check, are left out.
 */
import fc from 'fast-check'
import { chance } from '../../tape/chance.ts'
import type { ClusterOptions } from '../definition.ts'
import type { LogEntry } from '../log.ts'
import { withoutRealTimers } from '../no-real-timers.ts'
import { DEFAULT_STEPS } from '../run.ts'
import { Simulation } from '../simulation.ts'
import { NATURAL } from '../steps.ts'
import { suggestStep } from '../suggestion.ts'
import type { Data } from '../system.ts'
import { FrameSearch, piecesOf } from './frame-search.ts'
import { FrameWatch } from './frame-watch.ts'
import type { KeyFrames } from './key-frames.ts'
import { type Pieces, shrinkPieces } from './shrink-pieces.ts'
import { stepWords } from './step-words.ts'

export interface FindOptions {
  /** What the search begins with; 0 unless set. */
  readonly seed?: number
  /** Executions at most; 10,000 unless set. */
  readonly runs?: number
  /** Whether what is found is made small; so unless set. */
  readonly shrink?: boolean
}

/**
 * An execution that passes key frames: for each the steps that lead to it from the one before, by
 * number.
 */
export interface FramedExecution {
  readonly pieces: Pieces
  readonly requests: readonly Data[]
  /** What nodes that ask for chance are given. */
  readonly chanceSeed: number
}

export interface FramesSearched {
  /** Undefined if none was found. */
  readonly found: FramedExecution | undefined
  /** The most frames that one execution passed, and the name of the next. */
  readonly reached: number
  readonly missing: string | undefined
  /**
   * What may be wrong with that one: what its predicate threw, or a path at which there never was
   * anything.
   */
  readonly doubt: string | undefined
  /** Until it was found, or the budget was spent. */
  readonly executions: number
  /** What the first execution threw that failed on its way. */
  readonly failure: unknown
}

export interface FramedRun {
  /** The step at which each frame was reached. */
  readonly at: readonly number[]
  readonly log: readonly LogEntry[]
  /** The steps of each piece in words; several of a kind in a row are one. */
  readonly words: readonly (readonly string[])[]
  readonly failure: unknown
}

const DEFAULT_RUNS = 10_000
const [NODE_SALT, STEP_SALT] = [0x6e6f6465, 0x73746570]

/** Clients ask the same of a beginning each time, and nodes get the same chance. */
interface Input {
  readonly requests: readonly Data[]
  readonly chanceSeed: number
}

/** Searches for an execution that passes the frames in order. */
export function findExecution(
  cluster: ClusterOptions,
  keyFrames: KeyFrames,
  options: FindOptions = {},
): FramesSearched {
  const { seed = 0, runs = DEFAULT_RUNS, shrink = true } = options
  const search = new FrameSearch<Input>(seed, keyFrames.frames.length)
  const steps = cluster.steps ?? DEFAULT_STEPS
  let executions = 0
  let failure: unknown
  let doubt: string | undefined
  while (search.found === undefined && executions < runs) {
    executions++
    const attempt = search.next(steps)
    const input = attempt.from.input ?? drawInput(cluster, attempt.seed)
    const draws = chance(STEP_SALT, attempt.seed)
    const count = attempt.from.steps.length + steps
    const ran = run(cluster, keyFrames, input, count, (ordinal, simulation) => {
      return attempt.steps.get(ordinal) ?? suggestStep(simulation, draws)
    })
    failure ??= ran.failure
    if (ran.at.length >= search.reached) doubt = ran.doubt
    search.observe(ran.at, ran.drawn, () => input)
  }
  const { found, reached } = search
  const missing = keyFrames.frames[reached]?.name
  if (found === undefined) return { found, reached, missing, doubt, executions, failure }
  const input = found.input!
  const pieces = piecesOf(found.steps, found.at)
  const small = shrink ? shrunk(cluster, keyFrames, input, pieces) : pieces
  return { found: { pieces: small, ...input }, reached, missing, doubt: undefined, executions, failure }
}

/** Runs an execution that was found once more. */
export function runFramed(cluster: ClusterOptions, keyFrames: KeyFrames, execution: FramedExecution): FramedRun {
  const steps = execution.pieces.flat()
  const { at, drawn, simulation, failure } = run(cluster, keyFrames, execution, steps.length, (at) => steps[at]!)
  const words = piecesOf(drawn, at).map((piece) => stepWords(simulation.codes, piece))
  return { at, log: simulation.log, words, failure }
}

function shrunk(cluster: ClusterOptions, keyFrames: KeyFrames, input: Input, pieces: Pieces): Pieces {
  const shrinking = shrinkPieces(pieces)
  let next = shrinking.next()
  while (!next.done) {
    const candidate = next.value
    next = shrinking.next(run(cluster, keyFrames, input, candidate.length, (ordinal) => candidate[ordinal]!))
  }
  return next.value
}

function drawInput({ requests = [] }: ClusterOptions, chanceSeed: number): Input {
  if (Array.isArray(requests)) return { requests, chanceSeed }
  const arbitrary = requests as fc.Arbitrary<readonly Data[]>
  return { requests: fc.sample(arbitrary, { seed: chanceSeed | 0, numRuns: 1 })[0]!, chanceSeed }
}

interface Ran {
  readonly at: readonly number[]
  readonly drawn: readonly number[]
  readonly doubt: string | undefined
  readonly failure: unknown
  readonly simulation: Simulation
}

/** Runs steps until all frames are passed, something fails, or there are no more. */
function run(
  cluster: ClusterOptions,
  keyFrames: KeyFrames,
  { requests, chanceSeed }: Input,
  count: number,
  stepAt: (ordinal: number, simulation: Simulation) => number,
): Ran {
  const random = chance(NODE_SALT, chanceSeed)
  const drawn: number[] = []
  const onSettled = () => watch.settled(simulation.step)
  const simulation: Simulation = new Simulation({ cluster, requests, random: () => random.unit(), onSettled })
  const watch = new FrameWatch([keyFrames], simulation.view)
  const [progress] = watch.reached
  let failure: unknown
  try {
    withoutRealTimers(() => {
      simulation.start()
      for (let ordinal = 0; ordinal < count && progress!.steps.length < progress!.frames.length; ordinal++) {
        simulation.step = ordinal
        const step = stepAt(ordinal, simulation)
        drawn.push(step)
        // A step that a cluster of another shape does not have means nothing here.
        simulation.perform(simulation.codes.steps[step] ?? simulation.codes.steps[NATURAL]!)
      }
    })
  } catch (error) {
    failure = error
  } finally {
    simulation.system.finish?.()
  }
  const [{ doubt } = { doubt: undefined }] = watch.reached
  return { at: progress!.steps, drawn, doubt, failure, simulation }
}
