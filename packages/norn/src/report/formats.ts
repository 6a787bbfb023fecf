/**
 * The formats of files that `norn fuzz` writes its results to, for other tools. A format is a file of its
 * own and an entry here: flag, help, the reference page and writing follow from it.
 */
import { JUNIT } from './junit.ts'
import type { ResultFormat } from './outcome.ts'
import { SARIF } from './sarif.ts'

export type ResultFormats = Readonly<Record<string, ResultFormat>>

/** By the name of the option, in the order of the help. */
export const FORMATS = { junit: JUNIT, sarif: SARIF } as const satisfies ResultFormats

/** The files that are named, by format. */
export type ResultPaths = Readonly<Partial<Record<keyof typeof FORMATS, string>>>
