/**
 * From which execution on it is worth while to share modules.
 *
 * Preparing costs about as much as some loadings. Where the search says how much it has left, that decides. Without,
 * preparing begins once loading has cost as much: so it at most doubles what loading would have cost.
 */

/** How much of a search is left, at most, as a multiple of what has been done. */
export type Ahead = () => number

/** What preparing costs, in milliseconds, and for each byte of source; about what it took for ten programs. */
const PREPARING_MS = 400
const PREPARING_MS_PER_BYTE = 1 / 1500
/** Executions whose code is not hot yet: they take several times as long as later ones. */
const COLD = 16

interface Loading {
  /** What the modules take to load in one execution, in milliseconds. */
  readonly loadingMs: number
  /** Of their sources. */
  readonly bytes: number
  /** Executions so far. */
  readonly done: number
  /** Those that are expected; 0 if nothing is known. */
  readonly ahead: number
}

/** @returns the execution, counted from 1, in which preparing begins */
export function worthwhileAt({ loadingMs, bytes, done, ahead }: Loading): number {
  const preparingMs = PREPARING_MS + bytes * PREPARING_MS_PER_BYTE
  return loadingMs * ahead > preparingMs ? Math.max(COLD, done + 1) : Math.ceil(preparingMs / loadingMs)
}
