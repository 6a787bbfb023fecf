/**
 * The specifications in this folder, each with what TLC makes of it: models/counts.json, typed.
 *
 * Written by `node scripts/record-model-counts.ts JAR`; the tests hold norn to it.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const MODELS = fileURLToPath(new URL('.//', import.meta.url))

export interface Counts {
  /** Which TLC this is from. */
  readonly by: string
  readonly models: readonly ModelCounts[]
}

export interface ModelCounts {
  /** Both relative to this folder. */
  readonly specification: string
  readonly configuration: string
  /** `passes`, `deadlock`, `assumption`, `invariant NAME`, or `error` where something cannot be evaluated in a state. */
  readonly result: string
  /** Where it passes: states generated and distinct ones, and how many states the longest shortest way has. */
  readonly generated?: number
  readonly distinct?: number
  readonly depth?: number
  /** Where it does not: how many states its counterexample has. */
  readonly trace?: number
  /** What TLC took in all, rounded up to seconds; large ones are for the benches. */
  readonly seconds: number
}

export const COUNTS: Counts = JSON.parse(readFileSync(new URL('counts.json', import.meta.url), 'utf8'))
