/**
 * One stress trial: runs the executions of a property side by side on the stock loop, each with modules of its own, an
 * input from its own seed, and a random delay in front.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Loader } from '../../packages/norn/src/loader/loader.ts'
import { collectProperties } from '../../packages/norn/src/property/property.ts'
import { TapeRandom } from '../../packages/norn/src/property/input/random.ts'
import { sharedModules } from '../../packages/norn/src/execution/shared-modules.ts'
import { proposeInput } from '../../packages/norn/src/tape/bias.ts'
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { Tape } from '../../packages/norn/src/tape/tape.ts'

const MAX_DELAY_MS = 50
/** A body that has not settled by then hangs: the longest subject sleeps 20 s. */
const BODY_MS = 40_000

const settings = JSON.parse(process.argv[2]!) as {
  file: string
  aliases: [string, string][]
  seed: number
  runs: number
}

const loader = new Loader({
  shared: sharedModules(),
  aliases: new Map(settings.aliases),
  refuse: (what) => {
    throw new Error(`${what} is not for this bench`)
  },
})
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
process.stdout.write(`${JSON.stringify({ failures, firstAt, firstMs })}\n`, () => process.exit(0))

async function execution(index: number): Promise<void> {
  const draws = chance(settings.seed, index)
  await sleep(draws.unit() * MAX_DELAY_MS)
  const collected = collectProperties()
  await loader.instantiate().import(settings.file)
  const [property] = collected.finish()
  const tape = new Tape(({ min, max }) => (index === 0 ? undefined : proposeInput(draws, min, max)))
  const inputs: Record<string, unknown> = {}
  for (const [name, arbitrary] of Object.entries(property!.inputs)) {
    inputs[name] = arbitrary.generate(TapeRandom.over(tape, name), undefined).value
  }
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the body does not settle')), BODY_MS)
  try {
    await Promise.race([property!.body(inputs), late])
    ended++
  } catch {
    ended++
    failed()
  } finally {
    clearTimeout(timer)
  }
}
