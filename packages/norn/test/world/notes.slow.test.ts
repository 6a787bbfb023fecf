/** What the world notes while it explains: acts on timers, signals and promises, and where errors came from. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL } from './workers.ts'

const source = readFileSync(fileURLToPath(new URL('fixtures/notes.fuzz.ts', import.meta.url)), 'utf8').split('\n')

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('notes')
})
afterAll(() => fixture.close())

test('timers that are set, cleared and refreshed, and signals that are aborted, with their lines', async () => {
  const { explanation, verdict } = await fixture.run('timers')
  expect(verdict).toBe('passed')
  const told = explanation.notes.map(({ event, ms, place }) => {
    return `${event} ${ms ?? '-'}: ${source[explanation.origins.get(place)!.line - 1]!.trim().slice(0, 30)}`
  })
  expect(told).toEqual([
    'set 20: const cleared = setTimeout(() ',
    'set 30: const refreshed = setTimeout((',
    'unref 30: const refreshed = setTimeout((',
    'set 4: const interval = setInterval((',
    'set -: const immediate = setImmediate',
    'set -: const ran = setImmediate(() =>',
    'clear -: clearImmediate(immediate)',
    'refresh 30: refreshed.refresh()',
    'set 10: await new Promise((resolve) =>',
    'clear 20: const ran = setImmediate(() =>',
    'clear 4: const interval = setInterval((',
    'abort -: controller.abort()',
  ])
  const ran = explanation.trace.filter(({ event }) => event === 'timer')
  expect(ran.map(({ label }) => source[explanation.origins.get(label)!.line - 1]!.trim().slice(0, 16))).toEqual([
    'const interval =',
    'const interval =',
    'await new Promis',
  ])
})

test('promises that a later step settles by a call, with their lines, values and errors', async () => {
  const { explanation, verdict } = await fixture.run('promises')
  expect(verdict).toBe('passed')
  const { notes, origins } = explanation
  const line = (name: string) => source[origins.get(name)!.line - 1]!.trim().slice(0, 24)
  const settled = notes.filter(({ event }) => event === 'resolve' || event === 'reject')
  const told = settled.map(({ event, value, place, subject }) => [event, value, line(place), line(subject)])
  expect(told).toEqual([
    ['resolve', '"open"', "gate.resolve('open')", 'const gate = Promise.wit'],
    ['reject', 'TypeError', "fail(new TypeError('no')", 'const task = new Promise'],
  ])
})

test('calls of note and target, with their lines and values', async () => {
  const { explanation, verdict } = await fixture.run('marks')
  expect(verdict).toBe('passed')
  const told = explanation.notes.map(({ event, subject, value, place }) => {
    return `${event} ${subject} ${value}: ${source[explanation.origins.get(place)!.line - 1]!.trim()}`
  })
  expect(told).toEqual(["note opened undefined: note('opened')", "target depth -1.5: target(-1.5, 'depth')"])
})

test('what files hold after the events that changed them', async () => {
  const { explanation, verdict } = await fixture.run('files')
  expect(verdict).toBe('passed')
  const { fileChanges = [], trace } = explanation
  expect(fileChanges.map(({ at, path, text }) => [trace[at]!.event, trace[at]!.kind, path, text])).toEqual([
    ['sync', 'writeFile', '$TMP/a.txt', 'one'],
    ['sync', 'writeFile', '$TMP/c.txt', 'beside'],
    ['effect', 'rename', '$TMP/a.txt', undefined],
    ['effect', 'rename', '$TMP/b.txt', 'one'],
    ['effect', 'unlink', '$TMP/b.txt', undefined],
  ])
})

test.each(['timers', 'promises', 'marks', 'files'])(
  'notes change nothing: an explained execution has the trace of any other: %s',
  async (name) => {
    const plan = { ...NATURAL, detailed: true }
    const { traceHash } = await fixture.worker.execute(fixture.property(name), plan)
    expect((await fixture.run(name, plan)).traceHash).toBe(traceHash)
  },
)

test('an error without a line of the program shows the one that started its operation', async () => {
  for (const name of fixture.names.filter((each) => !['timers', 'promises', 'marks', 'files'].includes(each))) {
    const { failure } = await fixture.run(name)
    const key = /\W/.test(name) ? `'${name}'` : name
    const line = source.findIndex((each) => each.startsWith(`  ${key}: `)) + 1
    expect([name, failure?.frames, failure?.startedAt?.[0]?.line]).toEqual([name, [], line])
  }
})
