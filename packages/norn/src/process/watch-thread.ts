/**
 * A thread that acts while the program under test never returns to the loop.
 *
 * It ends this process soon after its owner is gone: the main thread, which would see the channel close, sees it
 * only between executions. And it samples the stack of a program that hangs, when the owner asks for that before
 * it ends the process: it pauses the main thread some times by V8's inspector.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { Worker } from 'node:worker_threads'
import type { Frame } from '../contract/execution.ts'
import { commonPath } from './common-path.ts'
import { ERRORS_SCRIPT } from './locals.ts'

const LOOK_MS = 250
const STACKS = 25
/** Between two stacks. */
const PAUSE_MS = 20

const ASKED = 'stacks.asked'
const GIVEN = 'stacks.json'

/** By this name of the global scope the main thread is asked, while it is stopped, to read a stack. */
const READER = '_norn_read_stack'

const THREAD = `
  const { existsSync, renameSync, writeFileSync } = require('node:fs')
  const { once } = require('node:events')
  const { join } = require('node:path')
  const { setTimeout: sleep } = require('node:timers/promises')
  const { parentPort, workerData: { parent } } = require('node:worker_threads')
  let folder
  parentPort.on('message', (message) => {
    if (message.folder === undefined) stopAtErrors().then(() => parentPort.postMessage(message))
    else folder = message.folder
  })
  parentPort.unref()
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (folder === undefined || !existsSync(join(folder, '${ASKED}'))) return
    const path = join(folder, '${GIVEN}')
    folder = undefined
    const give = (stacks) => {
      writeFileSync(path + '.part', JSON.stringify(stacks))
      renameSync(path + '.part', path)
    }
    stacks().then(give, () => give([]))
  }, ${LOOK_MS})

  async function inspected() {
    const { Session } = require('node:inspector/promises')
    const session = new Session()
    session.connectToMainThread()
    const scripts = new Map()
    session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => scripts.set(scriptId, url))
    await session.post('Debugger.enable')
    const linesOf = (callFrames) =>
      callFrames.map(({ functionName, location: { scriptId, lineNumber, columnNumber } }) => {
        const place = scripts.get(scriptId) + ':' + (lineNumber + 1) + ':' + (columnNumber + 1)
        return '    at ' + (functionName === '' ? place : functionName + ' (' + place + ')')
      })
    return { session, linesOf }
  }

  async function stacks() {
    const { session, linesOf } = await inspected()
    const found = []
    for (let count = 0; count < ${STACKS}; count++) {
      const stopped = once(session, 'Debugger.paused')
      await session.post('Debugger.pause')
      const [{ params: { callFrames } }] = await stopped
      const expression = '${READER}(' + JSON.stringify(linesOf(callFrames).join('\\n')) + ')'
      const { result } = await session.post('Runtime.evaluate', { expression, returnByValue: true, silent: true })
      await session.post('Debugger.resume')
      if (Array.isArray(result.value)) found.push(result.value)
      await sleep(${PAUSE_MS})
    }
    return found
  }
  ${ERRORS_SCRIPT}`

/** The thread, of a process that runs executions. */
export class WatchThread {
  readonly #thread: Worker

  constructor() {
    this.#thread = new Worker(THREAD, { eval: true, workerData: { parent: process.ppid }, execArgv: [], env: {} })
    this.#thread.unref()
  }

  /**
   * From now on the owner may ask where the program is.
   *
   * @param folder that it shares with the owner
   * @param read gives the frames of the program in a stack, innermost first
   */
  answerIn(folder: string, read: (stack: string) => readonly Frame[]): void {
    const define = `let ${READER}; (read) => { ${READER} = read }`
    ;(vm.runInThisContext(define) as (given: typeof read) => void)(read)
    this.#thread.postMessage({ folder })
  }

  /** From now on the program stops at each error that it throws, until its process ends. */
  async stopAtErrors(): Promise<void> {
    const stopping = once(this.#thread, 'message')
    this.#thread.postMessage({})
    await stopping
  }
}

/** Asks a process that hangs where its program is. @param folder of its worker */
export function askForStacks(folder: string): void {
  writeFileSync(join(folder, ASKED), '')
}

/** Whether a process has said where its program is. */
export function hasStacks(folder: string): boolean {
  return existsSync(join(folder, GIVEN))
}

/** Where the program of a process that hung was: the call path that its samples share, innermost first. */
export function busyFrames(folder: string): readonly Frame[] {
  return hasStacks(folder) ? commonPath(JSON.parse(readFileSync(join(folder, GIVEN), 'utf8'))) : []
}
