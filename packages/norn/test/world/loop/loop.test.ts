import { describe, expect, test } from 'vitest'
import { type Arrival, AsyncHandles } from '../../../src/world/loop/async-handles.ts'
import { Causality, type Step } from '../../../src/world/loop/causality.ts'
import type { Isolate } from '../../../src/world/loop/isolate.ts'
import { type DriveEnd, drive, type LoopHost, type RealEvents } from '../../../src/world/loop/loop.ts'
import { Descriptor, Descriptors } from '../../../src/world/loop/poll-descriptors.ts'
import { OPERATION_US, Pool } from '../../../src/world/loop/pool.ts'
import { Clock } from '../../../src/world/loop/virtual-clock.ts'

/** A small Node: timers and immediates are lists, a program is callbacks that start more. */
class Model implements LoopHost {
  readonly happened: string[] = []
  others = () => undefined
  gateway: RealEvents | undefined
  readonly causality = new Causality()
  readonly clock = new Clock(1e9, () => {})
  readonly pool: Pool = new Pool(() => {})
  readonly handles = new AsyncHandles()
  readonly descriptors = new Descriptors()
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
    onlyIdle: () => false,
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
  runNativeImmediates() {
    for (let next = this.handles.takeImmediate(); next !== undefined; next = this.handles.takeImmediate()) next.run()
    this.happened.push('drained')
  }
  timerLatencyUs = (step: Step) => this.latencies[step.label] ?? 0
  startLatencyUs = () => this.latencies.start ?? 0
  maxLatencyUs = () => 20_000
  stall = (before: 'turn' | 'poll'): void => this.clock.advance(this.latencies[before] ?? this.latencies.stall ?? 0)
  stopped = () => this.stop

  run({ maxSteps = 1000, reached = (): boolean => false } = {}): DriveEnd {
    return drive(this, reached, maxSteps, true)
  }
}

