/** Errors that are reported without a stack. */

/** The call or its input is wrong. */
export class UsageError extends Error {}

/** The call is valid, but its outcome is inconclusive. */
export class UndecidedError extends Error {}
