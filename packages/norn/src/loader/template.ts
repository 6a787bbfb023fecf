/**
 * A rewritten text with holes, for what is not a function of the source alone: where the modules are that
 * it imports from, and by which names and numbers its counters and comparisons are known in the process.
 */

/** What stands in a hole: they are numbered. */
export type Fill = (hole: number) => string

/** The name of the array of counters. Uses of imported names are numbered from 0. */
export const COUNTERS = -1
/** The name of the tracer of comparisons. */
export const TRACER = -2
/** The number of the module, by which its scopes tell whose they are. */
export const MODULE = -3
/** The first site of a comparison; the next one is a number below. */
export const FIRST_SITE = -4

/** Marks the holes of a text. @param stem a prefix that does not occur in the source */
export function markHoles(stem: string): Fill {
  return (hole) => `${stem}#${hole};`
}

/** A text with its holes filled. */
export function filled(template: string, stem: string, fill: Fill): string {
  const parts = template.split(`${stem}#`)
  let text = parts[0]!
  for (let at = 1; at < parts.length; at++) {
    const part = parts[at]!
    const end = part.indexOf(';')
    text += fill(Number(part.slice(0, end))) + part.slice(end + 1)
  }
  return text
}
