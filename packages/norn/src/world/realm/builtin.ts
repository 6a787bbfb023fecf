/** What norn says of a builtin module: how it treats its functions and classes. */

/**
 * - `controlled`: determined by the program and the tape. The tape draws its latency.
 * - `gated`: the tape decides when; the value is the real one, and varies between runs.
 * - `uncontrolled`: makes the execution inconclusive, by the name listed here.
 * - `plain`: needs no control. The same arguments give the same result at once, on one machine.
 */
export type Kind = 'controlled' | 'gated' | 'uncontrolled' | 'plain'

export const KINDS: readonly Kind[] = ['controlled', 'gated', 'uncontrolled', 'plain']

/** Names of functions and classes by kind, separated by spaces; or the kind of the whole module. */
export interface Builtin extends Readonly<Partial<Record<Kind, string>>> {
  readonly is?: Kind
  /** Shown below the names in docs/builtins.md. */
  readonly note?: string
}

/** By the name of the module; globals that no module exports are under `globals`. */
export type Builtins = Readonly<Record<string, Builtin>>

/** The names of one kind. */
export function namesOf(builtin: Builtin, kind: Kind): string[] {
  return builtin[kind]?.split(' ') ?? []
}
