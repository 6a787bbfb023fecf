/**
 * Lanes: the three separate sequences of choices that a tape holds.
 *
 * They are kept apart so that a change in one does not shift the others: another input keeps the schedule, another
 * schedule keeps the input.
 */
export const LANES = ['input', 'schedule', 'fault'] as const

export type Lane = (typeof LANES)[number]
