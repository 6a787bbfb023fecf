import { describe, expect, test } from 'vitest'
import { type Arrival, AsyncHandles } from '../../src/world/async-handles.ts'
import { Causality, type Step } from '../../src/world/causality.ts'
import { Clock } from '../../src/world/clock.ts'
import { type DriveEnd, drive, type LoopHost } from '../../src/world/loop.ts'
import { OPERATION_US, Pool } from '../../src/world/pool.ts'

/** A small Node: timers and immediates are lists, a program is callbacks that start more. */
class Model implements LoopHost {
  readonly happened: string[] = []
  readonly causality = new Causality()
  readonly clock = new Clock(1e9, () => {})
  readonly pool: Pool = new Pool(() => {})
  readonly handles = new AsyncHandles()
  #timers: { atUs: number; step: Step; run: () => void; refed: boolean }[] = []
  #immediates: { step: Step; run: () => void }[] = []
  latencies: Record<string, number> = {}
  stop = false

  operation(name: string, then: () => void = () => {}, { effectUs = 0, callbackUs = 0 } = {}) {
    const complete = () => {
      this.happened.push(name)
      then()
    }
    const operation = { kind: name, resource: '', effect: () => {}, complete }
    this.pool.submit(operation, this.causality.child(), { effectUs, callbackUs }, this.clock.nowUs)
  }

  timer(name: string, inUs: number, then: () => void = () => {}, refed = true) {
    const run = () => {
      this.happened.push(name)
      then()
    }
    this.#timers.push({ atUs: this.clock.nowUs + inUs, step: this.causality.child(), run, refed })
    this.#timers.sort((a, b) => a.atUs - b.atUs)
  }

  immediate(name: string, then: () => void = () => {}) {
    const run = () => {
      this.happened.push(name)
      then()
    }
    this.#immediates.push({ step: this.causality.child(), run })
  }

