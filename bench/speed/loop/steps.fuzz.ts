/** One execution of many steps: by immediates, by timers, and by operations of the pool. */
import { stat } from 'node:fs'
import { fuzz } from 'norn'
import { finished, STEPS, step } from './step.ts'

type Next = (then: () => void) => void

/** Takes all steps, each started by the one before it. */
function takeSteps(next: Next): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = STEPS
    const take = () => {
      if (left-- === 0) {
        if (finished() === STEPS) resolve()
        else reject(new Error(`${finished()} of ${STEPS} steps finished`))
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
