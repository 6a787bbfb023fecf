/**
 * Faults in the world: off unless asked for, drawn under the operation's label, bounded, part of
 * the trace, repeatable.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Choice } from '../../src/contract/choice.ts'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { FollowBy, Plan } from '../../src/contract/plan.ts'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await Fixture.open('faults')
})

afterAll(() => fixture.close())

/** The natural schedule with these faults. */
function withFaults(fault: readonly Choice[], followBy: FollowBy = 'label'): Plan {
  return { input: { from: 'tape' }, choices: { from: 'record', choices: { ...NO_CHOICES, fault }, followBy } }
}

const points = async (name: string): Promise<readonly Choice[]> => (await fixture.run(name)).choices!.fault

const worst = (choice: Choice): Choice => ({ ...choice, value: choice.max })
const first = (choice: Choice): Choice => ({ ...choice, value: 1 })
const injected = ({ faults = [] }: ExecutionResult) => faults.map(({ label, fault }) => `${label}: ${fault}`)

describe('off unless asked for', () => {
  test('nothing is drawn without the option, nor with none allowed', async () => {
    for (const name of ['all, off', 'all, none allowed']) {
      const result = await fixture.run(name, random(3))
      expect(result.choices!.fault).toEqual([])
      expect(result).not.toHaveProperty('faultPoints')
      expect(result).not.toHaveProperty('faults')
    }
  })

  test('being allowed changes nothing as long as none is injected', async () => {
    const schedules = [NATURAL, ...[1, 2, 3, 4].map(random)]
    let same = 0
    for (const plan of schedules) {
      const [off, on] = [await fixture.run('all, off', plan), await fixture.run('all, at most 1', plan)]
      if (on.faults!.length > 0) continue
      expect(on.faultPoints).toBeGreaterThan(10)
      expect([on.traceHash, on.output, on.choices!.schedule]).toEqual([
        off.traceHash,
        off.output,
        off.choices!.schedule,
      ])
      same++
    }
    expect(same).toBeGreaterThan(1)
  })
})

describe('labels', () => {
  test('a choice is named by its step and the call, by its alias too, and has a value for each fault', async () => {
    const drawn = (await points('labels')).map(({ label, alias, max }) => [label, alias, max])
    expect(drawn).toEqual([
      ['0:0 mkdir', 'mkdir folder 1', 3],
      ['0:0 writeFile open', 'writeFile open folder/now 1', 4],
      ['0:0 writeFile write', 'writeFile write folder/now 1', 4],
      ['0:0 writeFile close', 'writeFile close folder/now 1', 1],
      ['0:1 open', 'open folder/soon 1', 4],
      ['0:2 write', 'write folder/soon 1', 4],
      ['0:3 close', 'close folder/soon 1', 1],
      ['0:3 copyfile open', 'copyfile open folder/now 1', 3],
      ['0:3 copyfile open#1', 'copyfile open folder/now 2', 4],
      ['0:3 copyfile write', 'copyfile write folder/now 1', 2],
      ['0:3 rmdir', 'rmdir nowhere 1', 2],
    ])
  })

  test('a fault stays with its operation, whichever comes first', async () => {
    const [one] = await points('order')
    const plan = withFaults([first(one!)])
    const schedule = [{ kind: 'latency' as const, label: '0:1 unlink effect', min: 0, max: 20_000, value: 5000 }]
    const late: Plan = {
      ...plan,
      choices: { from: 'record', choices: { ...NO_CHOICES, fault: [first(one!)], schedule } },
    }
    expect(one!.label).toBe('0:1 unlink')
    expect(await fixture.printed('order', plan)).toEqual([['EACCES', 'ENOENT']])
    expect(await fixture.printed('order', late)).toEqual([['EACCES', 'ENOENT']])
  })

  test('where code has moved a label, the alias finds the operation', async () => {
    const two = (await points('order'))[1]!
    const moved = { ...first(two), label: '0/7.7:7 unlink' }
    expect(await fixture.printed('order', withFaults([moved]))).toEqual([['ENOENT', 'EACCES']])
    const taken = { ...first(two), label: '0:1 unlink' }
    expect(await fixture.printed('order', withFaults([taken]))).toEqual([['EACCES', 'ENOENT']])
    expect(await fixture.printed('order', withFaults([taken], 'alias'))).toEqual([['ENOENT', 'EACCES']])
  })
})

