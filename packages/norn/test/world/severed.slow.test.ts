/** Connections that are reset or closed in the middle, held against a proxy on stock Node. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { Plan } from '../../src/contract/plan.ts'
import { type Case, programs } from './fixtures/severed.ts'
import { Fixture, NATURAL, random } from './workers.ts'

const at = (name: string) => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('severed')
})
afterAll(() => fixture.close())

const withFault = (fault: Choice): Plan => ({
  input: { from: 'tape' },
  choices: { from: 'record', choices: { ...NO_CHOICES, fault: [fault] } },
})

/** The cases of a program: each fault that a message may meet, with its choice. */
async function casesOf(program: string): Promise<(readonly [Case, Choice])[]> {
  const { choices } = await fixture.run(`${program}, faults`)
  const messages = { server: 0, client: 0 }
  return choices!.fault.flatMap((choice) => {
    const how = choice.subject!.operation === 'data reset' ? 'reset' : 'close'
    const to = /:32768\b/.test(choice.alias!) ? 'server' : 'client'
    const message = how === 'reset' ? messages[to]++ : messages[to] - 1
    return (['nothing', 'all', 5] as const).map((arrives) => {
      const value = arrives === 'nothing' ? 1 : arrives === 'all' ? 2 : arrives + 2
      return [
        { program, how, to, message, arrives },
        { ...choice, value },
      ] as const
    })
  })
}

test('faults that are allowed and not injected change nothing', async () => {
  for (const program of Object.keys(programs)) {
    for (const plan of [NATURAL, random(1), random(2)]) {
      const [off, on] = [await fixture.run(program, plan), await fixture.run(`${program}, faults`, plan)]
      if (on.faults!.length > 0) continue
      expect([on.traceHash, on.output]).toEqual([off.traceHash, off.output])
    }
  }
})

test.each(Object.keys(programs))('both ends see what they see on stock Node: %s', async (program) => {
  const cases = await casesOf(program)
  expect(cases.length).toBeGreaterThan(5)
  const printed = execFileSync(process.execPath, [at('severed-stock'), JSON.stringify(cases.map(([one]) => one))])
  const stock = String(printed).trimEnd().split('\n')
  const wrong: unknown[] = []
  for (const [index, [one, choice]] of cases.entries()) {
    const result = await fixture.run(`${program}, faults`, withFault(choice))
    expect(result.faults, JSON.stringify(one)).toHaveLength(1)
    const seen = result.verdict === 'passed' ? JSON.parse(result.output!) : (result.failure ?? result.voided)
    for (const end of ['client', 'server'] as const) {
      const [ours, ...theirs] = [seen, ...JSON.parse(stock[index]!)].map((run) => (run[end] ?? [run]).join(' | '))
      const { how, to, message, arrives } = one
      // A reset that comes before the client hears of its connection (tcp_reset): no proxy is so quick.
      if (ours!.startsWith('error Error connect ECONNRESET')) continue
      if (!theirs.includes(ours))
        wrong.push([`${how} of message ${message} to ${to}, ${arrives} arrives: ${end}`, ours, ...new Set(theirs)])
    }
  }
  expect(wrong).toEqual([])
})

test('whatever is late, a severed connection ends, and replays in another process', async () => {
  const other = await Fixture.open('severed')
  const met = new Set<string>()
  for (const [index, program] of Object.keys(programs).entries()) {
    const name = `${program}, faults`
    for (let seed = 1000 * index; seed < 1000 * index + 30; seed++) {
      const plan = { ...random(seed), detailed: true }
      const [one, two] = await Promise.all(
        [fixture, other].map(({ worker }) => worker.execute(fixture.property(name), plan)),
      )
      expect({ name, seed, failure: one!.failure, voided: one!.voided }).toEqual({ name, seed })
      expect([two!.traceHash, two!.output]).toEqual([one!.traceHash, one!.output])
      for (const { kind, fault } of one!.faults ?? []) met.add(`${kind} ${fault.replace(/\d+ of \d+/, 'some')}`)
    }
  }
  other.close()
  expect([...met].sort()).toEqual(
    ['hangups closed', 'resets reset'].flatMap((did) =>
      ['after it arrived', 'after some bytes', 'before it arrived'].map((when) => `${did} ${when}`),
    ),
  )
})

test('what is encrypted is severed by records, whose lengths vary: one tape gives one trace', async () => {
  const other = await Fixture.open('severed')
  const drawn = (await fixture.run('https')).choices!.fault
  expect((await other.run('https')).choices!.fault).toEqual(drawn)
  const seen = new Set<unknown>()
  for (const choice of drawn) {
    for (const value of new Set([1, 2, Number(choice.max)])) {
      const plan = withFault({ ...choice, value })
      const [one, two] = [await fixture.run('https', plan), await other.run('https', plan)]
      expect({ value, failure: one.failure, voided: one.voided }).toEqual({ value })
      expect([two.traceHash, two.output, two.faults]).toEqual([one.traceHash, one.output, one.faults])
      seen.add(JSON.parse(one.output!))
    }
  }
  other.close()
  expect(seen).toContain(200)
  expect(seen).toContain('ECONNRESET')
})

test('who waits for room learns that the connection is severed, as on stock Node', async () => {
  const drawn = (await fixture.run('a full connection')).choices!.fault
  const full = drawn.filter(({ alias }) => alias!.endsWith(':32768 2'))
  expect(full.map(({ subject }) => subject!.operation)).toEqual(['data reset', 'data close'])
  for (const choice of full) {
    const [seen] = await fixture.printed('a full connection', withFault({ ...choice, value: 2 }))
    // Stock Node shows this if the server resets, and if it closes with bytes unread.
    expect(seen).toEqual(['written', 'ECONNRESET', ...Array(7).fill('ECANCELED')])
  }
})
