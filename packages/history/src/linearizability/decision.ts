/** What an algorithm for one kind of object says. Operations are positions in its input. */
export type Decision =
  | { readonly verdict: 'ok' /** A linearization, if it makes one. */; readonly order?: readonly number[] }
  | { readonly verdict: 'illegal' /** Some that contradict each other. */; readonly operations: readonly number[] }
