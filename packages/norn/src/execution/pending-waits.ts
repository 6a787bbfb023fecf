/**
 * Finds the waits that kept a body from settling: runs it under V8's promise hooks, which capture a stack for each
 * promise. Slow, so only for an execution that is known to end so.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promiseHooks } from 'node:v8'
import type { PendingWait, PlacedLine } from '../contract/pending-wait.ts'
import { cut } from '../contract/text.ts'
import { internalBinding, requireInternal } from '../loader/internals.ts'
import { inspected } from '../loader/sharing/inspection.ts'
import { RealError } from '../world/realm/language.ts'
import { callSites } from '../world/realm/stack.ts'
import { frameOf, type Positions } from './frames.ts'
import { belowBuiltins, combinatorOf, hasThenable, type Node, PromiseGraph, type StackLine } from './promise-graph.ts'
import { NOTHING, resolveHolders } from './resolve-holders.ts'

/** Frames captured of a promise, and shown of the place that made it. */
const MAX_CAPTURED = 200
const MAX_FRAMES = 6
/** Waits that are told, and promises captured: each costs tens of microseconds. */
const MAX_WAITS = 60
const MAX_PROMISES = 500_000
const MAX_CODE = 100

const { apply, set, deleteProperty, getOwnPropertyDescriptor } = Reflect
const { captureStackTrace } = RealError
const { set: setIn } = WeakMap.prototype
const { overrideStackTrace } = requireInternal<{ overrideStackTrace: object }>('internal/errors')
const { getPromiseDetails, constants } = internalBinding<{
  getPromiseDetails(promise: Promise<unknown>): [state: number]
  constants: Record<'kPending', number>
}>('util')

/** What an execution tells of its body. */
export interface Waiting {
  /** It was called, and returned this. */
  started(given: unknown): void
  /** It has not settled, and gets no more steps. */
  stuck(): void
}

/**
 * Runs an action that runs an execution. Returns the waits on the way from its body, if that never settled.
 *
 * @param onLooking called when the execution has ended so, before all its objects are looked at
 */
export async function withPendingWaits<Result>(
  action: (waiting: Waiting) => Promise<Result>,
  positions: Positions,
  onLooking: () => void = () => {},
): Promise<{ readonly result: Result; readonly waits: readonly PendingWait[] }> {
  const graph = new PromiseGraph()
  // Keeps what waits for a promise that only its lost resolve would keep: it tells who had the resolve.
  const unresolved = new Set<Promise<unknown>>()
  let waits: readonly PendingWait[] = []
  let root: Promise<unknown> | undefined
  const stop = follow(graph, unresolved)
  try {
    const started = (given: unknown) => {
      root = given instanceof Promise ? given : undefined
    }
    const stuck = () => {
      stop()
      if (root === undefined) return
      onLooking()
      const walk = walkFrom(root, graph, positions)
      waits = walk.waits
      // What this keeps would count as reachable.
      root = undefined
      unresolved.clear()
      const reachable = new Set(promisesOf(graph).keys())
      for (const { node, wait } of walk.ends) if (!node.isForeign && !reachable.has(node)) wait.isLost = true
    }
    const result = await action({ started, stuck })
    return { result, waits }
  } finally {
    stop()
  }
}

/** The promises that are reachable, after a collection of all garbage. */
function promisesOf(graph: PromiseGraph): Map<Node | undefined, Promise<unknown>> {
  const reachable = inspected((inspection) => inspection.objectsOf(Promise.prototype) as Promise<unknown>[])
  return new Map(reachable.map((promise) => [graph.get(promise), promise]))
}

interface End {
  readonly node: Node
  readonly wait: Writable<PendingWait>
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Returns no promise: the caller looks next for those that nothing else keeps. */
function walkFrom(root: Promise<unknown>, graph: PromiseGraph, positions: Positions) {
  const live = promisesOf(graph)
  const walk = new Walk(positions, live)
  const waits = walk.from(graph.get(root)!)
  const ends = walk.ends.filter(({ node }) => live.has(node))
  let holders: readonly (string | undefined)[] = []
  // Where the program has replaced what the look at the heap needs, the waits are reported without their holders.
  quietly(() => {
    holders = resolveHolders(ends.map(({ node }) => live.get(node)!))
  })
  for (const [at, { wait }] of ends.entries()) {
    const holder = holders[at]
    if (holder === NOTHING && wait.by === 'new Promise') wait.isLost = true
    else if (holder !== undefined && holder !== NOTHING) wait.holder = holder
  }
  return { waits, ends: walk.ends as readonly End[] }
}

/** Follows promises until the returned function is called. */
function follow(graph: PromiseGraph, unresolved: Set<Promise<unknown>>): () => void {
  let left = MAX_PROMISES
  function onInit(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (left-- <= 0) return
    unresolved.add(promise)
    quietly(() => graph.made(promise, parent, stackBelow(onInit)))
  }
  function onBefore(promise: Promise<unknown>): void {
    if (left > 0) quietly(() => graph.before(promise, stackBelow(onBefore)))
  }
  // Not `createHook`: what it returns iterates over an array, which the program may have broken.
  const stops = [
    promiseHooks.onInit(onInit),
    promiseHooks.onBefore(onBefore),
    promiseHooks.onAfter(() => graph.after()),
    promiseHooks.onSettled((promise) => {
      unresolved.delete(promise)
      quietly(() => graph.resolved(promise))
    }),
  ] as (() => void)[]
  return () => {
    for (const stop of stops.splice(0)) stop()
  }
}

/** Node would report an error of a hook as one of the program, which may have broken what the hook needs. */
function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}

