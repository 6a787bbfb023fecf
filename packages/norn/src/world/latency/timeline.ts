/**
 * The timeline of an execution: when, in virtual time, each of its late-able moments came. With it
 * a mutation can say "behind the next one" where it would else have to guess an amount: the gaps
 * between two moments are as often one microsecond wide as a thousand.
 */
import type { Choice } from '../../contract/choice.ts'
import type { Moment } from '../../contract/observation.ts'

/** How many of the next moments one may be moved behind. */
const AHEAD = 3

export class Timeline {
  /**
   * In the order of time, those of one kind apart: effects among effects, callbacks and timers
   * among each other.
   */
  readonly #effects: Moment[] = []
  readonly #tasks: Moment[] = []
  readonly #places = new Map<string, number>()

  constructor(moments: readonly Moment[]) {
    for (const moment of moments) {
      const line = this.#line(moment.point)
      this.#places.set(keyOf(moment), line.length)
      line.push(moment)
    }
  }

  /**
   * How much later, in microseconds, the moment of a choice has to come to fall just behind one
   * that is near to the moment of another choice (negative: how much earlier); undefined if one of
   * them is about no moment, or they are the same.
   *
   * @param steps how many moments behind that one's, or before it
   */
  toward(choice: Choice, other: Choice, steps: number): number | undefined {
    const [own, to] = [momentOf(choice), momentOf(other)]
    const line = own && this.#line(own.point)
    if (own === undefined || to === undefined || line === undefined) return undefined
    const from = this.#places.get(keyOf(own))
    // What is no moment of the same line stands in it where its time is.
    const atUs = this.#line(to.point)[this.#places.get(keyOf(to)) ?? -1]?.atUs
    if (from === undefined || atUs === undefined) return undefined
    const near = line.findIndex((moment) => moment.atUs >= atUs)
    const target = line[near + steps]
    if (near === -1 || target === undefined || target === line[from]) return undefined
    return target.atUs - line[from]!.dueUs + 1
  }

  /**
   * How much later, in microseconds, the moment of a choice has to come to fall behind one of the
   * next, or how much earlier (negative) to fall before one of the last; undefined if the choice is
   * about no moment, or none is there.
   *
   * @param steps how many moments further, from 1 to AHEAD, or back
   */
  distance(choice: Choice, steps: number): number | undefined {
    const moment = momentOf(choice)
    const place = moment && this.#places.get(keyOf(moment))
    if (moment === undefined || place === undefined) return undefined
    const line = this.#line(moment.point)
    const other = line[place + steps]
    if (other === undefined) return undefined
    return other.atUs - line[place]!.dueUs + Math.sign(steps)
  }

  /**
   * The place, among the tasks in their order, of the one that a choice is about; undefined if it
   * is about none.
   */
  taskOf(choice: Choice): number | undefined {
    const moment = momentOf(choice)
    if (moment === undefined) return undefined
    const point = moment.point === 'effect' ? 'callback' : moment.point
    return this.#places.get(keyOf({ ...moment, point }))
  }

  /**
   * The schedule in which a task comes before those just before it: all of them fall just behind
   * it, in their order, except those on which it depends. Not even with nothing late could it come
   * earlier by itself.
   *
   * @param from the first of the tasks that are passed
   * @param steps how many tasks further the one stands that passes them
   * @returns undefined if there is no such task, or nothing to be late
   */
  promoted(schedule: readonly Choice[], from: number, steps: number): Choice[] | undefined {
    const target = this.#tasks[from + steps]
    if (target === undefined) return undefined
    const lateness = new Map<string, number>()
    for (const passed of this.#tasks.slice(from, from + steps)) {
      if (passed.chain === target.chain) continue
      lateness.set(keyOf(passed), target.atUs - passed.dueUs + 1 + lateness.size)
    }
    let changed = false
    const later = schedule.map((choice) => {
      const moment = lateness.size === 0 ? undefined : momentOf(choice)
      const byUs = moment && lateness.get(keyOf(moment))
      if (byUs === undefined) return choice
      changed = true
      return { ...choice, value: Math.min(Number(choice.max), Number(choice.value) + byUs) }
    })
    return changed ? later : undefined
  }

  /** How many tasks there are. */
  get tasks(): number {
    return this.#tasks.length
  }

  #line(point: Moment['point']): Moment[] {
    return point === 'effect' ? this.#effects : this.#tasks
  }
}

/** Draws how many moments further or back something is to go. */
export function drawSteps(chance: {
  integer(min: number, max: number): number
  coin(probability: number): boolean
}): number {
  return chance.integer(1, AHEAD) * (chance.coin(0.75) ? 1 : -1)
}

function keyOf({ step, point }: Pick<Moment, 'step' | 'point'>): string {
  return `${step} ${point}`
}

/** The moment that a choice of the schedule decides about. */
function momentOf({ subject }: Choice): Pick<Moment, 'step' | 'point'> | undefined {
  if (subject === undefined || subject.ordinal > 0) return undefined
  const { step, point } = subject
  return point === 'effect' || point === 'callback' || point === 'timer' ? { step, point } : undefined
}
