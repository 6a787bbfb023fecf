/**
 * The thread that starts a process for executions and speaks with it. Invariant: an answer is queued before it is
 * counted.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { type MessagePort, workerData } from 'node:worker_threads'
import type { SynchronousCall } from '../world/processes/synchronous.ts'
import type { ChildConfiguration, Reply, Request } from './protocol.ts'

export interface SecondProcessData {
  /** The program of the process. */
  readonly entry: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly execArgv: readonly string[]
  readonly configuration: ChildConfiguration
  /** Counts the answers. */
  readonly answered: Int32Array<SharedArrayBuffer>
  readonly port: MessagePort
}

const { entry, cwd, env, execArgv, configuration, answered, port } = workerData as SecondProcessData

class SecondProcess {
  #child: ChildProcess | undefined

  play(call: SynchronousCall): void {
    this.#child ??= this.#started()
    this.#child.send({ type: 'play', call } satisfies Request)
  }

  #started(): ChildProcess {
    const child = fork(entry, [], {
      ...{ cwd, env, execArgv: [...execArgv], serialization: 'advanced' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', (reply: Reply) => answer(reply))
    child.once('exit', (code, signal) => {
      this.#child = undefined
      const message = `its process died (${signal ?? `exit status ${code}`})`
      answer({ type: 'refused', why: 'internal', message, stack: '' })
    })
    child.send({ configuration })
    return child
  }
}

function answer(reply: Reply): void {
  port.postMessage(reply)
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
}

const process = new SecondProcess()
port.on('message', (call: SynchronousCall) => process.play(call))
