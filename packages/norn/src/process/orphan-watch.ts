/**
 * Ends this process soon after the one that started it is gone, even while the program under test
 * never returns to the loop: the end of the channel, which tells the same sooner, is only seen
 * between executions.
 *
 * A thread of its own looks once a second who the parent is; an orphan has another one.
 */
import { Worker } from 'node:worker_threads'

const LOOK_MS = 1000

export function endWithParent(): void {
  const watch = `
    const { workerData } = require('node:worker_threads')
    setInterval(() => {
      if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
    }, ${LOOK_MS})`
  new Worker(watch, { eval: true, workerData: process.ppid, execArgv: [], env: {} }).unref()
}
