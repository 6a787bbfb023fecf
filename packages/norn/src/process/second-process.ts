/**
 * Another process that runs executions, for this one: children that a program waits for within one call. It is
 * started at the first such call, and has the configuration of this one.
 *
 * This thread blocks until the answer is there, so a thread beside it speaks with the process.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { PlayElsewhere, SynchronousCall } from '../world/processes/synchronous.ts'
import { startThread } from '../world/realm/own-thread.ts'
import type { ChildConfiguration, Reply } from './protocol.ts'
import type { SecondProcessData } from './second-process-thread.ts'

/** Captured before any program can replace it. */
const { wait } = Atomics

const FOLDER = 'second'

export class SecondProcess {
  readonly #data: Omit<SecondProcessData, 'port'>
  #port: MessagePort | undefined
  #answers = 0

  constructor(configuration: ChildConfiguration) {
    const folder = join(dirname(configuration.flightRecorder), FOLDER)
    this.#data = {
      entry: process.argv[1]!,
      cwd: process.cwd(),
      env: { ...process.env },
      execArgv: [...process.execArgv],
      // Servers and sockets of this process are not its.
      configuration: {
        ...configuration,
        ...{ open: [], devices: [], sharesModules: false, flightRecorder: join(folder, 'flight.record') },
      },
      answered: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    }
  }

  /** Blocks until the call is over. Call it with Node's own functions, outside of the world. */
  readonly play: PlayElsewhere = (call: SynchronousCall) => {
    if (this.#port === undefined) {
      mkdirSync(dirname(this.#data.configuration.flightRecorder), { recursive: true })
      this.#port = startThread('./second-process-thread', import.meta.url, this.#data)
    }
    this.#port.postMessage(call)
    wait(this.#data.answered, 0, this.#answers++)
    const reply = receiveMessageOnPort(this.#port)!.message as Reply
    if (reply.type === 'played') return reply.played
    return { lacks: reply.type === 'refused' ? reply.message : reply.type }
  }
}
