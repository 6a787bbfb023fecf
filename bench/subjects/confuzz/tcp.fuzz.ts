// TCP, after the address resolution of Mirage's TCP/IP (ConFuzz)
//
// The race: who asks for an address sends the question and then waits for the answer to be broadcast. A broadcast wakes
// those who wait; if it comes before the asker waits, the asker waits for ever.
//
// Input: how long the asker takes between sending and waiting, and how long the answer takes, up to 50 ms each. Zero
// input: both a millisecond, and the asker is first. An answer that takes less than the asker fails in any order.
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'
import { subject } from './subject.ts'

const delay_ms = fc.integer({ min: 0, max: 50 })

class Condition {
  #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  broadcast(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

subject('TCP: who asks for an address gets it', {
  inputs: { asker_ms: delay_ms, answer_ms: delay_ms },
  example: { asker_ms: 0, answer_ms: 10 },
  async body({ asker_ms, answer_ms }, { pause }) {
    const answered = new Condition()
    const ask = async () => {
      await sleep(asker_ms)
      await pause()
      await answered.wait()
    }
    const answer = async () => {
      await sleep(answer_ms)
      await pause()
      answered.broadcast()
    }
    await Promise.all([ask(), answer()])
  },
})
