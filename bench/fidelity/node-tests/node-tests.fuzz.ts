// Each of Node's tests as two properties; an alias names the list. What a test expects to be called it checks at exit.
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import tests from 'chosen-node-tests'
import { fuzz } from 'norn'

/** Longer than what any test waits for. */
const HELD_MS = 120_000

/** Steps of the loop; some send ten thousand requests. */
const MANY = 1_000_000

for (const { name, path } of tests) {
  fuzz(name, {}, () => run(path))
  // A norn that has seen the body settle ends an execution in which only a connection waits; Node's process lives on.
  const held = async () => {
    await run(path)
    await delay(HELD_MS)
  }
  fuzz(`${name}, held`, {}, held, { maxSteps: MANY })
}

/**
 * As Node runs its main module: what it throws is for the listeners of uncaught errors, and the process goes on. Not
 * asynchronous: what a test sees of promises is its own.
 */
function run(path: string): Promise<unknown> | undefined {
  process.argv = [process.execPath, path]
  process.env.NODE_SKIP_FLAG_CHECK = '1'
  if (path.endsWith('.mjs')) return import(path).catch((error) => uncaught(error, true))
  try {
    createRequire(path)(path)
  } catch (error) {
    uncaught(error, false)
  }
  return undefined
}

/** What C++ calls in Node. */
function uncaught(error: unknown, fromPromise: boolean): void {
  const { _fatalException } = process as unknown as { _fatalException(error: unknown, fromPromise: boolean): boolean }
  _fatalException(error, fromPromise)
}