  readonly timers = {
    nextExpiryUs: () => this.#timers[0]?.atUs ?? Number.POSITIVE_INFINITY,
    nextTimerStep: () => this.#timers[0]?.step,
    runTimers: () => {
      while (this.#timers[0] !== undefined && this.#timers[0].atUs <= this.clock.nowUs) this.#timers.shift()!.run()
    },
    immediatesPending: () => this.#immediates.length > 0,
    runImmediates: () => {
      // Those that are set meanwhile wait for the next turn.
      for (const { run } of this.#immediates.splice(0)) run()
    },
    refed: () => this.#immediates.length > 0 || this.#timers.some(({ refed }) => refed),
  }

  runCallback(task: { operation: { complete(error: unknown, result: unknown): void } }) {
    task.operation.complete(undefined, undefined)
  }
  runArrival({ run }: Arrival) {
    run()
  }
  timerLatencyUs = (step: Step) => this.latencies[step.label] ?? 0
  startLatencyUs = () => this.latencies.start ?? 0
  maxLatencyUs = () => 20_000
  stall = (): void => this.clock.advance(this.latencies.stall ?? 0)
  stopped = () => this.stop

  run({ maxSteps = 1000, reached = (): boolean => false } = {}): DriveEnd {
    return drive(this, reached, maxSteps, true)
  }
}

describe('the order is the one Node would take', () => {
  test('an immediate before a timer of 1 ms and before an operation, at first', () => {
    const node = new Model()
    node.timer('timer', 1000)
    node.operation('operation')
    node.immediate('immediate')
    expect(node.run()).toBe('idle')
    expect(node.happened).toEqual(['immediate', 'operation', 'timer'])
  })

  test('a timer before an immediate, if the main script took long enough', () => {
    const node = new Model()
    node.latencies = { start: 1000 }
    node.timer('timer', 1000)
    node.immediate('immediate')
    node.run()
    expect(node.happened).toEqual(['timer', 'immediate'])
  })

  test('from a callback of an operation, an immediate before a timer that is due', () => {
    const node = new Model()
    node.operation('operation', () => {
      node.timer('timer', 0)
      node.immediate('immediate')
    })
    node.run()
    expect(node.happened).toEqual(['operation', 'immediate', 'timer'])
  })

  test('an immediate that is set by an immediate waits for the next turn', () => {
    const node = new Model()
    node.immediate('first', () => node.immediate('second'))
    node.operation('operation', undefined, { effectUs: 1 })
    node.immediate('third')
    node.run()
    expect(node.happened.slice(0, 2)).toEqual(['first', 'third'])
  })

  test('timers by their time, operations by theirs, and both by the one clock', () => {
    const node = new Model()
    node.timer('2 ms', 2000)
    node.timer('1 ms', 1000)
    node.operation('1.5 ms', undefined, { effectUs: 1500 - OPERATION_US })
    node.operation('0.5 ms', undefined, { callbackUs: 500 - OPERATION_US })
    node.run()
    expect(node.happened).toEqual(['0.5 ms', '1 ms', '1.5 ms', '2 ms'])
  })
})

describe('a loop that wakes late for a timer', () => {
  test('finds what has come meanwhile, and takes it before the timer', () => {
    const node = new Model()
    node.timer('timer', 1000)
    node.operation('operation', undefined, { effectUs: 1200 })
    node.latencies = { '0:1': 500 }
    node.run()
    expect(node.happened).toEqual(['operation', 'timer'])
  })

  test('is not asked how late it is where an operation wakes it', () => {
    const node = new Model()
    const asked: string[] = []
    node.timerLatencyUs = (step) => {
      asked.push(step.label)
      return 0
    }
    node.timer('timer', 1000)
    node.operation('operation')
    node.run()
    expect(asked).toEqual(['0:1'])
    expect(node.happened).toEqual(['operation', 'timer'])
  })
})

describe('rounds of immediates', () => {
  test('let a timer in between if the program is held up', () => {
    for (const [stall, happened] of [
      [0, ['1', '2', 'timer']],
      [2000, ['1', 'timer', '2']],
    ] as const) {
      const node = new Model()
      node.latencies = { stall }
      node.timer('timer', 1000)
      node.immediate('1', () => node.immediate('2'))
      node.run()
      expect(node.happened).toEqual(happened)
    }
  })

  test('let a timer in between that was set in the same round, if the program is held up before the timers', () => {
    for (const [stall, happened] of [
      [0, ['immediate', 'next immediate', 'timer']],
      [2000, ['immediate', 'timer', 'next immediate']],
    ] as const) {
      const node = new Model()
      node.latencies = { stall }
      node.immediate('immediate', () => {
        node.timer('timer', 1000)
        node.immediate('next immediate')
      })
      node.run()
      expect(node.happened).toEqual(happened)
    }
  })

  test('are not held up where nothing could come in between', () => {
    const node = new Model()
    let asked = 0
    node.stall = () => void asked++
    node.timer('timer', 50_000)
    node.immediate('1', () => node.immediate('2'))
    node.run()
    expect(asked).toBe(0)
  })
})

describe('it ends', () => {
  test('when nothing is left that could happen', () => {
    const node = new Model()
    expect(node.run()).toBe('idle')
    node.timer('unrefed', 1000, undefined, false)
    expect(node.run()).toBe('idle')
    expect(node.happened).toEqual([])
  })

  test('when what it waits for is reached, at once', () => {
    const node = new Model()
    node.operation('a', () => node.operation('b'))
    expect(node.run({ reached: () => node.happened.includes('a') })).toBe('reached')
    expect(node.happened).toEqual(['a'])
    expect(new Model().run({ reached: () => true })).toBe('reached')
  })

  test('when it is stopped, before the next callback', () => {
    const node = new Model()
    node.operation('a', () => {
      node.stop = true
    })
    node.operation('b')
    expect(node.run()).toBe('stopped')
    expect(node.happened).toEqual(['a'])
  })

  test.each([
    ['immediates', (node: Model, again: () => void) => node.immediate('x', again)],
    ['timers', (node: Model, again: () => void) => node.timer('x', 1000, again)],
    ['operations', (node: Model, again: () => void) => node.operation('x', again)],
  ])('after a bound of steps, if %s start each other for ever', (_, start) => {
    const node = new Model()
    const again = () => start(node, again)
    again()
    expect(node.run({ maxSteps: 50 })).toBe('steps')
    expect(node.happened.length).toBeLessThan(60)
  })
})

test('time passes with every step, so it never stands still', () => {
  const node = new Model()
  const seen: number[] = []
  const again = () => {
    seen.push(node.clock.nowUs)
    if (seen.length < 20) node.immediate('x', again)
  }
  node.immediate('x', again)
  node.run()
  for (let index = 1; index < seen.length; index++) expect(seen[index]).toBeGreaterThan(seen[index - 1]!)
})

test('a callback runs as the step of its operation: what it starts is its child', () => {
  const node = new Model()
  const labels: string[] = []
  for (const name of ['a', 'b']) {
    node.operation(name, () => labels.push(node.causality.current.label), { effectUs: name === 'a' ? 100 : 0 })
  }
  node.run()
  expect(labels).toEqual(['0/0.1:1', '0:1'])
})
