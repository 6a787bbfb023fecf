/**
 * One stress trial: runs the executions of a property side by side on the stock loop, each with
 * modules of its own, an input from its own seed, and a random delay in front.
 */
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { freshProperty, passesUnderStress } from '../stock.ts'
import type { StressOutcome, StressSettings } from './stress.ts'

/** A longer body hangs: the longest subject sleeps 20 s. */
const BODY_MS = 40_000

const settings: StressSettings = JSON.parse(process.argv[2]!)
const fresh = freshProperty(settings.file, settings.aliases)
const began = performance.now()
let ended = 0
let failures = 0
let firstAt = 0
let firstMs = 0
const failed = () => {
  failures++
  if (failures > 1) return
  firstAt = Math.max(1, ended)
  firstMs = performance.now() - began
}
process.on('uncaughtException', failed)

await Promise.all(Array.from({ length: settings.runs }, (_, index) => execution(index)))
const outcome: StressOutcome = { failures, firstAt, firstMs }
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0))

async function execution(index: number): Promise<void> {
  const draws = chance(settings.seed, index)
  const passed = await passesUnderStress(() => fresh(() => true), draws, index === 0, BODY_MS)
  ended++
  if (!passed) failed()
}
