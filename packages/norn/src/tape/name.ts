/**
 * The name of an execution that was made by chance: one unsigned 64-bit number, 32 bits length and
 * 32 bits seed, as in "Random Fuzzy Thoughts" (finite entropy): the seed says what is drawn, the
 * length after how many choices the tape runs out. It is the shortest thing to paste into a chat.
 *
 * The high 28 bits of the seed decide the input, all 32 the schedule: sixteen schedules share one
 * input.
 */
import type { ExecutionName } from '../contract/plan.ts'

/** How many executions with neighbouring seeds share one input. */
export const SCHEDULES_PER_INPUT = 16

const MAX_WORD = 0xffff_ffff

export function formatName(name: ExecutionName): string {
  return ((BigInt(name.length) << 32n) | BigInt(name.seed)).toString()
}

/** Parses a decimal or 0x-prefixed name; throws a `RangeError` a person can act on. */
export function parseName(text: string): ExecutionName {
  if (!/^(?:\d{1,20}|0x[0-9a-f]{1,16})$/i.test(text.trim())) {
    throw new RangeError(
      `"${text}" does not name an execution: expected one unsigned 64-bit number, as printed by norn`,
    )
  }
  const number = BigInt(text.trim())
  if (number >= 1n << 64n) throw new RangeError(`"${text}" does not fit into 64 bits, so it does not name an execution`)
  return { length: Number(number >> 32n), seed: Number(number & BigInt(MAX_WORD)) }
}

/** The part of a seed that decides the input. */
export function inputSeed(seed: number): number {
  return Math.floor(seed / SCHEDULES_PER_INPUT)
}

/** Which of the schedules of its input an execution is, 0..SCHEDULES_PER_INPUT-1. */
export function scheduleOrdinal(seed: number): number {
  return seed % SCHEDULES_PER_INPUT
}
