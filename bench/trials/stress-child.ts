/**
 * Stress, as one does without a tool: bodies on the stock loop, thirty at a time because they sleep
 * for real, each with modules of its own, an input from its own seed, and a random delay in front.
 * An execution fails if its body does, or if an error is not caught.
 */
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { passesUnderStress } from '../stock.ts'
import { stockProperty } from './stock-property.ts'
import type { StockSettings } from './stock-trials.ts'
import type { Trial } from './trial.ts'

const SIDE_BY_SIDE = 30

const settings: StockSettings = JSON.parse(process.argv[2]!)
const fresh = stockProperty(settings)
let failed = () => {}
process.on('uncaughtException', () => failed())

for (const seed of settings.seeds) process.stdout.write(`${JSON.stringify(await trial(seed))}\n`)
// A body that hangs may keep the process alive.
process.stdout.write('', () => process.exit(0))

async function trial(seed: number): Promise<Trial> {
  const limit = settings.runs ?? Number.POSITIVE_INFINITY
  const began = performance.now()
  let ended = 0
  let failures = 0
  let first: { runs: number; ms: number } | undefined
  failed = () => {
    failures++
    first ??= { runs: Math.max(1, ended), ms: performance.now() - began }
  }
  const one = async (index: number) => {
    const passed = await passesUnderStress(fresh, chance(seed, index), index === 0, settings.bodyMs)
    ended++
    if (!passed) failed()
  }
  for (let begun = 0; begun < limit && first === undefined; begun += SIDE_BY_SIDE) {
    if (performance.now() - began >= settings.timeMs) break
    const count = Math.min(SIDE_BY_SIDE, limit - begun)
    await Promise.all(Array.from({ length: count }, (_, offset) => one(begun + offset)))
  }
  return { seed, found: first !== undefined, ...(first ?? { runs: ended, ms: performance.now() - began }), failures }
}
