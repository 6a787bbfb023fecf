/** The techniques that are compared. */
import type { Technique } from './trial.ts'

/** The technique that the others are compared with. */
export const MODEL: Technique = { guide: 'model', policy: 'norn' }
export const NONE: Technique = { guide: 'none', policy: 'norn' }
/** The model guides, and where the library diverges from it, that is a failure: `--conformance`. */
export const CONFORMANCE: Technique = { guide: 'conformance', policy: 'norn' }

export const TECHNIQUES: readonly Technique[] = [
  NONE,
  { guide: 'trace', policy: 'norn' },
  { guide: 'line', policy: 'norn' },
  MODEL,
  { guide: 'model', policy: 'modelfuzz' },
]

/** A technique in texts and legends. */
export function labelOf({ guide, policy }: Technique): string {
  return policy === 'norn' ? guide : `ModelFuzz, ${guide}`
}
