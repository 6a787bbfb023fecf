/**
 * Errors that are reported in a few lines, without a stack: the reader is to change the call, not
 * norn.
 */

/** The call or its input is wrong. */
export class UsageError extends Error {}

/** The call is right, but nothing can be decided. */
export class UndecidedError extends Error {}
