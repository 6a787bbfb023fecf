/**
 * Plans a campaign that goes on until all key frames were reached: "how long do I fuzz this
 * change?".
 *
 * Every other execution is the one that the campaign would have planned anyway, and counts for key
 * frames like any; the others are attempts of the searches for those that are not reached yet, in
 * turn. Frames that were reached are shrunk with the executions that were theirs, so that what is
 * told of them is short.
 *
 * Invariant: the n-th plan is a function of the options and the results so far. With `--runs` so is
 * what is reached.
 */

import type { Choice } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { FramesObservation, FramesReached, FramesState } from '../../contract/key-frames.ts'
import type { Observation } from '../../contract/observation.ts'
import { NO_ESTIMATES, type Plan } from '../../contract/plan.ts'
import type { CampaignPlanner, DomainSummary, GuidedOptions } from '../../search/domain.ts'
import { mix } from '../../tape/chance.ts'
import { DEFAULT_STEPS } from '../run.ts'
import type { StepCodes } from '../steps.ts'
import { hashText } from '../trace-class.ts'
import { askForFrames } from './asked.ts'
import { type Attempt, FrameSearch, piecesOf } from './frame-search.ts'
import { type Pieces, type Ran, shrinkPieces } from './shrink-pieces.ts'
import { stepWords } from './step-words.ts'

/** Choices that are no steps: of the input, and of the schedule of the world around the cluster. */
interface Beside {
  readonly input: readonly Choice[]
  readonly schedule: readonly Choice[]
}

/** Key frames, and how the search for them stands. */
interface Sought {
  readonly name: string
  readonly frames: readonly string[]
  readonly search: FrameSearch<Beside>
  foundAt: number | undefined
  /** Of the furthest execution that was seen last. */
  doubt: string | undefined
  shrinking: { readonly run: ReturnType<typeof shrinkPieces>; next: readonly number[]; beside: Beside } | undefined
  pieces: Pieces | undefined
}

/** What a planned execution was for. */
type Purpose = 'campaign' | { readonly sought: Sought }

const OBSERVED = { counters: false, order: false, comparisons: false } as const

/** Lets a planner go on until key frames are reached, if the campaign asks for any. */
export function untilFrames(options: GuidedOptions, planner: CampaignPlanner): CampaignPlanner {
  askForFrames(options.frames)
  if (options.frames === undefined) return planner
  const names = options.frames.map(({ name, frames }) => [name, frames.map((frame) => frame.name)] as const)
  return new FramesPlanner(options.seed, planner, new Map(names))
}

class FramesPlanner implements CampaignPlanner {
  readonly #seed: number
  readonly #planner: CampaignPlanner
  /** The names of the frames of files. */
  readonly #names: ReadonlyMap<string, readonly string[]>
  readonly #sought = new Map<string, Sought>()
  #executions = 0
  #purpose: Purpose = 'campaign'
  #turn = 0
  /** The most scheduled steps that an execution had, and what their numbers mean. */
  #steps = 0
  #codes: StepCodes | undefined

  constructor(seed: number, planner: CampaignPlanner, names: ReadonlyMap<string, readonly string[]>) {
    this.#seed = seed
    this.#planner = planner
    this.#names = names
  }

  get isUnguided(): boolean {
    return this.#purpose === 'campaign' && this.#planner.isUnguided
  }

  get state(): CampaignPlanner['state'] {
    return this.#planner.state
  }

  get kept(): CampaignPlanner['kept'] {
    return this.#planner.kept
  }

  /**
   * Whether all were reached and made short. Which there are, the first execution tells that shows
   * anything.
   */
  get isDone(): boolean {
    return this.#codes !== undefined && this.#open().length === 0
  }

