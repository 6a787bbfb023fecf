/** The timers of all nodes, by name. The timers of one node fire in the order of their due times. */
export interface Timer {
  readonly node: number
  readonly name: string
  readonly dueUs: number
  /** Decides between messages and timers that are due at the same time. */
  readonly order: number
}

export class Timers {
  /** By node; undefined until the node sets a timer. */
  readonly #nodes: (Map<string, Timer> | undefined)[]

  constructor(nodes: number) {
    this.#nodes = new Array<undefined>(nodes).fill(undefined)
  }

  get isEmpty(): boolean {
    return this.#nodes.every((timers) => timers === undefined || timers.size === 0)
  }

  has(node: number): boolean {
    return (this.#nodes[node]?.size ?? 0) > 0
  }

  /** Sets a timer, or replaces the one of the same name. */
  set(timer: Timer): void {
    const timers = (this.#nodes[timer.node] ??= new Map())
    timers.set(timer.name, timer)
  }

  clear(node: number, name: string): void {
    this.#nodes[node]?.delete(name)
  }

  clearAll(node: number): void {
    this.#nodes[node]?.clear()
  }

  /** Removes a timer of a node. @param name the timer that is due first unless given */
  take(node: number, name?: string): Timer | undefined {
    const timers = this.#nodes[node]
    if (timers === undefined) return undefined
    const timer = name === undefined ? earliest(timers.values()) : timers.get(name)
    if (timer !== undefined) timers.delete(timer.name)
    return timer
  }

  /** The timer that is due first among those of all nodes. */
  first(): Timer | undefined {
    let first: Timer | undefined
    for (const timers of this.#nodes) if (timers !== undefined) first = earliest(timers.values(), first)
    return first
  }
}

function earliest(timers: Iterable<Timer>, first?: Timer): Timer | undefined {
  for (const timer of timers) if (first === undefined || isDueBefore(timer, first)) first = timer
  return first
}

/** Whether one message or timer is due before another. */
export function isDueBefore(
  one: { readonly dueUs: number; readonly order: number },
  other: { readonly dueUs: number; readonly order: number },
): boolean {
  return one.dueUs < other.dueUs || (one.dueUs === other.dueUs && one.order < other.order)
}