/** Frames of Node that call a hook, where there are several hooks. */
const HOOKS = /node:internal\/(?:promise|async)_hooks:/

/**
 * The running functions below a hook. Formatted at once, past what the program has set for its own stacks: a stack
 * that V8 has still to format keeps alive what its functions can see.
 */
function stackBelow(hook: Function): StackLine[] {
  const limit = getOwnPropertyDescriptor(RealError, 'stackTraceLimit')?.value as unknown
  set(RealError, 'stackTraceLimit', MAX_CAPTURED)
  try {
    const captured: { stack?: readonly NodeJS.CallSite[] } = {}
    const sitesOf = (_: object, sites: readonly NodeJS.CallSite[]) => sites
    apply(setIn, overrideStackTrace, [captured, sitesOf])
    captureStackTrace(captured, hook)
    const lines = (captured.stack ?? []).map(String)
    const first = lines.findIndex((line) => !HOOKS.test(line))
    const end = lines.findIndex((line) => line.startsWith('async '))
    return first < 0 ? [] : lines.slice(first, end < 0 ? undefined : end)
  } finally {
    if (limit === undefined) deleteProperty(RealError, 'stackTraceLimit')
    else set(RealError, 'stackTraceLimit', limit)
  }
}

/** The way from a promise to what it waits for. */
class Walk {
  readonly #positions: Positions
  readonly #live: ReadonlyMap<Node | undefined, Promise<unknown>>
  readonly #files = new Map<string, readonly string[]>()
  /** The promises on the way to the current one. */
  readonly #way: Node[] = []
  /** The promises that wait for no other. */
  readonly ends: End[] = []
  #left = MAX_WAITS

  /** @param live the promises that are reachable */
  constructor(positions: Positions, live: ReadonlyMap<Node | undefined, Promise<unknown>>) {
    this.#positions = positions
    this.#live = live
  }

  from(node: Node): PendingWait[] {
    if (this.#way.includes(node)) return [{ how: 'cycle', frames: this.#placed(node.stack), on: [] }]
    if (this.#left-- <= 0) return []
    this.#way.push(node)
    try {
      return this.#waitsOf(node)
    } finally {
      this.#way.pop()
    }
  }

  #waitsOf(node: Node): PendingWait[] {
    const { adopts, suspended, of, members } = node
    if (of !== undefined) {
      const how = node.stack[1]?.match(/\.(catch|finally) \(<anonymous>\)$/)?.[1] ?? 'then'
      const on = adopts === undefined && hasThenable(node) ? this.#end(node) : this.from(adopts ?? of)
      return this.#wait(how, node.stack, on)
    }
    if (adopts !== undefined) return this.from(adopts)
    if (suspended !== undefined) return this.#wait('await', suspended.stack, this.from(suspended.on))
    const how = combinatorOf(node)
    if (how !== undefined && members !== undefined) return this.#combined(node, how, members)
    return this.#end(node)
  }

  /** A promise that waits for no other. */
  #end(node: Node): PendingWait[] {
    const { stack } = node
    const how = hasThenable(node) ? 'thenable' : 'made'
    const wait: PendingWait = { how, by: calleeOf(stack), frames: this.#placed(stack), on: [] }
    this.ends.push({ node, wait })
    return [wait]
  }

  #combined({ stack }: Node, how: string, members: readonly Node[]): PendingWait[] {
    const pending = [...members.keys()].filter((at) => this.#isPending(members[at]!))
    const on = pending.flatMap((at) => this.from(members[at]!))
    return this.#wait(how, stack, on, { members: { pending, count: members.length } })
  }

  #isPending(node: Node): boolean {
    const promise = this.#live.get(node)
    if (promise !== undefined) return getPromiseDetails(promise)[0] === constants.kPending
    return node.adopts === undefined ? !node.isResolved : this.#isPending(node.adopts)
  }

  /** A wait in a line of the program; what Node waits for within its own functions is passed over. */
  #wait(
    how: string,
    stack: readonly StackLine[],
    on: readonly PendingWait[],
    more: Pick<PendingWait, 'members'> = {},
  ): PendingWait[] {
    const [top = ''] = belowBuiltins(stack)
    const frames = this.#placed([top])
    return frames.length === 0 ? [...on] : [{ how, frames, ...more, on }]
  }

  #placed(stack: readonly StackLine[]): PlacedLine[] {
    const sites = callSites(stack.map((line) => `    at ${line}`).join('\n')).slice(0, MAX_FRAMES)
    return sites.map((site) => {
      const frame = frameOf(site, this.#positions)
      const code = this.#linesOf(frame.file)[frame.line - 1]?.trim()
      return code === undefined ? frame : { ...frame, code: cut(code, MAX_CODE) }
    })
  }

  #linesOf(file: string): readonly string[] {
    let lines = this.#files.get(file)
    if (lines === undefined) this.#files.set(file, (lines = read(join(this.#positions.root(), file))))
    return lines
  }
}

function read(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

/** The function of Node, or of the language, that the innermost line of the program called. */
function calleeOf(stack: readonly StackLine[]): string {
  const own = stack.findIndex((line) => callSites(`    at ${line}`).length > 0)
  // V8 names methods after what they were called on, and static methods of promises differently in its versions.
  const name = CALLEE.exec(stack[own - 1] ?? '')?.[1] ?? ''
  return /^(?:new|Array\.|Promise\.|Function\.)/.test(name)
    ? name.replace(/^Function\./, 'Promise.')
    : name.replace(/^.*\./, '')
}

/** A function of Node or of the language; other frames are norn's. */
const CALLEE = /^(\S.*) \((?:node:.*|<anonymous>)\)$/
