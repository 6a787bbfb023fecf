/**
 * The lock that a write takes of its inode: whoever writes next waits for it.
 *
 * Here nobody waits: the next write, or truncation, has the one that is half done finished first. Invariant: the rest of a
 * write is done once, by whomever; how it came out is told to the write itself alone.
 */
import type { Inode } from './inode.ts'

/** The rest of a write, which holds the lock of the inode until it is done, by whomever. */
export function holding<Result>(inode: Inode, rest: () => Result): () => Result {
  let outcome: { readonly result: Result } | { readonly error: unknown } | undefined
  const finish = () => {
    if (inode.finishWrite === finish) inode.finishWrite = undefined
    try {
      outcome ??= { result: rest() }
    } catch (error) {
      outcome = { error }
    }
  }
  inode.finishWrite = finish
  return () => {
    finish()
    if ('error' in outcome!) throw outcome.error
    return outcome!.result
  }
}
