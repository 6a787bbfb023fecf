/**
 * The variables of the program where it fails: a thread stops the main one, by V8's inspector, at each error that is
 * thrown, and reads them where the error comes from the line that is asked for.
 */
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { type Frame, isOwn } from '../contract/execution.ts'
import type { LocalFrame } from '../contract/local-frame.ts'
import { cut } from '../contract/text.ts'

/** Calls whose variables are read, and errors at which the program is stopped: caught ones count too. */
const MAX_FRAMES = 3
const MAX_STOPS = 2000
const MAX_VARIABLES = 20
const MAX_VALUE = 400

/** By this name of the global scope the stopped thread is asked; it answers with text. */
const ANSWERS = '_norn_at_error'

/** What the thread does. */
export const ERRORS_SCRIPT = `
  async function stopAtErrors() {
    const { session, linesOf } = await inspected()
    let stops = 0
    const read = async (callFrames) => {
      const evaluate = (expression, more) => session.post('Runtime.evaluate', { expression, silent: true, ...more })
      const ask = '${ANSWERS}.calls(' + JSON.stringify(linesOf(callFrames)) + ')'
      const { result: calls } = await evaluate(ask, { returnByValue: true })
      for (const at of calls.value ?? []) {
        const { scopeChain, this: self } = callFrames[at]
        const found = new Map(self.className !== undefined && self.className !== 'global' ? [['this', self]] : [])
        for (const { type, object: { objectId } } of scopeChain) {
          if (!/^(?:local|block|catch|closure)$/.test(type)) continue
          const { result } = await session.post('Runtime.getProperties', { objectId, ownProperties: true })
          for (const { name, value } of result) if (value !== undefined && !found.has(name)) found.set(name, value)
        }
        const values = [...found].filter(([, { type }]) => type !== 'function')
        const { result: { objectId } } = await evaluate('${ANSWERS}')
        const functionDeclaration = 'function (at, names, ...values) { this.read(at, names, values) }'
        const given = [at, values.map(([name]) => name)].map((value) => ({ value }))
        const own = [...given, ...values.map(([, value]) => argumentOf(value))]
        await session.post('Runtime.callFunctionOn', { objectId, functionDeclaration, arguments: own, silent: true })
      }
    }
    const argumentOf = ({ objectId, unserializableValue, value }) =>
      objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value }
    session.on('Debugger.paused', async ({ params: { callFrames } }) => {
      try {
        if (++stops > ${MAX_STOPS}) await session.post('Debugger.setPauseOnExceptions', { state: 'none' })
        else await read(callFrames)
      } finally {
        await session.post('Debugger.resume')
      }
    })
    await session.post('Debugger.setPauseOnExceptions', { state: 'all' })
  }`

/**
 * Runs an action that runs an execution, the only one of its process, and reads the variables at the last error
 * that was thrown in a line.
 *
 * @param place of a stack line: the call of the program there
 * @returns the variables of the calls there, innermost first; none if no error was thrown there
 */
export async function withLocals<Result>(
  thread: { stopAtErrors(): Promise<void> },
  at: Pick<Frame, 'file' | 'line'>,
  place: (stackLine: string) => Frame | undefined,
  action: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly locals: readonly LocalFrame[] }> {
  const answers = new Answers(at, place)
  const define = `let ${ANSWERS}; (answers) => { ${ANSWERS} = answers }`
  ;(vm.runInThisContext(define) as (given: Answers) => void)(answers)
  // Optimised code does not keep the variables that it needs no more.
  for (const compiler of ['opt', 'maglev', 'sparkplug']) setFlagsFromString(`--no-${compiler}`)
  await thread.stopAtErrors()
  const result = await action()
  return { result, locals: answers.found() }
}

/** What the thread asks of the main one, while that is stopped. */
class Answers {
  readonly #at: Pick<Frame, 'file' | 'line'>
  readonly #place: (stackLine: string) => Frame | undefined
  #calls = new Map<number, { readonly frame: Frame; readonly variables: (readonly [string, string])[] }>()

  constructor(at: Pick<Frame, 'file' | 'line'>, place: (stackLine: string) => Frame | undefined) {
    this.#at = at
    this.#place = place
  }

  /** The calls whose variables are wanted; undefined if the innermost one of the project is somewhere else. */
  calls(stack: readonly string[]): readonly number[] | undefined {
    const own = stack.flatMap((line, at) => {
      const frame = this.#place(line)
      return frame === undefined || !isOwn(frame) ? [] : [{ at, frame }]
    })
    const innermost = own[0]?.frame
    if (innermost?.file !== this.#at.file || innermost.line !== this.#at.line) return undefined
    this.#calls = new Map(own.slice(0, MAX_FRAMES).map(({ at, frame }) => [at, { frame, variables: [] }]))
    return [...this.#calls.keys()]
  }

  read(at: number, names: readonly string[], values: readonly unknown[]): void {
    const { variables } = this.#calls.get(at)!
    for (const [index, value] of values.entries()) {
      const name = names[index]!
      if (/^_norn_/.test(name) || isModule(value) || variables.length >= MAX_VARIABLES) continue
      const shown = inspect(value, { depth: 2, compact: 3, breakLength: 100, maxArrayLength: 20, maxStringLength: 200 })
      variables.push([name, cut(shown, MAX_VALUE)])
    }
  }

  found(): readonly LocalFrame[] {
    return [...this.#calls.values()]
  }
}

function isModule(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Module]'
}
