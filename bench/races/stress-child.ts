/**
 * One stress trial: runs the executions of a property side by side on the stock loop, each with modules of its own and
 * an input from its own seed, every file-system operation delayed by a random time in front of the real call.
 */
import { createRequire } from 'node:module'
import { Loader } from '../../src/instrument/loader.ts'
import { proposeInput } from '../../src/property/bias.ts'
import { collectProperties } from '../../src/property/property.ts'
import { TapeRandom } from '../../src/property/random.ts'
import { sharedModules } from '../../src/property/shared-modules.ts'
import { type Chance, chance } from '../../src/tape/chance.ts'
import { Tape } from '../../src/tape/tape.ts'

const MAX_DELAY_MS = 3
/** A body that has not settled by then hangs: the longest subject sleeps 20 s. */
const BODY_MS = 40_000

const settings = JSON.parse(process.argv[2]!) as {
  file: string
  aliases: [string, string][]
  seed: number
  runs: number
}
const delays = chance(settings.seed)
delayFiles(delays)

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
  const collected = collectProperties()
  await loader.instantiate().import(settings.file)
  const [property] = collected.finish()
  const draws = chance(settings.seed, index)
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

/** Puts a random delay in front of every asynchronous operation on files, below Node's own JavaScript. */
function delayFiles(draws: Chance): void {
  const { internalBinding } = createRequire(import.meta.url)('internal/test/binding')
  const binding = internalBinding('fs') as Record<string, unknown>
  const { FSReqCallback, kUsePromises } = binding as { FSReqCallback: Function; kUsePromises: symbol }
  for (const [name, real] of Object.entries(binding)) {
    if (typeof real !== 'function' || /^[A-Z]/.test(name)) continue
    binding[name] = (...args: unknown[]) => {
      const call = () => Reflect.apply(real, binding, args) as unknown
      const delayMs = draws.coin(0.5) ? 0 : draws.unit() * MAX_DELAY_MS
      if (delayMs === 0) return call()
      if (args.includes(kUsePromises)) return new Promise((resolve) => setTimeout(resolve, delayMs)).then(call)
      if (!args.some((arg) => arg instanceof FSReqCallback)) return call()
      setTimeout(call, delayMs)
      return undefined
    }
  }
}
