/**
 * The timeline of an execution: the virtual time of each schedule point. With it a mutation can
 * move an operation behind the next one, instead of guessing a latency: gaps between schedule
 * points vary from one microsecond to thousands.
 */
import type { Choice } from '../../contract/choice.ts'
import type { Moment } from '../../contract/observation.ts'

/** Schedule points that one moves behind, at most. */
const AHEAD = 3

export class Timeline {
  /** In the order of time: effects, then callbacks and timers. */
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
   * The latency in microseconds (negative: earlier) that moves a choice just behind the schedule
   * point `steps` after that of another choice; undefined if there is none, or they are the same.
   */
  toward(choice: Choice, other: Choice, steps: number): number | undefined {
    const [own, to] = [pointOf(choice), pointOf(other)]
    const line = own && this.#line(own.point)
    if (own === undefined || to === undefined || line === undefined) return undefined
    const from = this.#places.get(keyOf(own))
    // A point of the other kind is located by its time.
    const atUs = this.#line(to.point)[this.#places.get(keyOf(to)) ?? -1]?.atUs
    if (from === undefined || atUs === undefined) return undefined
    const near = line.findIndex((moment) => moment.atUs >= atUs)
    const target = line[near + steps]
    if (near === -1 || target === undefined || target === line[from]) return undefined
    return target.atUs - line[from]!.dueUs + 1
  }

  /**
   * The latency in microseconds (negative: earlier) that moves a choice behind a later schedule
   * point, or before an earlier one; undefined if there is none.
   *
   * @param steps from 1 to AHEAD, or from -1 to -AHEAD
   */
  distance(choice: Choice, steps: number): number | undefined {
    const moment = pointOf(choice)
    const place = moment && this.#places.get(keyOf(moment))
    if (moment === undefined || place === undefined) return undefined
    const line = this.#line(moment.point)
    const other = line[place + steps]
    if (other === undefined) return undefined
    return other.atUs - line[place]!.dueUs + Math.sign(steps)
  }

  /** The index of the task that a choice delays; undefined if it delays none. */
  taskOf(choice: Choice): number | undefined {
    const moment = pointOf(choice)
    if (moment === undefined) return undefined
    const point = moment.point === 'effect' ? 'callback' : moment.point
    return this.#places.get(keyOf({ ...moment, point }))
  }

  /**
   * The schedule that moves a task before those just before it, by delaying these, in their order,
   * except those of its own chain.
   *
   * @param from the index of the first task that is passed
   * @param steps the distance from there to the task that moves
   * @returns undefined if there is no such task, or no latency to change
   */
  promoted(schedule: readonly Choice[], from: number, steps: number): Choice[] | undefined {
    const target = this.#tasks[from + steps]
    if (target === undefined) return undefined
    const latencies = new Map<string, number>()
    for (const passed of this.#tasks.slice(from, from + steps)) {
      if (passed.chain === target.chain) continue
      latencies.set(keyOf(passed), target.atUs - passed.dueUs + 1 + latencies.size)
    }
    let changed = false
    const later = schedule.map((choice) => {
      const moment = latencies.size === 0 ? undefined : pointOf(choice)
      const byUs = moment && latencies.get(keyOf(moment))
      if (byUs === undefined) return choice
      changed = true
      return { ...choice, value: Math.min(Number(choice.max), Number(choice.value) + byUs) }
    })
    return changed ? later : undefined
  }

  /** The number of tasks. */
  get tasks(): number {
    return this.#tasks.length
  }

  #line(point: Moment['point']): Moment[] {
    return point === 'effect' ? this.#effects : this.#tasks
  }
}

/** Draws the steps for `distance`. */
export function drawSteps(chance: {
  integer(min: number, max: number): number
  coin(probability: number): boolean
}): number {
  return chance.integer(1, AHEAD) * (chance.coin(0.75) ? 1 : -1)
}

function keyOf({ step, point }: Pick<Moment, 'step' | 'point'>): string {
  return `${step} ${point}`
}

/** The schedule point that a choice delays. */
function pointOf({ subject }: Choice): Pick<Moment, 'step' | 'point'> | undefined {
  if (subject === undefined || subject.ordinal > 0) return undefined
  const { step, point } = subject
  return point === 'effect' || point === 'callback' || point === 'timer' ? { step, point } : undefined
}
