/**
 * Stress: the bodies of a subject on the stock loop, thirty at a time, each with modules of its
 * own, an input from its own seed, and a random delay in front. As in the races suite, but repeated
 * until the budget is spent.
 */
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { passesUnderStress } from '../stock.ts'
import type { StockSettings } from './stock.ts'
import { stockProperty } from './stock-property.ts'
import type { Trial } from './trial.ts'

const SIDE_BY_SIDE = 30
/** A longer body hangs: no subject takes more than half a second. */
const BODY_MS = 2_000

const settings: StockSettings = JSON.parse(process.argv[2]!)
const fresh = stockProperty(settings.file, settings.subject)
await fresh()
for (const seed of settings.seeds) process.stdout.write(`${JSON.stringify(await trial(seed))}\n`)
// A body that hangs may keep the process alive.
process.stdout.write('', () => process.exit(0))

async function trial(seed: number): Promise<Trial> {
  const limit = settings.runs ?? Number.POSITIVE_INFINITY
  const began = performance.now()
  let ended = 0
  let first: { runs: number; ms: number } | undefined
  const one = async (index: number) => {
    const passed = await passesUnderStress(fresh, chance(seed, index), index === 0, BODY_MS)
    ended++
    if (!passed) first ??= { runs: ended, ms: performance.now() - began }
  }
  for (let begun = 0; begun < limit && first === undefined; begun += SIDE_BY_SIDE) {
    if (performance.now() - began >= settings.timeMs) break
    const count = Math.min(SIDE_BY_SIDE, limit - begun)
    const indices = Array.from({ length: count }, (_, offset) => begun + offset)
    await Promise.all(indices.map(one))
  }
  const outcome = first ?? { runs: ended, ms: performance.now() - began }
  return { seed, found: first !== undefined, ...outcome }
}