  get summary(): DomainSummary {
    return { ...this.#planner.summary, frames: this.#frames() }
  }

  #frames(): readonly FramesState[] {
    const known = [...this.#sought.values()].map((sought): FramesState => {
      const { name, frames, search, foundAt, doubt, pieces } = sought
      return {
        name,
        frames,
        reached: search.reached,
        directed: search.attempts,
        ...(foundAt === undefined ? {} : { foundAt }),
        ...(foundAt !== undefined || doubt === undefined ? {} : { doubt }),
        ...(pieces === undefined ? {} : { pieces: pieces.map((piece) => stepWords(this.#codes!, piece)) }),
      }
    })
    // Where no execution ended well enough to show anything, files still say what was asked for.
    const unseen = [...this.#names].filter(([name]) => !this.#sought.has(name))
    return [...known, ...unseen.map(([name, frames]) => ({ name, frames, reached: 0, directed: 0 }))]
  }

  next(): Plan {
    const open = this.#open()
    if (this.#executions++ % 2 === 0 || open.length === 0) {
      this.#purpose = 'campaign'
      const plan = this.#planner.next()
      return plan.observe === undefined ? { ...plan, observe: OBSERVED } : plan
    }
    const sought = open[this.#turn++ % open.length]!
    this.#purpose = { sought }
    const { shrinking } = sought
    return shrinking === undefined
      ? this.#attempt(sought.search.next(this.#steps || DEFAULT_STEPS))
      : recordPlan(this.#choices(shrinking.next.entries(), shrinking.beside))
  }

  observe(plan: Plan, result: ExecutionResult): void {
    const purpose = this.#purpose
    if (purpose === 'campaign') this.#planner.observe(plan, result)
    const { observation } = result
    const shown = observation?.cluster?.frames
    if (result.verdict === 'void' || shown === undefined) {
      // What shows nothing passes nothing; else a candidate of a shrinker would be planned for
      // ever.
      if (purpose !== 'campaign' && purpose.sought.shrinking !== undefined)
        this.#shrink(purpose.sought, { at: [], drawn: [] })
      return
    }
    this.#codes = observation!.cluster!.codes as StepCodes
    this.#steps = Math.max(this.#steps, shown.drawn.length)
    for (const reached of shown.reached) this.#observe(reached, shown, observation!, purpose)
  }

  #observe(
    { name, frames, steps, doubt }: FramesReached,
    shown: FramesObservation,
    observation: Observation,
    purpose: Purpose,
  ) {
    const sought = this.#soughtOf(name, frames)
    if (sought.shrinking !== undefined) {
      if (purpose !== 'campaign' && purpose.sought === sought) this.#shrink(sought, { at: steps, drawn: shown.drawn })
      return
    }
    if (sought.pieces !== undefined) return
    // Behind the last step of all nothing can be searched.
    const usable = steps.length === frames.length ? steps : steps.filter((step) => step + 1 < this.#steps)
    sought.search.observe(usable, shown.drawn, () => besideOf(observation))
    const { found, reached } = sought.search
    if (steps.length >= reached) sought.doubt = doubt
    if (found === undefined) return
    sought.foundAt = this.#executions
    const run = shrinkPieces(piecesOf(found.steps, found.at))
    this.#go(sought, run, run.next(), found.input!)
  }

  #shrink(sought: Sought, ran: Ran): void {
    const { run, beside } = sought.shrinking!
    this.#go(sought, run, run.next(ran), beside)
  }

  #go(sought: Sought, run: Run, { done, value }: ReturnType<Run['next']>, beside: Beside): void {
    if (done) {
      sought.pieces = value as Pieces
      sought.shrinking = undefined
    } else sought.shrinking = { run, next: value as readonly number[], beside }
  }

  #soughtOf(name: string, frames: readonly string[]): Sought {
    const known = this.#sought.get(name)
    if (known !== undefined) return known
    const search = new FrameSearch<Beside>(mix(this.#seed ^ hashText(name)), frames.length)
    const sought: Sought = {
      name,
      frames,
      search,
      foundAt: undefined,
      doubt: undefined,
      shrinking: undefined,
      pieces: undefined,
    }
    this.#sought.set(name, sought)
    return sought
  }

  #open(): readonly Sought[] {
    return [...this.#sought.values()].filter(({ pieces }) => pieces === undefined)
  }

  #attempt({ from, steps, seed }: Attempt<Beside>): Plan {
    const choices = this.#choices(steps, from.input ?? { input: [], schedule: [] })
    const name = { seed, length: UNBOUNDED }
    return {
      input: { from: 'tape' },
      choices: { from: 'mutation', choices, strategy: 'random', name, estimates: NO_ESTIMATES },
      observe: OBSERVED,
    }
  }

  #choices(steps: Iterable<readonly [ordinal: number, step: number]>, { input, schedule }: Beside): Choices {
    const max = this.#codes?.max ?? 0
    const drawn = [...steps].map(([ordinal, value]) => ({
      kind: 'step' as const,
      label: String(ordinal),
      min: 0,
      max,
      value,
    }))
    return { input, schedule: [...schedule, ...drawn], fault: [], length: UNBOUNDED }
  }
}

type Run = ReturnType<typeof shrinkPieces>

function recordPlan(choices: Choices): Plan {
  return { input: { from: 'tape' }, choices: { from: 'record', choices }, observe: OBSERVED }
}

function besideOf(observation: Observation): Beside {
  const { input, schedule } = observation.choices()
  return { input, schedule: schedule.filter(({ kind }) => kind !== 'step') }
}
