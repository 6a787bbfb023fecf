import { expect, test } from 'vitest'
import { AsyncHandles } from '../../../src/world/loop/async-handles.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Platform } from '../../../src/world/threads/platform.ts'

/** A platform whose threads take `delayUs`, and what runs in the poll phase of a moment. */
function platform() {
  const handles = new AsyncHandles()
  const causality = new Causality()
  const state = { nowUs: 0, delayUs: 0, finishUs: 0 }
  const platform = new Platform({
    handles,
    nowUs: () => state.nowUs,
    announce: (_kind: string, _resource: string, point?: string) => ({
      step: causality.child(),
      delayUs: point === undefined ? 0 : state.delayUs,
    }),
    workUs: () => state.finishUs,
  } as unknown as ConstructorParameters<typeof Platform>[0])
  platform.enter()
  const happened: string[] = []
  return {
    post: (name: string, then = () => {}) =>
      platform.post('task', '', () => {
        happened.push(name)
        then()
      }),
    work(name: string, delayUs: number, phases = 1, finishUs = 0) {
      state.delayUs = delayUs
      state.finishUs = finishUs
      platform.work('work', '', () => happened.push(name), phases)
    },
    /** The poll phase of a moment. */
    poll(nowUs: number): string[] {
      state.nowUs = nowUs
      handles.beginRound()
      for (let each = handles.take(nowUs); each !== undefined; each = handles.take(nowUs)) each.run()
      return happened.splice(0)
    },
  }
}

test('work runs in the first poll phase after its threads are done', () => {
  const { work, poll } = platform()
  work('slow', 300)
  work('fast', 100)
  expect(poll(50)).toEqual([])
  expect(poll(400)).toEqual(['fast', 'slow'])
})

test('work of two phases takes two, however fast its threads are', () => {
  const { work, poll } = platform()
  work('two phases', 0, 2)
  work('one phase', 0)
  expect(poll(10)).toEqual(['one phase'])
  expect(poll(20)).toEqual(['two phases'])
})

test('work of two phases may be slow in each', () => {
  const { work, poll } = platform()
  work('two phases', 0, 2, 300)
  expect([poll(10), poll(20), poll(310)]).toEqual([[], [], ['two phases']])
})

test('what a task posts waits for the next phase', () => {
  const { post, poll } = platform()
  post('task', () => post('posted'))
  expect(poll(10)).toEqual(['task'])
  expect(poll(30)).toEqual(['posted'])
})

test('threads that are done during a step come before what the step posts', () => {
  const { post, work, poll } = platform()
  post('posted')
  work('work', 5)
  expect(poll(20)).toEqual(['work', 'posted'])
})
