import { describe, expect, it } from 'vitest'
import { LoopTimes } from '../../../src/world/loop/loop-times.ts'

function monitored(everyUs: number) {
  const times = new LoopTimes()
  const recorded: number[] = []
  return { times, recorded, monitor: times.monitor(everyUs, (us) => recorded.push(us)) }
}

describe('a monitor', () => {
  it('fires while the loop sleeps, first without a record', () => {
    const { times, recorded, monitor } = monitored(10)
    monitor.start(5)
    times.slept(5, 40)
    expect(recorded).toEqual([10, 10])
    expect(times.idleUs).toBe(35)
  })

  it('fires once, and late, when the loop was busy', () => {
    const { times, recorded, monitor } = monitored(10)
    monitor.start(0)
    times.slept(0, 12)
    times.turned(15)
    times.turned(500)
    times.slept(500, 509)
    expect(recorded).toEqual([490])
  })

  it('ends with its stop, or with the execution', () => {
    const { times, recorded, monitor } = monitored(10)
    monitor.start(0)
    times.slept(0, 20)
    monitor.stop()
    times.slept(20, 40)
    expect(recorded).toEqual([10])
    monitor.start(40)
    times.reset()
    times.slept(0, 100)
    expect(recorded).toEqual([10])
  })

  it('begins again with its reset', () => {
    const { times, recorded, monitor } = monitored(10)
    monitor.start(0)
    times.slept(0, 10)
    monitor.reset()
    times.slept(10, 20)
    expect(recorded).toEqual([])
  })
})
