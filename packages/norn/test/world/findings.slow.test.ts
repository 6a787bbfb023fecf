import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FoundFailure } from '../../src/contract/events.ts'
import { FileProcess } from '../../src/session/file-process.ts'
import { search } from '../../src/session/search.ts'
import { Fixture, fixture as optionsOf, random } from './workers.ts'

describe('a body that goes wrong', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await Fixture.open('findings')
  })
  afterAll(() => fixture.close())

  test('is a finding of the right kind, under any schedule, and what it threw can be reported', async () => {
    const wrong: unknown[] = []
    for (const name of fixture.names) {
      const [kind] = name.split(': ')
      const explained = await fixture.run(name)
      const executed = await fixture.worker.execute(fixture.property(name), random(3))
      for (const { verdict, failure, voided } of [explained, executed]) {
        const found = verdict === 'failed' ? failure!.kind : verdict
        const told = failure === undefined || (failure.message !== '' && failure.stack !== '')
        if (found !== kind || !told) wrong.push({ name, found, failure, voided })
      }
    }
    expect(wrong).toEqual([])
    expect(fixture.names.length).toBeGreaterThan(120)
  })

  test('that overflows the stack leaves a trace up to the step that did, which may be one by a message', async () => {
    const name = 'uncaught exception: the stack overflows where a message is received'
    const { explanation } = await fixture.run(name)
    expect(explanation.trace.at(-1)).toMatchObject({ event: 'callback', kind: 'message' })
  })

  test('is shown with the line that threw', async () => {
    for (const name of [
      'error: the body throws',
      'uncaught exception: in a timer',
      'error: thrown is a frozen error',
    ]) {
      const { failure } = await fixture.run(name)
      expect(failure!.frames[0]!.file).toBe('packages/norn/test/world/fixtures/findings.fuzz.ts')
    }
  })

  test('says what was thrown if that is no error', async () => {
    const shown = async (name: string) => (await fixture.run(`error: thrown is ${name}`)).failure!.message
    expect(await shown('undefined')).toBe('a value that is not an Error was thrown: undefined')
    expect(await shown('a string')).toBe("a value that is not an Error was thrown: 'text'")
    expect(await shown('a proxy that throws')).toMatch(/^a value that is not an Error was thrown: /)
    expect(await shown('an error whose message throws')).toBe('(its message cannot be read)')
  })

  test('an exit runs the listeners of exit, as Node does', async () => {
    expect((await fixture.run('exit: in the body, with a listener')).output).toBe('exiting\n')
  })
})

describe('a body that never gives control back', () => {
  const findings = async (name: string): Promise<FoundFailure[]> => {
    const start = { ...optionsOf('endless'), hangMs: 300 }
    const file = new FileProcess(start)
    const properties = await file.properties()
    const property = properties.find((each) => each.name === name)!
    const found: FoundFailure[] = []
    const options = { seed: 1, strategy: 'random', runs: 30, timeMs: 600_000, keepGoing: false, shrink: false, skip: 0 }
    await search(file, property, options, (event) => {
      if (event.type === 'confirmed') found.push(event.failure)
    }).finally(() => file.close())
    return found
  }

  test.each([
    ['a loop', 5],
    ['ticks', 9],
    ['microtasks', 14],
  ])('%s: is a finding of the kind hang, seen twice, and shows where it is', async (name, line) => {
    const [finding, ...more] = await findings(name)
    expect(more).toEqual([])
    const { kind, frames } = finding!.result.failure!
    expect(kind).toBe('hang')
    expect(frames.map((each) => each.line)).toEqual([line])
    expect(finding!.confirmation!.confirmed).toBe(true)
    expect(finding!.confirmation!.plan.choices.from).toBe('record')
  })

  test('keeps the choices that led there', async () => {
    const [finding] = await findings('a loop after a choice')
    const { choices } = finding!.result
    const seed = choices!.schedule.filter(({ label }) => label === 'chance seed')
    expect(seed).toHaveLength(1)
    expect(seed[0]!.value).toBeGreaterThan(0)
    expect(finding!.confirmation!.confirmed).toBe(true)
  })
})
