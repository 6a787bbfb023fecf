// IR, after Irmin (ConFuzz)
//
// The race: a directory gets its watcher when it is first watched, and setting one up takes a while. A second call that
// comes meanwhile finds none, and sets up another: from then on every change is announced twice.
//
// No input. By default the second call comes when the first is done: each client begins with as many
// pauses as others were there before it, and pauses end in the order in which they began.
import assert from 'node:assert/strict'
import { subject } from './subject.ts'

const CLIENTS = 2

subject('IR: a change is announced once', {
  inputs: {},
  example: {},
  async body(_, { pause }) {
    const callbacks = new Set<() => void>()
    const watchers: (() => void)[] = []
    const watch = async (callback: () => void) => {
      const watched = watchers.length > 0
      if (!watched) {
        await pause()
        watchers.push(() => {
          for (const each of callbacks) each()
        })
      }
      callbacks.add(callback)
    }

    const announced = Array.from({ length: CLIENTS }, () => 0)
    const client = async (number: number) => {
      for (let before = 0; before < number; before++) await pause()
      await watch(() => announced[number]!++)
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
    for (const watcher of watchers) watcher()
    for (const [number, count] of announced.entries()) assert.equal(count, 1, `client ${number} is told ${count} times`)
  },
})
