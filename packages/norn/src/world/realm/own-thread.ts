/** Threads of norn beside the one that runs executions, which blocks until they say something. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

/**
 * Starts a thread that does not keep the process running.
 *
 * @param module a path without its ending, relative to a module
 * @param from the URL of that module
 * @param data what the thread gets as `workerData`, beside the `port` to this one
 */
export function startThread(module: string, from: string, data: object): MessagePort {
  const { port1, port2 } = new MessageChannel()
  const ending = from.endsWith('.ts') ? '.ts' : '.js'
  const thread = new Worker(new URL(`${module}${ending}`, from), {
    workerData: { ...data, port: port2 },
    transferList: [port2],
    execArgv: ['--no-warnings'],
    env: {},
  })
  thread.unref()
  return port1
}
