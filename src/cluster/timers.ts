/** The timers of all nodes, by name. Those of one node run out in the order in which they are due; its clock is one. */
export interface Timer {
  readonly node: number
  readonly name: string
  readonly dueUs: number
  /** Its place among all things that are due. */
  readonly order: number
}

export class Timers {
  readonly #nodes: Map<string, Timer>[]

  constructor(nodes: number) {
    this.#nodes = Array.from({ length: nodes }, () => new Map())
  }

  get isEmpty(): boolean {
    return this.#nodes.every(({ size }) => size === 0)
  }

  has(node: number): boolean {
    return this.#nodes[node]!.size > 0
  }

  /** Sets a timer, in place of one of the same name. */
  set(timer: Timer): void {
    this.#nodes[timer.node]!.set(timer.name, timer)
  }

  clear(node: number, name: string): void {
    this.#nodes[node]!.delete(name)
  }

  clearAll(node: number): void {
    this.#nodes[node]!.clear()
  }

  /** Takes the timer of a node that is due first, or the one of a name. */
  take(node: number, name?: string): Timer | undefined {
    const timers = this.#nodes[node]!
    const timer = name === undefined ? earliest(timers.values()) : timers.get(name)
    if (timer !== undefined) timers.delete(timer.name)
    return timer
  }

  /** The timer that is due first of all. */
  first(): Timer | undefined {
    let first: Timer | undefined
    for (const timers of this.#nodes) if (timers.size > 0) first = earliest(timers.values(), first)
    return first
  }
}

function earliest(timers: Iterable<Timer>, first?: Timer): Timer | undefined {
  for (const timer of timers) if (first === undefined || isDueBefore(timer, first)) first = timer
  return first
}

/** Whether one thing is due before another. */
export function isDueBefore(
  one: { readonly dueUs: number; readonly order: number },
  other: { readonly dueUs: number; readonly order: number },
): boolean {
  return one.dueUs < other.dueUs || (one.dueUs === other.dueUs && one.order < other.order)
}
