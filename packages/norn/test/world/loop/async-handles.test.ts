import { expect, test } from 'vitest'
import { type Arrival, type AsyncHandle, AsyncHandles } from '../../../src/world/loop/async-handles.ts'
import { Causality } from '../../../src/world/loop/causality.ts'

/** Handles whose callbacks run what was sent to them, and what they ran. */
function recorded() {
  const handles = new AsyncHandles()
  const causality = new Causality()
  const happened: string[] = []
  const arrival = (name: string, then: () => void = () => {}): Arrival => ({
    step: causality.child(),
    kind: name,
    resource: '',
    delayUs: 0,
    run: () => {
      happened.push(name)
      then()
    },
  })
  const open = (isRefed = true) => {
    const sent: Arrival[] = []
    const handle: AsyncHandle & { send(name: string, atUs?: number, then?: () => void): void } = {
      dueUs: Number.POSITIVE_INFINITY,
      keepsAlive: () => isRefed,
      next: () => sent.shift(),
      send(name, atUs = 0, then) {
        sent.push(arrival(name, then))
        handle.dueUs = Math.min(handle.dueUs, atUs)
      },
    }
    handles.open(handle)
    return handle
  }
  const round = (nowUs = 0): string[] => {
    handles.beginRound()
    for (let each = handles.take(nowUs); each !== undefined; each = handles.take(nowUs)) each.run()
    return happened.splice(0)
  }
  const closing = (): string[] => {
    handles.beginClosing()
    for (let each = handles.takeClosed(); each !== undefined; each = handles.takeClosed()) each.run()
    return happened.splice(0)
  }
  return { handles, arrival, open, round, closing }
}

test('a round serves the handles in the order of their making, each to its end', () => {
  const { open, round } = recorded()
  const [first, second] = [open(), open()]
  second.send('c')
  first.send('a')
  first.send('b')
  expect([round(), round()]).toEqual([['a', 'b', 'c'], []])
})

test('what is sent to a handle still to come is served in the same round, to one served before in the next', () => {
  const { open, round } = recorded()
  const [first, second, third] = [open(), open(), open()]
  second.send('start', 0, () => {
    first.send('next round')
    third.send('same round')
  })
  expect([round(), round()]).toEqual([['start', 'same round'], ['next round']])
})

test('a handle that is made meanwhile waits for the next round, and stands before those that were to come', () => {
  const { open, round } = recorded()
  const [first, second] = [open(), open()]
  first.send('start', 0, () => {
    const made = open()
    made.send('made')
    second.send('same round')
  })
  expect(round()).toEqual(['start', 'same round'])
  second.send('second')
  expect(round()).toEqual(['made', 'second'])
})

test('a handle is due at its time, and not before', () => {
  const { handles, open, round } = recorded()
  const handle = open()
  expect(handles.nextEventUs()).toBe(Number.POSITIVE_INFINITY)
  handle.send('late', 70)
  expect([handles.nextEventUs(), round(69), round(70)]).toEqual([70, [], ['late']])
  expect(handles.nextEventUs()).toBe(Number.POSITIVE_INFINITY)
})

test('a round that was left goes on where it was', () => {
  const { handles, open, round } = recorded()
  const [first, second] = [open(), open()]
  first.send('a')
  first.send('b')
  second.send('c')
  handles.beginRound()
  handles.take(0)!.run()
  expect(handles.nextEventUs()).toBeLessThan(0)
  expect(round()).toEqual(['a', 'b', 'c'])
})

test('handles are closed after the round, the last first; what is closed meanwhile waits for the next turn', () => {
  const { handles, arrival, open, round, closing } = recorded()
  const [first, second, third] = [open(), open(), open()]
  first.send('lost')
  handles.close(
    first,
    arrival('first', () => handles.close(third, arrival('third'))),
  )
  handles.close(second, arrival('second'))
  expect(handles.closing).toBe(true)
  expect([round(), closing(), closing(), closing()]).toEqual([[], ['second', 'first'], ['third'], []])
  expect(handles.closing).toBe(false)
})

test('a handle that closes itself in its callback runs what it has left in this round, and nothing more', () => {
  const { handles, arrival, open, round } = recorded()
  const handle = open()
  handle.send('first', 0, () => handles.close(handle, arrival('closed')))
  handle.send('last')
  expect(round()).toEqual(['first', 'last'])
  handle.send('never')
  expect(round()).toEqual([])
})

test('the loop goes on for a handle that is referenced, and until what is closed has been told', () => {
  const { handles, arrival, open, closing } = recorded()
  open(false)
  expect(handles.keepAlive()).toBe(false)
  const handle = open()
  expect(handles.keepAlive()).toBe(true)
  handles.close(handle, arrival('closed'))
  expect(handles.keepAlive()).toBe(true)
  closing()
  expect(handles.keepAlive()).toBe(false)
})

test('a handle that is made after a round began, such as in a callback of the pool, waits for the next', () => {
  const { handles, open, round } = recorded()
  open()
  handles.beginRound()
  open().send('a')
  expect([round(), round()]).toEqual([[], ['a']])
})
