/** One execution of many steps: by immediates, by timers, and by operations of the pool. */
import { stat } from 'node:fs'
import { fuzz } from 'norn'
import { finished, STEPS, step } from './step.ts'

type Next = (then: () => void) => void

/** Takes all the steps, each begun by what the one before it has started. */
function takeSteps(next: Next): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = STEPS
    const take = () => {
      if (left-- === 0) {
        if (finished() === STEPS) resolve()
        else reject(new Error(`${finished()} of ${STEPS} steps have come to their end`))
        return
      }
      next(take)
      step()
    }
    take()
  })
}

const options = { maxSteps: 10 * STEPS }

fuzz('immediates', {}, () => takeSteps((then) => setImmediate(then)), options)
fuzz('timers', {}, () => takeSteps((then) => setTimeout(then, 1)), options)
fuzz('operations', {}, () => takeSteps((then) => stat('.', () => then())), options)
