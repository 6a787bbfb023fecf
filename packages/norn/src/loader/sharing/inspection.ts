/**
 * What V8 knows of the objects of this process, through the inspector, from within: the session is of this thread,
 * so it answers before `post` returns.
 */
import type { Session } from 'node:inspector'
import vm from 'node:vm'
import { hostRequire } from '../internals.ts'

/** Objects go to the inspector, and come from it, in a variable that scripts share. */
const hand = vm.runInThisContext('let _norn_taken; (value) => { _norn_taken = value }') as (value: unknown) => void
const taken = vm.runInThisContext(
  '() => { const value = _norn_taken; _norn_taken = undefined; return value }',
) as () => unknown

interface Remote {
  readonly objectId?: string
  /** Of the location of a function. */
  readonly value?: { readonly scriptId: string }
}

export class Inspection implements Disposable {
  readonly #session: Session
  #isDebugging = false
  /** Of scripts, by their ids. */
  readonly #urls = new Map<string, string>()

  constructor() {
    const { Session: InspectorSession } = hostRequire('node:inspector') as typeof import('node:inspector')
    this.#session = new InspectorSession()
    this.#session.connect()
  }

  /** The objects whose chain of prototypes has one, after a full garbage collection. */
  objectsOf(prototype: object): readonly unknown[] {
    const prototypeObjectId = this.#idOf(prototype)
    const { objects } = this.#ask<{ objects: Remote }>('Runtime.queryObjects', { prototypeObjectId })
    return this.#valueOf(objects.objectId!) as unknown[]
  }

  /** The URL of the script that a function is of; undefined for one of several others. Call `onScript` before. */
  urlOf(made: Function): string | undefined {
    const location = this.#internalsOf(made).find(({ name }) => name === '[[FunctionLocation]]')?.value
    return location === undefined ? undefined : (this.#urls.get(location.value!.scriptId) ?? '')
  }

  /** What a bound function was made of: its target, its `this` and its first arguments. */
  boundParts(bound: Function): readonly unknown[] {
    return this.#internalsOf(bound).flatMap(({ name, value }) => {
      if (!/^\[\[(?:TargetFunction|BoundThis|BoundArgs)\]\]$/.test(name) || value?.objectId === undefined) return []
      return [this.#valueOf(value.objectId)]
    })
  }

  #internalsOf(object: object): readonly { readonly name: string; readonly value?: Remote }[] {
    const parameters = { objectId: this.#idOf(object), ownProperties: true }
    type Answer = { internalProperties?: { name: string; value?: Remote }[] }
    return this.#ask<Answer>('Runtime.getProperties', parameters).internalProperties ?? []
  }

  /**
   * Calls back with the URL of each script and module that V8 compiles from now on; empty if it has none.
   *
   * @returns what ends this
   */
  onScript(found: (url: string) => void): () => void {
    if (!this.#isDebugging) {
      this.#isDebugging = true
      this.#session.on('Debugger.scriptParsed', ({ params }) => void this.#urls.set(params.scriptId, params.url))
      this.#ask('Debugger.enable', {})
      // Nobody could go on from a pause: the debugger is in the thread that it stops.
      this.#ask('Debugger.setSkipAllPauses', { skip: true })
    }
    const parsed = ({ params }: { params: { url: string } }) => found(params.url)
    this.#session.on('Debugger.scriptParsed', parsed)
    return () => void this.#session.off('Debugger.scriptParsed', parsed)
  }

  [Symbol.dispose](): void {
    this.#session.disconnect()
  }

  #idOf(object: object): string {
    hand(object)
    return this.#ask<{ result: Remote }>('Runtime.evaluate', { expression: '_norn_taken' }).result.objectId!
  }

  #valueOf(objectId: string): unknown {
    this.#ask('Runtime.callFunctionOn', { objectId, functionDeclaration: 'function () { _norn_taken = this }' })
    return taken()
  }

  #ask<Answer>(method: string, parameters: object): Answer {
    let answer: Answer | undefined
    let problem: Error | null = null
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      problem = error
      answer = result as Answer
    })
    if (problem !== null) throw problem
    return answer!
  }
}

/** Runs an action with an inspection of its own. Not by `using`: Node 22 runs these sources as they are. */
export function inspected<Result>(action: (inspection: Inspection) => Result): Result {
  const inspection = new Inspection()
  try {
    return action(inspection)
  } finally {
    inspection[Symbol.dispose]()
  }
}
