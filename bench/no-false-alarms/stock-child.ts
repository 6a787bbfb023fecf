/**
 * Runs tests of one file on stock Node, one after the other, each with modules of its own: what the world is held
 * against. Prints a line as each test begins and one as it ends.
 */
import { Loader } from '../../packages/norn/src/loader/loader.ts'
import { collectProperties } from '../../packages/norn/src/property/property.ts'
import { sharedModules } from '../../packages/norn/src/execution/shared-modules.ts'
import type { StockLine } from './stock.ts'

const settings = JSON.parse(process.argv[2]!) as {
  file: string
  aliases: [string, string][]
  /** What to run; unless given, all. */
  names: string[]
  testMs: number
}

/** Real time after a test in which an error still counts as its own. */
const LATE_MS = 10

const loader = new Loader({
  shared: sharedModules(),
  aliases: new Map(settings.aliases),
  refuse: (what) => {
    throw new Error(`${what} is not loaded here`)
  },
})
const print = process.stdout.write.bind(process.stdout)
const say = (line: StockLine) => print(`${JSON.stringify(line)}\n`)
const { reallyExit } = process as unknown as { reallyExit(code: number): never }

let uncaught = (_: unknown) => {}
// A program that listens itself takes care of such errors itself.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error) => {
    if (process.listenerCount(event) === 1) uncaught(error)
  })
}

for (const name of settings.names) {
  say({ test: name, event: 'begins' })
  let problem: string | undefined
  try {
    await run(name)
  } catch (error) {
    problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  say({ test: name, event: 'ended', ...(problem === undefined ? {} : { problem }) })
}
print('', () => reallyExit(0))

async function run(name: string): Promise<void> {
  const collected = collectProperties()
  await loader.instantiate().import(settings.file)
  const property = collected.finish().find((each) => each.name === name)
  if (property === undefined) throw new Error('the file no longer declares this test')
  const { promise: late, reject } = Promise.withResolvers<never>()
  uncaught = reject
  const timer = setTimeout(() => reject(new Error(`it takes more than ${settings.testMs} ms`)), settings.testMs)
  try {
    await Promise.race([property.body({}), late])
    // Errors that come late count as well.
    await Promise.race([new Promise((resolve) => setTimeout(resolve, LATE_MS)), late])
  } finally {
    clearTimeout(timer)
  }
}
