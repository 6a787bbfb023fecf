/**
 * The inode lock of a write. Nobody waits for it: the next write or truncation finishes the one
 * that is half done. Invariant: the rest of a write runs once, whoever runs it; only the write
 * itself learns its result.
 */
import type { Inode } from './inode.ts'

/** Takes the lock for the rest of a write; the returned function finishes it. */
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
