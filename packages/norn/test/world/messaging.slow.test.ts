/** What the world records of threads and child processes while it explains: who ran what, and what passed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Messaging } from '../../src/contract/messaging.ts'
import { Fixture, NATURAL } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('messaging')
})
afterAll(() => fixture.close())

const messagingOf = async (name: string): Promise<Messaging> => (await fixture.run(name)).explanation.messaging!
const told = ({ passed }: Messaging) =>
  [...passed.values()].map(({ what, text, from, to = '?' }) => `${from} → ${to} ${what} ${text}`.trimEnd())

test('a worker: its name, what it is given, what it sends through any port, and its exit', async () => {
  const messaging = await messagingOf('a worker')
  expect(messaging.isolates.slice(1)).toMatchObject([
    { kind: 'worker', number: 1, file: '[eval]', name: 'adder', parent: 0 },
  ])
  expect(told(messaging)).toEqual([
    '0 → 1 start workerData: { by: 2 }',
    '0 → ? message { total: 1, port: MessagePort {} }',
    "1 → 0 message 'by a port of its own'",
    '1 → 0 message { set: 3 }',
    '1 → 0 exit exits with code 0',
  ])
})

test('messages that are received within another step, and a port that the program closes before its channel is gone', async () => {
  const { explanation } = await fixture.run('a worker')
  const { passed, routine } = explanation.messaging!
  const received = explanation.notes
    .filter(({ event }) => event === 'receive')
    .map(({ subject }) => passed.get(subject)!)
  expect(received.map(({ text }) => text)).toEqual(['{ set: 3 }', "'by a port of its own'"])
  const closings = explanation.trace.filter(({ event, kind }) => event === 'submit' && kind === 'close port')
  const own = closings.filter(({ label }) => !routine.has(label))
  expect([own.length, closings.length > own.length]).toEqual([1, true])
})

test('the error of a worker, and its being terminated', async () => {
  expect(told(await messagingOf('a worker that fails'))).toContain('1 → 0 error TypeError: broken')
  const { explanation } = await fixture.run('a worker that is terminated')
  expect(explanation.notes.filter(({ event }) => event === 'terminate').map(({ subject }) => subject)).toEqual(['1'])
})

test.each(['json', 'advanced'])('a child process: messages in %s, its output and its exit', async (serialization) => {
  const messaging = await messagingOf(`a child: ${serialization}`)
  expect(messaging.isolates.slice(1)).toMatchObject([{ kind: 'process', number: 1, file: 'echo.cjs', parent: 0 }])
  const texts = [...messaging.passed.values()].map(({ what, text, from }) => `${from} ${what} ${text}`.trimEnd())
  expect(texts).toEqual([
    '0 start',
    '0 message { first: 1 }',
    '0 message { second: [ 2 ] }',
    '1 message { echo: { first: 1 } }',
    '1 message { echo: { second: [ 2 ] } }',
    '1 output done',
    '1 exit exits with code 0',
  ])
})

test('recording changes nothing: an explained execution has the trace of any other', async () => {
  for (const name of fixture.names) {
    const plan = { ...NATURAL, detailed: true }
    const { traceHash } = await fixture.worker.execute(fixture.property(name), plan)
    expect([name, (await fixture.run(name, plan)).traceHash]).toEqual([name, traceHash])
  }
})
