import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import { DEFAULT_PLAN, type Plan } from '../../src/contract/plan.ts'
import { FlightRecorder, readFlight } from '../../src/process/flight-recorder.ts'
import { saveInput } from '../../src/property/input/saved-input.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function recorder(name: string) {
  const path = join(folder, name)
  return { path, recorder: new FlightRecorder(path) }
}

const withInput = (input: readonly (number | bigint)[], label = 'x.0'): Plan => ({
  input: { from: 'tape' },
  choices: {
    from: 'record',
    choices: {
      ...NO_CHOICES,
      input: input.map((value) =>
        typeof value === 'bigint'
          ? { kind: 'value' as const, label, min: 0n, max: value, value }
          : { kind: 'value' as const, label, min: 0, max: value, value },
      ),
    },
  },
})

describe('the flight recorder', () => {
  test('holds the execution that began last', () => {
    const { path, recorder: flights } = recorder('last')
    flights.record({ sequence: 1, execution: 1, plan: withInput([1, 2, 3, 4, 5]) })
    expect(readFlight(path)).toEqual({ sequence: 1, execution: 1, plan: withInput([1, 2, 3, 4, 5]) })
    flights.record({ sequence: 2, execution: 1, plan: DEFAULT_PLAN })
    expect(readFlight(path)).toEqual({ sequence: 2, execution: 1, plan: DEFAULT_PLAN })
  })

  test('holds the numbers of the last plan, also of those that differ in nothing else', () => {
    const { path, recorder: flights } = recorder('numbers')
    const named = (seed: number, faultPoints?: number): Plan => {
      const estimates = { points: 3, chains: 1, durationUs: 0.5, ...(faultPoints === undefined ? {} : { faultPoints }) }
      const choices = { from: 'strategy', strategy: 'pct', name: { length: 2 ** 32 - 1, seed }, estimates } as const
      return { input: { from: 'tape' }, choices }
    }
    for (const [sequence, plan] of [named(7), named(8, 0), named(9), withInput([1]), named(9, 2)].entries()) {
      flights.record({ sequence, execution: 1, plan })
      expect(readFlight(path)).toEqual({ sequence, execution: 1, plan })
    }
  })

  test('keeps bigints, and any character', () => {
    const { path, recorder: flights } = recorder('bigints')
    const label = 'größer als 漢字 🂡 x.0'
    flights.record({ sequence: 1, execution: 7, plan: withInput([2n ** 70n], label) })
    expect(readFlight(path)!.plan).toEqual(withInput([2n ** 70n], label))
  })

  test('keeps how the executions before it ended', () => {
    const { path, recorder: flights } = recorder('counts')
    const counts = { passed: 3, discarded: 1, failed: 0, voided: 2, flaky: 0 }
    flights.record({ sequence: 7, execution: 7, plan: DEFAULT_PLAN, counts })
    expect(readFlight(path)).toEqual({ sequence: 7, execution: 7, plan: DEFAULT_PLAN, counts })
  })

  test('keeps a saved input as it is', () => {
    const { path, recorder: flights } = recorder('saved')
    const { values, draws } = saveInput({ values: { x: 5n }, draws: [{ label: 'y', value: 7n }] })!
    const plan: Plan = { ...DEFAULT_PLAN, input: { from: 'saved', input: { values, draws } } }
    flights.record({ sequence: 1, execution: 1, plan })
    expect(readFlight(path)!.plan).toEqual(plan)
  })

  test.each([100, 1000, 5000, 300_000])('holds a plan of %i choices', (count) => {
    const { path, recorder: flights } = recorder(`of ${count}`)
    const plan = withInput(
      Array.from({ length: count }, (_, index) => index),
      '漢',
    )
    flights.record({ sequence: 1, execution: 1, plan })
    // A line of more than four million characters is not written.
    if (count < 300_000) expect(readFlight(path)?.plan).toEqual(plan)
    else expect(readFlight(path)).toBeUndefined()
  })

  test('is read as nothing where nothing, or half a record, was written', () => {
    expect(readFlight(join(folder, 'absent'))).toBeUndefined()
    expect(readFlight(recorder('empty').path)).toBeUndefined()
    const { path, recorder: flights } = recorder('half')
    flights.record({ sequence: 3, execution: 1, plan: DEFAULT_PLAN })
    const whole = readFileSync(path)
    for (const bytes of [10, whole.length / 2, whole.length - 2]) {
      writeFileSync(path, whole.subarray(0, bytes))
      expect(readFlight(path)).toBeUndefined()
    }
  })
})
