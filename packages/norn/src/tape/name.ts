/**
 * The name of an execution drawn at random: one unsigned 64-bit number, of which 32 bits are the
 * length of the tape and 32 bits the seed (finite entropy, after "Random Fuzzy Thoughts").
 *
 * The high 28 bits of the seed determine the input, all 32 the schedule, so sixteen schedules share
 * an input.
 */
import type { ExecutionName } from '../contract/plan.ts'

/** Executions with neighbouring seeds that share an input. */
export const SCHEDULES_PER_INPUT = 16

const MAX_WORD = 0xffff_ffff

export function formatName(name: ExecutionName): string {
  return ((BigInt(name.length) << 32n) | BigInt(name.seed)).toString()
}

/** @throws RangeError unless the text is a decimal or 0x-prefixed 64-bit number */
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

/** The part of a seed that determines the input. */
export function inputSeed(seed: number): number {
  return Math.floor(seed / SCHEDULES_PER_INPUT)
}

/** The number of an execution among the schedules of its input, 0..SCHEDULES_PER_INPUT-1. */
export function scheduleOrdinal(seed: number): number {
  return seed % SCHEDULES_PER_INPUT
}
