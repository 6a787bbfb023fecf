/**
 * Searches for an execution that passes key frames in order, piece by piece: the steps that lead to
 * the first frame are a tape of their own, kept as soon as they are found; from there on the second
 * is searched, and so on. What would take chance the product of all transitions takes the sum of
 * them.
 *
 * Not every execution that reaches a frame can reach the next, so of each frame several beginnings
 * are kept, and half of the attempts go on from the furthest frame reached, a quarter from the one
 * before, and so on back to the start: a beam that never stops looking for other ways. A beginning
 * that was tried long gives its place to a newer one.
 *
 * Pure: it says what to run next and is told what came of it. Invariants: the n-th attempt is a
 * function of the seed and of what came of those before; beginnings are kept as what was drawn, so
 * they reach their frame again.
 */
import { type Chance, chance, mix } from '../../tape/chance.ts'
import { NATURAL } from '../steps.ts'

/**
 * Steps that reach a frame. `Input` is what the clients ask for, in whatever form the one who runs
 * it has it.
 */
export interface Beginning<Input> {
  /** Frames reached. */
  readonly reached: number
  /** The numbers of the steps; the last one reaches the last of these frames. */
  readonly steps: readonly number[]
  /** The step at which each of the frames was reached. */
  readonly at: readonly number[]
  /** Undefined where nothing was drawn yet: it is drawn anew. */
  readonly input: Input | undefined
}

/** What to run: a beginning, then natural steps at some places, and chance at the others. */
export interface Attempt<Input> {
  readonly from: Beginning<Input>
  /** The numbers of steps by ordinal; those that are left out are chance's. */
  readonly steps: ReadonlyMap<number, number>
  /** What chance is to be seeded with: 32 bits. */
  readonly seed: number
}

/** Beginnings that are kept of each frame. */
const KEPT = 8
/** A beginning that was tried so often gives way to a newer one. */
const WORN = 24
/** How many of the steps by chance are natural, in attempts of different styles. */
const CALM_SHARES = [0, 0.5, 0.8, 0.9, 0.97] as const

interface Kept<Input> extends Beginning<Input> {
  tries: number
}

export class FrameSearch<Input> {
  readonly #chance: Chance
  readonly #total: number
  /** Beginnings by how many frames they reach; the first is the start of all. */
  readonly #levels: Kept<Input>[][]
  /** The most frames that one execution reached. */
  reached = 0
  attempts = 0
  /** The steps that reach all frames. */
  found: Beginning<Input> | undefined

  /** @param total how many frames there are */
  constructor(seed: number, total: number) {
    this.#chance = chance(mix(seed ^ 0x6672616d))
    this.#total = total
    const start: Kept<Input> = { reached: 0, steps: [], at: [], input: undefined, tries: 0 }
    this.#levels = Array.from({ length: total }, (_, level) => (level === 0 ? [start] : []))
  }

  /** @param steps scheduled steps that the execution may have behind the beginning */
  next(steps: number): Attempt<Input> {
    this.attempts++
    const from = this.#pick()
    const known = new Map(from.steps.entries())
    // The first to follow a beginning is what happens by itself.
    const calm = from.tries++ === 0 ? 1 : CALM_SHARES[this.#chance.integer(0, CALM_SHARES.length - 1)]!
    for (let more = 0; more < steps; more++) if (this.#chance.coin(calm)) known.set(from.steps.length + more, NATURAL)
    return { from, steps: known, seed: this.#chance.bits() }
  }

  /**
   * Takes note of what an execution reached, be it one that this search asked for or not.
   *
   * @param at the step at which each frame was reached
   * @param drawn the numbers of all its steps
   * @param input what its clients asked for; called only where it is to be kept
   */
  observe(at: readonly number[], drawn: readonly number[], input: () => Input): void {
    this.reached = Math.max(this.reached, at.length)
    for (let reached = 1; reached <= at.length; reached++) {
      const steps = drawn.slice(0, at[reached - 1]! + 1)
      const beginning = (): Kept<Input> => ({ reached, steps, at: at.slice(0, reached), input: input(), tries: 0 })
      if (reached === this.#total) this.found ??= beginning()
      else this.#keep(reached, steps, beginning)
    }
  }

  /**
   * Keeps a beginning if there is a place for it; it is made only then, since most are not kept.
   */
  #keep(reached: number, steps: readonly number[], make: () => Kept<Input>): void {
    const level = this.#levels[reached]!
    if (level.some((other) => same(other.steps, steps))) return
    const place = placeFor(level, steps.length)
    if (place !== undefined) level[place] = make()
  }

  /**
   * Half of the attempts from the furthest level, a quarter from the one before, …; there the one
   * tried least.
   */
  #pick(): Kept<Input> {
    let level = Math.min(this.reached, this.#total - 1)
    while (level > 0 && (this.#levels[level]!.length === 0 || this.#chance.coin(0.5))) level--
    return this.#levels[level]!.reduce((least, each) => (each.tries < least.tries ? each : least))
  }
}

/**
 * Where among the beginnings of a frame a new one belongs; undefined if those that are there are to
 * stay.
 */
function placeFor(level: readonly Kept<unknown>[], length: number): number | undefined {
  if (level.length < KEPT) return level.length
  const worn = level.findIndex(({ tries }) => tries >= WORN)
  if (worn >= 0) return worn
  const longest = level.reduce((most, each, at) => (each.steps.length > level[most]!.steps.length ? at : most), 0)
  return level[longest]!.steps.length > length ? longest : undefined
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((step, at) => step === other[at])
}

/** Steps cut into pieces: those that lead from each frame to the next. */
export function piecesOf(steps: readonly number[], at: readonly number[]): readonly (readonly number[])[] {
  return at.map((end, frame) => steps.slice(frame === 0 ? 0 : at[frame - 1]! + 1, end + 1))
}
