/**
 * What an arena asks about the memory that its values take. A platform that has a limit implements
 * it.
 */
import { TlaError } from '../error.ts'

export interface Memory {
  /** The limit, for messages: `Node's heap has 4345 MB`. */
  readonly limit: string
  /** Bytes for long-lived objects; `Infinity` if no limit is known. */
  readonly room: number
  /** Whether it is time to look for garbage among the values. */
  isTight(): boolean
  /** Whether exploration has to end, between two states. */
  isFull(): boolean
  /** Whether the expression under evaluation has to end. */
  isOverfull(): boolean
  /** Bytes that the process holds. */
  heldBytes(): number
  /**
   * Replaces the objects that nothing else references by undefined.
   *
   * @param isKept whether the object at an index stays in any case
   * @returns how many were dropped; 0 where the platform cannot tell
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

/**
 * No memory is left to go on with an expression. It has no place if the expression is not the
 * cause.
 */
export class HeapFull extends TlaError {
  override readonly isFatal = true

  constructor({ limit }: Memory) {
    super('evaluation', `this makes more values than memory can hold: ${limit}`)
  }
}
