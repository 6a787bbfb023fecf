import { describe, expect, it } from 'vitest'
import { watched } from '../../src/node/watchdog.ts'

describe('the watchdog', () => {
  it('hands back what it ran gives, and throws what that throws', () => {
    expect(watched(() => 7, undefined)).toEqual({ ended: 'returned', result: 7 })
    expect(() =>
      watched(() => {
        throw new Error('mine')
      }, 1000),
    ).toThrow('mine')
  })

  it('ends what does not end by itself', () => {
    let count = 0
    const endless = () => {
      for (;;) count++
    }
    expect(watched(endless, 50)).toEqual({ ended: 'time' })
    expect(count).toBeGreaterThan(0)
  })

  it('ends it on Ctrl-C', () => {
    const begun = performance.now()
    const outcome = watched(() => {
      process.kill(process.pid, 'SIGINT')
      while (performance.now() - begun < 60_000);
    }, undefined)
    expect(outcome).toEqual({ ended: 'interrupted' })
  })
})