describe('the order is the one Node would take', () => {
  test('native immediates before immediates of the program, with one drain after all of them', () => {
    const node = new Model()
    const native = (name: string, run = () => {}) =>
      node.handles.setImmediate({
        step: node.causality.child(),
        kind: name,
        resource: '',
        delayUs: 0,
        run: () => {
          node.happened.push(name)
          run()
        },
      })
    node.immediate('immediate')
    node.operation('operation', () => {
      native('first', () => native('third'))
      native('second')
      node.immediate('late immediate')
    })
    node.run()
    expect(node.happened).toEqual(['immediate', 'operation', 'first', 'second', 'third', 'drained', 'late immediate'])
  })

  test('the loop does not sleep while a native immediate is pending', () => {
    const node = new Model()
    node.timer('timer', 1000)
    node.handles.setImmediate({
      step: node.causality.child(),
      kind: 'native',
      resource: '',
      delayUs: 0,
      run: () => void node.happened.push('native'),
    })
    node.run()
    expect(node.happened).toEqual(['native', 'drained', 'timer'])
  })

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

describe('the pending queue', () => {
  test('runs before the poll phase, which then does not sleep', () => {
    const node = new Model()
    let closedUs = 0
    const arrival = (name: string, run: () => void): Arrival => ({
      ...{ step: node.causality.child(), kind: name, resource: '', delayUs: 0 },
      run: () => {
        node.happened.push(name)
        run()
      },
    })
    const closed = arrival('closed', () => {
      closedUs = node.clock.nowUs
    })
    const pending = arrival('pending', () => node.handles.closes(closed))
    node.descriptors.feed(new Pending(node.causality.isolate, pending))
    node.operation('operation')
    node.timer('timer', 1000)
    node.run()
    expect(node.happened).toEqual(['pending', 'closed', 'operation', 'timer'])
    expect(closedUs).toBeLessThan(OPERATION_US)
  })

  test('runs before a socket that is ready', () => {
    const node = new Model()
    const calls = (name: string): Arrival => ({
      ...{ step: node.causality.child(), kind: name, resource: '', delayUs: 0 },
      run: () => void node.happened.push(name),
    })
    const ready = new Pending(node.causality.isolate, calls('ready'))
    ready.readyUs = 0
    node.descriptors.watch(ready)
    node.descriptors.feed(new Pending(node.causality.isolate, calls('pending')))
    node.timer('timer', 1000)
    node.run()
    expect(node.happened.slice(0, 2)).toEqual(['pending', 'ready'])
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

describe('operations of the pool', () => {
  test('call back in one phase if the program is held up while it wakes for the first', () => {
    for (const [stall, happened] of [
      [0, ['first', 'immediate', 'second']],
      [2000, ['first', 'second', 'immediate']],
    ] as const) {
      const node = new Model()
      node.latencies = { stall }
      node.operation('first', () => node.immediate('immediate'))
      node.operation('second', undefined, { callbackUs: 1000 })
      node.run()
      expect(node.happened).toEqual(happened)
    }
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

describe('while a real connection is open', () => {
  /** A node whose outside reports as the script says: after how much real time, in microseconds. */
  function open(reports: { afterUs: number; run: () => void }[], patienceUs = 1000) {
    const node = new Model()
    node.gateway = {
      isAwaited: true,
      patienceUs: (dueInUs) => Math.min(dueInUs, patienceUs),
      wait: (atMostUs) => Math.min(atMostUs, reports[0]?.afterUs ?? atMostUs),
      collect: () => {
        if (node.clock.nowUs < (reports[0]?.afterUs ?? Number.POSITIVE_INFINITY)) return false
        reports.shift()!.run()
        return true
      },
    }
    return node
  }

  test('the clock follows the real one, so a real event comes before a later timer', () => {
    let arrivedUs = 0
    const node: Model = open([{ afterUs: 300, run: () => (arrivedUs = node.clock.nowUs) }])
    node.timer('timer', 800)
    node.run()
    expect(arrivedUs).toBeGreaterThanOrEqual(300)
    expect(arrivedUs).toBeLessThan(400)
    expect(node.happened).toEqual(['timer'])
  })

  test('virtual time moves on where nothing real comes in time', () => {
    const node = open([])
    node.timer('timer', 1_000_000)
    node.run()
    expect(node.happened).toEqual(['timer'])
    expect(node.clock.nowUs).toBeGreaterThanOrEqual(1_000_000)
  })

  test('where only a real event could come, and none does, the drive ends as silent', () => {
    const node = open([])
    node.descriptors.watch(new Listening(node.causality.isolate))
    expect(node.run()).toBe('silent')
  })
})

describe('a descriptor that is ready when the poll registers it', () => {
  const served = (latencies: Record<string, number>) => {
    const node = new Model()
    node.latencies = latencies
    node.immediate('start', () => {
      node.operation('operation')
      node.immediate('immediate')
      const run = () => {
        node.happened.push('socket')
        socket.readyUs = Number.POSITIVE_INFINITY
      }
      const arrival = { step: node.causality.child(), kind: 'accept', resource: '', delayUs: 0, run }
      const socket = new Pending(node.causality.main, arrival)
      socket.readyUs = node.clock.nowUs
      node.descriptors.watch(socket)
    })
    node.run({ reached: () => node.happened.length === 4 })
    return node.happened
  }

  test('comes before an operation that is done before the poll returns, in the same phase', () => {
    expect(served({})).toEqual(['start', 'socket', 'immediate', 'operation'])
    expect(served({ turn: 0, poll: 2000 })).toEqual(['start', 'socket', 'operation', 'immediate'])
    expect(served({ turn: 2000, poll: 0 })).toEqual(['start', 'operation', 'socket', 'immediate'])
  })
})

/** Calls back once in a phase, or from the pending queue. */
class Pending extends Descriptor {
  readonly #arrival: Arrival

  constructor(isolate: Isolate, arrival: Arrival) {
    super(isolate)
    this.#arrival = arrival
  }
  keepsAlive(): boolean {
    return false
  }
  next(_nowUs: number, index: number): Arrival | undefined {
    return index === 0 ? this.#arrival : undefined
  }
  override fed(nowUs: number, index: number): Arrival | undefined {
    return this.next(nowUs, index)
  }
}

/** A socket that waits for ever. */
class Listening extends Descriptor {
  keepsAlive(): boolean {
    return true
  }
  next(): undefined {}
}
