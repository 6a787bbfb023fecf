// A queue that forgets a waiter: leave() keeps only the first of those that wait. Fixed: it keeps all.
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

class Gate {
  #open = true
  #waiting: (() => void)[] = []

  async enter(): Promise<void> {
    if (!this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#open = false
  }

  leave(): void {
    this.#open = true
    this.#waiting = this.#waiting.slice(0, 1) // forgets all but one
    this.#waiting.shift()?.()
  }
}

async function use(gate: Gate, ms: number): Promise<void> {
  await gate.enter()
  await sleep(ms)
  gate.leave()
}

fuzz('everyone gets in', { times: fc.array(fc.nat(9), { maxLength: 4 }) }, async ({ times }) => {
  const gate = new Gate()
  const first = Promise.all(times.map((ms) => use(gate, ms)))
  await first
  await use(gate, 1)
})
