/** The process that runs executions, asked by messages alone; one process serves all tests. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/contract/events.ts'
import { readFlight } from '../../src/process/flight-recorder.ts'
import { readJournal } from '../../src/process/journal.ts'
import type { Reply, Request } from '../../src/process/protocol.ts'
import { EXECUTION_FLAGS } from '../../src/process/worker.ts'
import { OPTIONS, PLAN, PROPERTY } from '../session/scripted.ts'

const ENTRY = resolve(import.meta.dirname, '../../src/execution-process.ts')
const FILE = resolve(import.meta.dirname, 'fixtures/answers.fuzz.ts')
const DRAWS = { ...PROPERTY, name: 'draws', inputs: ['n'] }

const root = mkdtempSync(join(tmpdir(), 'norn-child-'))
const folder = join(root, 'worker')
const recorder = join(folder, 'flight.record')
let child: ChildProcess

beforeAll(() => {
  mkdirSync(folder)
  const execArgv = [...EXECUTION_FLAGS, '--conditions=norn-source']
  child = fork(ENTRY, [], { execArgv, serialization: 'advanced', detached: true })
  child.send({ configuration: { file: FILE, root, aliases: [], flightRecorder: recorder } })
})
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** The messages up to the reply. */
async function ask(request: Request, onEvent = (_: SessionEvent) => {}) {
  const events: SessionEvent[] = []
  child.send(request)
  for (;;) {
    const [message] = (await once(child, 'message')) as [Reply | SessionEvent]
    if (['listed', 'explored', 'executed', 'shrunken', 'refused'].includes(message.type)) {
      return { events, reply: message as Reply }
    }
    events.push(message as SessionEvent)
    onEvent(message as SessionEvent)
  }
}

test('lists the properties', async () => {
  const { reply } = await ask({ type: 'list' })
  expect(reply).toMatchObject({ type: 'listed', properties: [{ name: 'draws', inputs: ['n'] }, { name: 'ends' }] })
})

test('executes a plan, and writes it down before it begins, its choices as they are drawn', async () => {
  const journal = join(root, 'journal.jsonl')
  const { reply } = await ask({ type: 'execute', property: DRAWS, plan: PLAN, explain: false, journal })
  expect(reply).toMatchObject({ type: 'executed', result: { verdict: 'passed' } })
  expect(reply).not.toHaveProperty('explanation')
  expect(readFlight(recorder)).toMatchObject({ execution: 0, plan: PLAN })
  expect(readJournal(journal)).toMatchObject({ inputText: 'n = 0', lanes: { input: [{ value: 0 }] } })
})

test('explains an execution if it is asked to', async () => {
  const { reply } = await ask({ type: 'execute', property: DRAWS, plan: PLAN, explain: true })
  expect(reply).toMatchObject({ type: 'executed', explanation: { trace: expect.any(Array), origins: expect.any(Map) } })
})

test('gives the same trace and notes without the lines', async () => {
  const told = async (explain: 'steps' | 'lines') => {
    const { reply } = await ask({ type: 'execute', property: DRAWS, plan: PLAN, explain })
    if (reply.type !== 'executed') throw new Error(reply.type)
    return { hash: reply.result.traceHash, ...reply.explanation! }
  }
  const [lines, steps] = [await told('lines'), await told('steps')]
  expect({ ...steps, origins: lines.origins }).toEqual(lines)
  expect([steps.origins.size, lines.origins.size > 0]).toEqual([0, true])
})

test('explores, and stops after the execution under way', async () => {
  const endless = { ...OPTIONS, runs: 1e9, timeMs: 1e9 }
  const { events, reply } = await ask({ type: 'explore', property: DRAWS, options: endless }, () => {
    child.send({ type: 'stop' } satisfies Request)
  })
  expect(events[0]).toMatchObject({ type: 'progress', shrinking: false })
  expect(reply).toMatchObject({ type: 'explored', summary: { failed: 0, voided: 0 } })
})

test('shrinks a plan that fails, and only runs one that passes', async () => {
  const ends = { ...PROPERTY, name: 'ends', inputs: ['n'] }
  const shrink = { type: 'shrink', plan: PLAN, timeMs: 1e9 } as const
  expect((await ask({ ...shrink, property: ends })).reply).toMatchObject({
    ...{ type: 'shrunken', first: { verdict: 'failed' }, outcome: { result: { verdict: 'failed' } } },
  })
  const { reply } = await ask({ ...shrink, property: DRAWS })
  expect(reply).toMatchObject({ type: 'shrunken', first: { verdict: 'passed' } })
  expect(reply).not.toHaveProperty('outcome')
})

test('fails for a property that its file does not declare, and goes on', async () => {
  const absent = { ...PROPERTY, name: 'absent' }
  const { reply } = await ask({ type: 'execute', property: absent, plan: PLAN, explain: false })
  const failure = { kind: 'loading', message: expect.stringContaining("declares no property 'absent'") }
  expect(reply).toMatchObject({ type: 'executed', result: { verdict: 'failed', failure } })
  expect((await ask({ type: 'list' })).reply.type).toBe('listed')
})

test('ends with the channel, and removes the folder of its owner', async () => {
  child.disconnect()
  await once(child, 'exit')
  expect([child.exitCode, existsSync(folder)]).toEqual([0, false])
})
