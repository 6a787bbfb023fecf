import { describe, expect, test } from 'vitest'
import type { Arrival } from '../../../src/world/loop/async-handles.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import { ASYNC, Descriptor, Descriptors } from '../../../src/world/loop/poll-descriptors.ts'

const { main } = new Causality()

/** Calls back once in each phase, and once in each round of the pending queue. */
class Once extends Descriptor {
  readonly name: string

  constructor(name: string, readyUs = Number.POSITIVE_INFINITY) {
    super(main)
    this.name = name
    this.readyUs = readyUs
  }
  keepsAlive(): boolean {
    return true
  }
  next(_nowUs: number, index: number): Arrival | undefined {
    return this.fed(_nowUs, index)
  }
  override fed(_nowUs: number, index: number): Arrival | undefined {
    return index === 0 ? ({ resource: this.name } as Arrival) : undefined
  }
}

const NEVER = Number.POSITIVE_INFINITY

describe('a poll phase', () => {
  /** Whom a phase serves. */
  function polled(descriptors: Descriptors, nowUs: number, asyncUs = NEVER): string[] {
    const served: string[] = []
    descriptors.poll(nowUs, asyncUs)
    for (let next = descriptors.take(nowUs); next !== undefined; next = descriptors.take(nowUs))
      served.push(next === ASYNC ? 'async' : next.resource)
    return served
  }

  /** Descriptors that an earlier phase has registered. */
  function registered(...each: Once[]): Descriptors {
    const descriptors = new Descriptors()
    for (const one of each) descriptors.watch(one)
    descriptors.poll(Number.NEGATIVE_INFINITY, NEVER)
    return descriptors
  }

  test('serves descriptors in the order in which they became ready, the pool among them', () => {
    expect(polled(registered(new Once('late', 30), new Once('early', 10)), 40, 20)).toEqual(['early', 'async', 'late'])
  })

  test('a descriptor whose interest is back by the next phase keeps its place', () => {
    for (const isBack of [true, false]) {
      const [connects, waits] = [new Once('connects', 10), new Once('waits')]
      const descriptors = registered(waits, connects)
      expect(polled(descriptors, 20)).toEqual(['connects'])
      waits.readyUs = 21
      descriptors.unwatch(connects)
      if (!isBack) polled(descriptors, 20)
      descriptors.watch(connects)
      expect(polled(descriptors, 30)).toEqual(isBack ? ['connects', 'waits'] : ['waits', 'connects'])
    }
  })

  test('does not serve what becomes ready later', () => {
    expect(polled(registered(new Once('a', 10), new Once('b', 50)), 40, 60)).toEqual(['a'])
  })

  test('serves those that stay ready before those that become so', () => {
    const [stays, comes] = [new Once('stays', 10), new Once('comes')]
    const descriptors = registered(comes, stays)
    expect(polled(descriptors, 20)).toEqual(['stays'])
    comes.readyUs = 5
    expect(polled(descriptors, 30)).toEqual(['stays', 'comes'])
  })

  test('takes its place from one that was found not ready', () => {
    const [first, second] = [new Once('first', 10), new Once('second', 20)]
    const descriptors = registered(first, second)
    expect(polled(descriptors, 30)).toEqual(['first', 'second'])
    first.readyUs = NEVER
    expect(polled(descriptors, 40)).toEqual(['second'])
    first.readyUs = 41
    expect(polled(descriptors, 50)).toEqual(['second', 'first'])
  })

  test('serves those with a new interest last', () => {
    const descriptors = registered(new Once('old', 20))
    descriptors.watch(new Once('new', 10))
    expect(polled(descriptors, 30)).toEqual(['old', 'new'])
  })

  test('what becomes ready once a poll has registered a descriptor joins behind it', () => {
    for (const [registersUs, served] of [
      [20, ['fresh', 'async']],
      [30, ['async', 'fresh']],
    ] as const) {
      const descriptors = registered()
      descriptors.watch(new Once('fresh', 10))
      expect(descriptors.register(registersUs)).toBe(true)
      expect(descriptors.register(registersUs + 1)).toBe(false)
      expect(polled(descriptors, 40, 25)).toEqual(served)
    }
  })

  test('serves one whose interest ended and began again as if it were new', () => {
    const [again, late, early] = [new Once('again'), new Once('late'), new Once('early')]
    const descriptors = registered(again, late, early)
    const fresh = new Once('fresh', 1)
    descriptors.watch(fresh)
    for (const [each, us] of [
      [late, 7],
      [early, 3],
      [again, 2],
    ] as const)
      each.readyUs = us
    descriptors.unwatch(again)
    descriptors.watch(again)
    expect(descriptors.nextEventUs(2)).toBe(3)
    expect(polled(descriptors, 10, 5)).toEqual(['early', 'async', 'late', 'fresh', 'again'])
    early.readyUs = NEVER
    expect(polled(descriptors, 11, 5)).toEqual(['async', 'late', 'fresh', 'again'])
  })

  test('does not serve one that a callback of the phase has closed', () => {
    const [first, second] = [new Once('first', 10), new Once('second', 20)]
    const descriptors = registered(first, second)
    descriptors.poll(30, NEVER)
    expect(descriptors.take(30)).toMatchObject({ resource: 'first' })
    descriptors.close(second)
    expect(descriptors.take(30)).toBeUndefined()
  })
})

describe('the pending queue', () => {
  test('serves a descriptor once a round, and eight rounds after the poll phase', () => {
    const descriptors = new Descriptors()
    const again = new Once('again')
    descriptors.feed(again)
    descriptors.feed(again)
    descriptors.beginPending()
    let served = 0
    while (descriptors.takePending(0) !== undefined) {
      served++
      descriptors.feed(again)
    }
    expect([served, descriptors.pending]).toEqual([8, true])
  })

  test('a descriptor that closes itself in its callback takes no turn of the next', () => {
    const descriptors = new Descriptors()
    const [first, second] = [new Once('first'), new Once('second')]
    descriptors.feed(first)
    descriptors.feed(second)
    descriptors.beginPending()
    expect(descriptors.takePending(0)?.resource).toBe('first')
    descriptors.close(first)
    expect(descriptors.takePending(0)?.resource).toBe('second')
    expect(descriptors.takePending(0)).toBeUndefined()
  })
})
