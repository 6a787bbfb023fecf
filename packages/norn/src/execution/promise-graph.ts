/**
 * Which promise waits for which, from what V8's promise hooks report and the stacks at that time.
 *
 * V8 does not say which async function a promise belongs to, nor who adopts a promise. Stacks do: the frame of an
 * async function is at the same place of the stack when its promise is made and when it first suspends; later it
 * is resumed as the reaction in which it suspended before. `Promise.all` calls `then` of its members in order.
 */

/** A frame as V8 prints it, after `at`. */
export type StackLine = string

/** A promise, which this does not keep alive. */
export interface Node {
  /** The stack that made it, innermost first. */
  readonly stack: readonly StackLine[]
  /** It is of another realm, whose promises V8 does not list with those of this one. */
  readonly isForeign: boolean
  /** It was resolved, perhaps with a promise that is pending. */
  isResolved: boolean
  /** Its jobs that have begun: of `then`, the call of its handler; of any, that of the `then` of a thenable. */
  jobs: number
  /** The promise with which it was resolved. */
  adopts?: Node
  /** Of an async function: where it is suspended, and on what. */
  suspended?: { readonly stack: readonly StackLine[]; readonly on: Node }
  /** Of `then`: the promise that it was called on. */
  readonly of?: Node | undefined
  /** Of `Promise.all` and the like: the promises that it waits for. */
  members?: Node[]
}

const COMBINATOR = /\.(all|allSettled|any|race) \(<anonymous>\)$/
const THEN = /\.then \(<anonymous>\)$/
const GENERATOR = /\.(?:next|return|throw) \(<anonymous>\)$/
const BUILTIN = /^(?:.* \()?<anonymous>\)?$/

/** Promises made in the running step whose function may still suspend. */
const MAX_OPEN = 2000

export class PromiseGraph {
  readonly #nodes = new WeakMap<Promise<unknown>, Node>()
  /** Of the throwaway promise of each `await`: the promise of the function that it suspends. */
  readonly #suspended = new WeakMap<Promise<unknown>, Node>()
  /** Promises whose function may suspend, or whose combinator may get members, innermost last. */
  #open: Node[] = []
  /** The promise that `await` has just made of a value that is none, and the function that awaits it. */
  #wrapped: { readonly promise: Promise<unknown>; readonly node: Node } | undefined
  #running: { readonly promise: Promise<unknown>; readonly stack: readonly StackLine[] } | undefined

  get(promise: Promise<unknown>): Node | undefined {
    return this.#nodes.get(promise)
  }

  /** @param stack without async frames */
  made(promise: Promise<unknown>, parent: Promise<unknown> | undefined, stack: readonly StackLine[]): void {
    const of = parent === undefined ? undefined : (this.#nodes.get(parent) ?? this.#add(parent, []))
    const [top = ''] = stack
    if (parent !== undefined && of !== undefined && (!BUILTIN.test(top) || GENERATOR.test(top))) {
      const node = this.#wrapped?.promise === parent ? this.#wrapped.node : this.#functionAt(stack)
      if (node !== undefined) this.#suspends(node, promise, stack, of)
      return
    }
    if (of !== undefined && THEN.test(top)) {
      const caller = stack.slice(1)
      const isAdopting = this.#running !== undefined && isEqual(caller, this.#running.stack)
      const isMember = COMBINATOR.test(caller[0] ?? '')
      if (isAdopting) this.#adopts(of)
      else if (isMember) this.#isMember(of, caller)
      if (isAdopting || isMember) return
    }
    const node = this.#add(promise, stack, of)
    if (of !== undefined) return
    if (this.#open.length >= MAX_OPEN) this.#open = this.#open.slice(MAX_OPEN / 2)
    this.#open.push(node)
  }

  resolved(promise: Promise<unknown>): void {
    const node = this.#nodes.get(promise)
    if (node !== undefined) node.isResolved = true
  }

  /** A reaction of the promise begins. */
  before(promise: Promise<unknown>, stack: readonly StackLine[]): void {
    this.#open = []
    this.#running = { promise, stack }
    const node = this.#nodes.get(promise)
    if (node !== undefined) node.jobs++
  }

  after(): void {
    this.#running = undefined
  }

  #add(promise: Promise<unknown>, stack: readonly StackLine[], of?: Node): Node {
    const node: Node = { stack, isForeign: !(promise instanceof Promise), isResolved: false, jobs: 0, of }
    this.#nodes.set(promise, node)
    return node
  }

  #suspends(node: Node, promise: Promise<unknown>, stack: readonly StackLine[], on: Node): void {
    node.suspended = { stack, on }
    this.#suspended.set(promise, node)
    // The next promise then says on what the function waits: this one is made of a value.
    if (node === on) this.#add(promise, stack)
    this.#wrapped = node === on ? { promise, node } : undefined
  }

  /** The promise of the async function, or of the call of `next`, in which the stack was captured. */
  #functionAt(stack: readonly StackLine[]): Node | undefined {
    const [top = '', ...callers] = stack
    // A generator runs within `next`, which has made the promise of what it yields; `return` may wait itself.
    const started = this.#open.findLastIndex(
      (node) =>
        (GENERATOR.test(top) && isEqual(node.stack, stack)) ||
        (GENERATOR.test(node.stack[0] ?? '') && isEqual(node.stack, callers)) ||
        (isEqual(node.stack.slice(1), callers) && functionOf(node.stack[0]) === functionOf(top)),
    )
    return started < 0 ? this.#resumed(callers) : this.#open.splice(started, 1)[0]
  }

  #resumed(callers: readonly StackLine[]): Node | undefined {
    if (this.#running === undefined || !isEqual(callers, this.#running.stack)) return undefined
    return this.#suspended.get(this.#running.promise)
  }

  #adopts(adopted: Node): void {
    const node = this.#nodes.get(this.#running!.promise)
    if (node !== undefined) node.adopts = adopted
  }

  #isMember(member: Node, stack: readonly StackLine[]): void {
    // The combinator has made a promise of a member that was none.
    if (this.#open.at(-1) === member && isEqual(member.stack, stack)) this.#open.pop()
    const group = this.#open.findLast((node) => isEqual(node.stack, stack))
    if (group !== undefined) (group.members ??= []).push(member)
  }
}

/** Whether a promise was resolved with an object whose `then` has been called. */
export function hasThenable({ of, jobs }: Node): boolean {
  return jobs > (of === undefined ? 0 : 1)
}

/** The combinator that made a promise. */
export function combinatorOf({ stack: [top = ''] }: Node): string | undefined {
  return COMBINATOR.exec(top)?.[1]
}

/** The stack below the builtins on its top. */
export function belowBuiltins(stack: readonly StackLine[]): readonly StackLine[] {
  const at = stack.findIndex((line) => !BUILTIN.test(line))
  return at < 0 ? [] : stack.slice(at)
}

function isEqual(a: readonly StackLine[], b: readonly StackLine[]): boolean {
  if (a.length !== b.length) return false
  for (let at = a.length - 1; at >= 0; at--) if (a[at] !== b[at]) return false
  return true
}

/** A line of a stack without its line and column. */
function functionOf(line = ''): string {
  return line.replace(/:\d+:\d+\)?$/, '')
}
