/** What an arena needs to know about memory; implemented by platforms that have a limit. */
import { TlaError } from '../error/error.ts'

export interface Memory {
  /** The limit, for messages: `Node's heap has 4345 MB`. */
  readonly limit: string
  /** Bytes for long-lived objects; `Infinity` if no limit is known. */
  readonly room: number
  /** Whether to reclaim unreachable values. */
  isTight(): boolean
  /** Whether exploration has to stop between two states. */
  isFull(): boolean
  /** Whether the current evaluation has to stop. */
  isOverfull(): boolean
  /** Bytes that the process holds. */
  heldBytes(): number
  /**
   * Replaces objects that nothing else references by undefined.
   *
   * @param isKept whether to keep the object at an index in any case
   * @returns the number dropped; 0 if the platform cannot tell
   */
  dropUnreachable<Item extends object>(items: (Item | undefined)[], isKept: (at: number) => boolean): number
}

export const UNLIMITED_MEMORY: Memory = {
  limit: 'memory is full',
  room: Number.POSITIVE_INFINITY,
  isTight: () => false,
  isFull: () => false,
  isOverfull: () => false,
  heldBytes: () => 0,
  dropUnreachable: () => 0,
}

/** Out of stack during evaluation. */
export class StackFull extends TlaError {
  override readonly isFatal = true

  constructor() {
    super('evaluation', 'this is nested too deeply to be evaluated: check that recursion has a base case')
  }
}

/** Out of memory during evaluation. It has no location if the expression is not the cause. */
export class HeapFull extends TlaError {
  override readonly isFatal = true

  constructor({ limit }: Memory) {
    super('evaluation', `this makes more values than memory can hold: ${limit}`)
  }
}
