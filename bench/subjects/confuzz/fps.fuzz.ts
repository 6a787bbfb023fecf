// FPS, after fiware-pep-steelskin (ConFuzz)
//
// The race: a request without a valid token asks for one, and becomes the first of those who wait for it; a request
// that comes later joins them. Between noticing that the token is missing and making the list there is a pause: a
// second request in between makes a list of its own, over that of the first, which is never answered.
//
// Input: the delays before the two requests, up to 50 ms. Zero input: a millisecond apart, and the first has its token
// by then. Fails only if an operation of the first is delayed by more than the second's delay.
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'
import { subject } from './subject.ts'

const delay_ms = fc.integer({ min: 0, max: 50 })

subject('FPS: every request is answered', {
  inputs: { first_ms: delay_ms, second_ms: delay_ms },
  example: { first_ms: 5, second_ms: 5 },
  async body({ first_ms, second_ms }, { pause }) {
    let valid = false
    let authenticating = false
    let waiters: (() => void)[] = []
    const authenticate = async () => {
      await pause()
      valid = true
      for (const answer of waiters.splice(0)) answer()
    }
    const request = async () => {
      if (valid) return
      const joins = authenticating
      if (!joins) await pause()
      const { promise, resolve } = Promise.withResolvers<void>()
      if (joins) {
        waiters.push(resolve)
      } else {
        authenticating = true
        waiters = [resolve]
        authenticate()
      }
      await promise
    }
    await sleep(first_ms)
    const first = request()
    await sleep(second_ms)
    await Promise.all([first, request()])
  },
})
