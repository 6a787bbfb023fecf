/** The mutants of the library. */
import type { Mutant } from '../mutant.ts'

export const MUTANTS: readonly Mutant[] = []
