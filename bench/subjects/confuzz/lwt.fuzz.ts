// LWT, after a limit on concurrent work in Lwt (ConFuzz)
//
// The race: two lists of thirty jobs, of each at most five at once. A job pauses and sets its variable to its number;
// which one sets it last is open as long as one of the first five may keep its place to the end. It fails if the
// last job of the one list is its first, and that of the other its fifth.
//
// No input. By default the thirtieth is the last.
import assert from 'node:assert/strict'
import { subject } from './subject.ts'

const JOBS = 30
const AT_ONCE = 5

async function limited(atOnce: number, jobs: readonly number[], job: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < jobs.length) await job(jobs[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

subject('LWT: the last jobs are not the first and the fifth', {
  inputs: {},
  example: {},
  async body(_, { pause }) {
    const jobs = Array.from({ length: JOBS }, (_, index) => index + 1)
    let x = 0
    let y = 0
    const setX = async (number: number) => {
      await pause()
      x = number
    }
    const setY = async (number: number) => {
      await pause()
      y = number
    }
    await Promise.all([limited(AT_ONCE, jobs, setX), limited(AT_ONCE, jobs, setY)])
    assert.ok(!(x === 1 && y === 5), `x = ${x} and y = ${y} came last`)
  },
})
