/** A search tells the loader how much of it is left: sharing modules begins by that. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExploreOptions } from '../../src/process/protocol.ts'
import { EXECUTION_FLAGS } from '../../src/process/worker.ts'
import { OPTIONS, PROPERTY } from '../session/scripted.ts'

const ENTRY = resolve(import.meta.dirname, '../../src/execution-process.ts')
const PRELOAD = resolve(import.meta.dirname, 'fixtures/expectations.ts')
const FILE = resolve(import.meta.dirname, 'fixtures/answers.fuzz.ts')

const root = mkdtempSync(join(tmpdir(), 'norn-expectations-'))
let child: ChildProcess

beforeAll(() => {
  const execArgv = [...EXECUTION_FLAGS, '--conditions=norn-source', `--import=${PRELOAD}`]
  child = fork(ENTRY, [], { execArgv, serialization: 'advanced' })
  const flightRecorder = join(root, 'flight.record')
  child.send({ configuration: { file: FILE, root, aliases: [], sharesModules: true, flightRecorder } })
})
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** What is expected before each execution of a search. */
async function expected(options: Partial<ExploreOptions>): Promise<readonly number[]> {
  const property = { ...PROPERTY, name: 'draws', inputs: ['n'] }
  child.send({ type: 'explore', property, options: { ...OPTIONS, ...options } })
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ readonly expected?: readonly number[] }]
    if (message.expected !== undefined) return message.expected
  }
}

test('by its bound on executions', async () => {
  const all = await expected({ runs: 20, timeMs: 1e9 })
  // An execution may run twice: for the guard of determinism.
  expect([...new Set(all)]).toEqual(Array.from({ length: 20 }, (_, at) => 20 / (at + 1) - 1))
})

test('by its time, where that is up before', async () => {
  const all = await expected({ runs: 1e9, timeMs: 1500 })
  expect(Math.min(...all)).toBeLessThan(0.1)
  expect(all.at(-1)).toBeLessThan(all[10]!)
})
