/** Executions until each mutant of the library is found: without the model, guided by it, and held to it. */
import { MUTANTS } from '../../systems/etcd-raft/mutants/index.ts'
import { printer } from '../output.ts'
import { firstDetections, kaplanMeier } from '../statistics/kaplan-meier.ts'
import { repeatedMeasures } from '../statistics/repeated-measures.ts'
import { mean } from '../statistics/summary.ts'
import { tukeyOf } from '../statistics/tukey.ts'
import { a12 } from '../statistics/vargha-delaney.ts'
import type { CommonOptions } from '../suite.ts'
import { assertBuilt, deadline, runInProcess } from './run-trials.ts'
import { CONFORMANCE, MODEL, NONE } from './techniques.ts'
import type { Technique } from './trial.ts'

const FULL = { trials: 10, executions: 5000, mutants: MUTANTS.length }
const SMOKE = { trials: 1, executions: 40, mutants: 2 }

/** Tukey's test needs two degrees of freedom of the error. */
const LEAST_ANALYSED = 3

interface Options extends CommonOptions {
  readonly only: string | undefined
  readonly trials: number | undefined
  readonly runs: number | undefined
  readonly timeMs: number | undefined
}

interface MutantRow {
  readonly suite: 'raft'
  readonly kind: 'mutant'
  readonly mutant: string
  readonly guide: Technique['guide']
  readonly trials: number
  readonly executions: number
  readonly found: number
  /** Kaplan-Meier median of the first execution that fails; null if fewer than half of the trials find it. */
  readonly medianRuns: number | null
  /** A12: the probability to find it later than the model; null for the model, and without it. */
  readonly a12VsModel: number | null
}

/** By technique and mutant: the first failing execution of each trial, undefined if none failed. */
type Found = readonly (number | undefined)[]

export async function run({ smoke, json, only, trials, runs, timeMs }: Options): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  const executions = runs ?? effort.executions
  const chosen = MUTANTS.filter(({ name }) => only === undefined || name.includes(only)).slice(0, effort.mutants)
  assertBuilt()
  for (const mutant of chosen) assertBuilt(mutant)
  const techniques = [NONE, MODEL, CONFORMANCE]
  const say = printer(json)
  const isInTime = deadline(timeMs)
  const measured: number[][] = []
  for (const mutant of chosen) {
    if (!isInTime()) break
    const found = techniques.map((): (number | undefined)[] => [])
    for (let seed = 1; seed <= (trials ?? effort.trials); seed++) {
      for (const [at, technique] of techniques.entries()) {
        const variant = { ...mutant.variant, mutant: mutant.name }
        const { foundAt } = await runInProcess({ ...technique, seed, executions, variant, untilFound: true })
        found[at]!.push(foundAt ?? undefined)
      }
    }
    for (const row of rowsOf(mutant.name, executions, techniques, found)) say(row, textOf(row))
    measured.push(found.map((each) => mean(each.map((at) => Math.log10(at ?? executions)))))
  }
  // Where all mutants differ alike between the guides (if none is found, say), there is no error to compare with.
  const differ = techniques.some((_, at) => new Set(measured.map((means) => means[at]! - means[0]!)).size > 1)
  if (measured.length < LEAST_ANALYSED || !differ) return
  for (const row of analysis(techniques, measured)) say(row, JSON.stringify(row))
}

function rowsOf(
  mutant: string,
  executions: number,
  techniques: readonly Technique[],
  found: readonly Found[],
): MutantRow[] {
  const detections = (each: Found) => each.map((at) => at ?? Number.POSITIVE_INFINITY)
  const ofModel = found[techniques.indexOf(MODEL)]
  return techniques.map((technique, at) => {
    const { detected, median } = kaplanMeier(firstDetections(found[at]!, executions))
    const isCompared = ofModel !== undefined && technique !== MODEL
    return {
      suite: 'raft',
      kind: 'mutant',
      mutant,
      guide: technique.guide,
      trials: found[at]!.length,
      executions,
      found: detected,
      medianRuns: median ?? null,
      a12VsModel: isCompared ? Number(a12(detections(found[at]!), detections(ofModel)).toPrecision(4)) : null,
    }
  })
}

function textOf({ mutant, guide, trials, found, medianRuns, a12VsModel }: MutantRow): string {
  const later = a12VsModel === null ? '' : `; later than the model with A12 ${a12VsModel}`
  return `${mutant}, ${guide}: found in ${found} of ${trials}, median ${medianRuns ?? 'none'}${later}`
}

/**
 * The analysis of variance over the mutants, and Tukey's pairs: of the mean logarithm to base 10 of the
 * executions, where a trial without a failure counts as its bound.
 */
function analysis(techniques: readonly Technique[], measured: readonly (readonly number[])[]): object[] {
  const effect = repeatedMeasures(measured)
  const { f, effectDegrees, errorDegrees, correctedP: p, partialEtaSquared, subjects } = effect
  const anova = {
    suite: 'raft',
    kind: 'anova',
    mutants: subjects,
    f,
    effectDegrees,
    errorDegrees,
    p,
    partialEtaSquared,
  }
  const pairs = tukeyOf(effect).map(({ first, second, difference, low, high, p }) => {
    const guides = { first: techniques[first]!.guide, second: techniques[second]!.guide }
    return { suite: 'raft', kind: 'tukey', ...guides, difference, low, high, p }
  })
  return [anova, ...pairs]
}
