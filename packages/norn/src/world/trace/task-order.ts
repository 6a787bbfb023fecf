/**
 * The order of tasks in an execution, as hashes, and its happens-before class (Mazurkiewicz
 * traces).
 *
 * Tasks are callbacks, timers and immediates; they share one memory, so their whole order counts.
 * Effects on files count only where two meet on one path and one changes it: executions of one
 * class look the same to the program. Invariant: a task's hash is a function of its label, equal in
 * every process.
 */
import type { TraceEventKind } from '../../contract/trace.ts'

export interface TaskOrder {
  /** 32-bit hashes of the tasks, in the order they ran. */
  readonly tasks: readonly number[]
  /** 32-bit hash of the happens-before class. */
  readonly happensBefore: number
}

/** The order of an execution that ran only its body. */
export const NO_ORDER: TaskOrder = { tasks: [], happensBefore: 0 }

/** Operations that change nothing, so that their order among themselves does not count. */
const READING = new Set(['stat', 'lstat', 'fstat', 'statfs', 'access', 'read', 'scandir', 'readlink', 'realpath'])

/** An event of the log, as far as the order needs it. */
export interface OrderedEvent {
  readonly event: TraceEventKind
  readonly chain: string
  readonly index: number
  readonly kind: string
  readonly resource: string
}

interface ResourceOrder {
  hash: number
  /** A hash of the reads since the last change, in any order. */
  readers: number
}

export class TaskOrderBuilder {
  readonly #tasks: number[] = []
  readonly #resources = new Map<string, ResourceOrder>()
  #sequence = 0

  add({ event, chain, index, kind, resource }: OrderedEvent): void {
    if (event === 'callback' || event === 'timer' || event === 'immediate') {
      const task = hashOf(chain, index)
      this.#tasks.push(task)
      this.#sequence = follow(this.#sequence, task)
    } else if (event === 'effect' || event === 'fault') this.#effect(hashOf(chain, index), kind, resource)
  }

  get(): TaskOrder {
    let happensBefore = this.#sequence
    for (const [resource, { hash, readers }] of this.#resources) {
      happensBefore = (happensBefore + follow(hashOf(resource, 0), follow(hash, readers))) | 0
    }
    return { tasks: this.#tasks, happensBefore: happensBefore >>> 0 }
  }

  #effect(step: number, kind: string, resource: string): void {
    let order = this.#resources.get(resource)
    if (order === undefined) this.#resources.set(resource, (order = { hash: 0, readers: 0 }))
    if (READING.has(kind)) {
      order.readers = (order.readers + follow(step, 1)) | 0
      return
    }
    order.hash = follow(follow(order.hash, order.readers), step)
    order.readers = 0
  }
}

function follow(before: number, next: number): number {
  let hash = Math.imul(before ^ next, 0x85ebca6b)
  hash ^= hash >>> 15
  return Math.imul(hash + next, 0xc2b2ae35) | 0
}

/** FNV-1a. */
function hashOf(text: string, number: number): number {
  let hash = 0x811c9dc5 ^ number
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
