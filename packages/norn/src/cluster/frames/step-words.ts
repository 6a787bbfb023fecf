/** The steps of a piece as a person reads them: `timeout b`, `what is due first × 12`. */
import type { StepCodes } from '../steps.ts'

export function stepWords(codes: StepCodes, steps: readonly number[]): readonly string[] {
  const runs: { readonly step: number; count: number }[] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.step === step) last.count++
    else runs.push({ step, count: 1 })
  }
  return runs.map(({ step, count }) => `${codes.describe(step)}${count === 1 ? '' : ` × ${count}`}`)
}