describe('what is injected', () => {
  test('the program gets it, and result and trace tell it before the effect', async () => {
    const [point] = (await points('all, at most 1')).filter(({ alias }) => alias === 'rename b 1')
    const result = await fixture.run('all, at most 1', withFaults([{ ...point!, value: 2 }]))
    expect(result.faults).toEqual([
      { kind: 'fs', label: point!.label, operation: 'rename', resource: 'b', fault: 'EIO' },
    ])
    expect(result.output).toContain('"EIO"')
    const { trace } = result.explanation
    const at = trace.findIndex(({ event }) => event === 'fault')
    expect(trace.slice(at, at + 2)).toMatchObject([
      { event: 'fault', kind: 'rename', resource: 'b', outcome: 'EIO' },
      { event: 'effect', kind: 'rename', resource: 'b', outcome: 'EIO' },
    ])
    expect(result.traceHash).not.toBe((await fixture.run('all, at most 1')).traceHash)
  })

  test('each point alone, in its first and in its last way: the program goes on, and the fault is told', async () => {
    for (const point of await points('all, at most 1')) {
      for (const choice of [first(point), worst(point)]) {
        const result = await fixture.run('all, at most 1', withFaults([choice]))
        expect([result.verdict, injected(result).length, result.faultPoints]).toEqual([
          'passed',
          1,
          result.choices!.fault.length,
        ])
        expect(result.choices!.fault.at(-1)).toEqual(choice)
      }
    }
  })

  test('no more than allowed, and nothing is drawn after the last', async () => {
    const all = (await points('all, at most 3')).map(first)
    for (const most of [1, 3]) {
      const result = await fixture.run(`all, at most ${most}`, withFaults(all))
      expect(result.faults).toHaveLength(most)
      expect(result.choices!.fault.at(-1)!.value).toBe(1)
      expect(result.choices!.fault.filter(({ value }) => value !== 0)).toHaveLength(most)
    }
  })

  test('nothing while modules load, nor for what they submit then; nothing of what is printed', async () => {
    const loading = await Fixture.open('faults-loading')
    try {
      const { verdict, choices } = await loading.run('loading')
      expect([verdict, choices!.fault.map(({ alias }) => alias)]).toEqual(['passed', ['rmdir started-while-loading 1']])
    } finally {
      loading.close()
    }
  })

  test('nothing inside withoutFaults, however it ends, and again after it', async () => {
    expect((await points('calm')).map(({ alias }) => alias)).toEqual(['stat . 1'])
    const [last] = await points('calm')
    const [log] = await fixture.printed('calm', withFaults([first(last!)]))
    expect(log).toEqual(['ok', 'ERR_ASSERTION', 'ok', 'calm', 'ENOENT', 'EACCES'])
  })
})

test('drawn by chance: some executions have none, some have, and two processes do the same', async () => {
  const other = await Fixture.open('faults')
  try {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed)
    const seen: string[][] = []
    for (const seed of seeds) {
      const [here, there] = [
        await fixture.run('all, at most 3', random(seed)),
        await other.run('all, at most 3', random(seed)),
      ]
      expect(there.traceHash).toBe(here.traceHash)
      expect([there.choices, there.faults, there.output]).toEqual([here.choices, here.faults, here.output])
      expect(here.verdict, JSON.stringify(here.failure)).toBe('passed')
      seen.push(injected(here))
    }
    const counts = seen.map(({ length }) => length)
    for (const count of [0, 1, 2, 3]) expect(counts).toContain(count)
    expect(Math.max(...counts)).toBe(3)
    expect(new Set(seen.flat()).size).toBeGreaterThan(15)
  } finally {
    other.close()
  }
})

test('what was drawn replays from its record', async () => {
  for (const seed of [1, 2, 5, 6, 9, 11]) {
    const drawn = await fixture.run('all, at most 3', random(seed))
    const replayed = await fixture.run('all, at most 3', {
      input: { from: 'tape' },
      choices: { from: 'record', choices: drawn.choices! },
    })
    expect([replayed.traceHash, replayed.faults]).toEqual([drawn.traceHash, drawn.faults])
  }
})
