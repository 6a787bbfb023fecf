/**
 * The fingerprint of a failure: its kind, the shape of its message and its innermost user frames.
 * Failures with the same fingerprint are deduplicated. The shape of a message omits numbers, quoted
 * text, paths, names of one letter and the length of lists, which vary with the input and the schedule.
 */
import type { FailureReport } from './execution.ts'
import { REWORDINGS } from './rewordings.ts'
import { reportsStackOverflow } from './stack-overflow.ts'
import { firstStatement, withoutLengths } from './value-lists.ts'

const FRAMES = 2

export function fingerprint(failure: FailureReport): string {
  // Where a hang is noticed, and after how long, is the machine's affair.
  if (failure.kind === 'hang') return 'hang'
  // The frame in which a recursion overflows the stack differs from process to process.
  const reported = reportsStackOverflow(failure.message) ? [] : failure.frames
  const frames = reported.slice(0, FRAMES).map((f) => `${f.functionName}@${f.file}:${f.line}`)
  return [failure.kind, failure.errorName, messageShape(failure.message), ...frames].join('|')
}

/** The first line of a message, without what varies. */
export function messageShape(message: string): string {
  const shape = firstStatement(message)
    .replace(/(["'`])(?:(?!\1).)*\1/g, '$1…$1')
    .replace(/(?:\/[\w.@+-]+){2,}/g, '/…')
    .replace(/\b0x[0-9a-f]+\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, '#')
  const reworded = REWORDINGS.reduce((text, [now, first]) => text.replace(now, first), shape)
  return withoutLengths(reworded.replace(/\b[a-z]\b/gi, '#')).slice(0, 200)
}

/** A short form of a fingerprint, the same on every machine: 32 bits of FNV-1a. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
