import { describe, expect, it } from 'vitest'
import { LoopTimes } from '../../../src/world/loop/loop-times.ts'

describe('a monitor', () => {
  it('fires while the loop sleeps, first without a record', () => {
    const times = new LoopTimes()
    const recorded: number[] = []
    times.monitor(10, (us) => recorded.push(us)).start(5)
    times.slept(5, 40)
    expect(recorded).toEqual([10, 10])
    expect(times.idleUs).toBe(35)
  })

  it('fires once, and late, when the loop was busy', () => {
    const times = new LoopTimes()
    const recorded: number[] = []
    times.monitor(10, (us) => recorded.push(us)).start(0)
    times.slept(0, 12)
    times.turned(15)
    times.turned(500)
    times.slept(500, 509)
    expect(recorded).toEqual([490])
  })

  it('ends with its stop, or with the execution', () => {
    const times = new LoopTimes()
    const recorded: number[] = []
    const first = times.monitor(10, (us) => recorded.push(us))
    first.start(0)
    times.slept(0, 20)
    first.stop()
    times.slept(20, 40)
    expect(recorded).toEqual([10])
    first.start(40)
    times.reset()
    times.slept(0, 100)
    expect(recorded).toEqual([10])
  })

  it('begins again with its reset', () => {
    const times = new LoopTimes()
    const recorded: number[] = []
    const monitor = times.monitor(10, (us) => recorded.push(us))
    monitor.start(0)
    times.slept(0, 10)
    monitor.reset()
    times.slept(10, 20)
    expect(recorded).toEqual([])
  })
})
