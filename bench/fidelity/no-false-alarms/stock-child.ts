/**
 * Runs the tests of a file on stock Node in sequence, each in fresh modules: the baseline for the
 * world. Prints a line when a test starts and when it ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freshProperty, within } from '../../stock.ts'
import type { StockLine } from './stock.ts'

const settings = JSON.parse(process.argv[2]!) as {
  file: string
  aliases: [string, string][]
  /** The tests to run. */
  names: string[]
  testMs: number
}

/** Real time after a test in which an error still counts as its own. */
const LATE_MS = 10

const fresh = freshProperty(settings.file, settings.aliases)
const print = process.stdout.write.bind(process.stdout)
const say = (line: StockLine) => print(`${JSON.stringify(line)}\n`)
const { reallyExit } = process as unknown as { reallyExit(code: number): never }

let uncaught = (_: unknown) => {}
// A program with a listener of its own handles such errors itself.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error) => {
    if (process.listenerCount(event) === 1) uncaught(error)
  })
}

const globals = Object.getOwnPropertyDescriptors(globalThis)

for (const name of settings.names) {
  say({ test: name, event: 'begins' })
  let problem: string | undefined
  try {
    await run(name)
  } catch (error) {
    problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  // Fake timers, for instance, are not installed twice.
  Object.defineProperties(globalThis, globals)
  say({ test: name, event: 'ended', ...(problem === undefined ? {} : { problem }) })
}
print('', () => reallyExit(0))

async function run(name: string): Promise<void> {
  const property = await fresh((each) => each.name === name)
  const { promise: failed, reject } = Promise.withResolvers<never>()
  uncaught = reject
  await within(settings.testMs, async () => {
    await Promise.race([property.body({}), failed])
    // Errors that come late count as well.
    await Promise.race([sleep(LATE_MS), failed])
  })
}
