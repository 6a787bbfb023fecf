/**
 * Who could still settle a promise: the property, the variable, the listener or the timer that has its resolve or
 * its reject. Read from a heap snapshot, so only for an execution that is explained.
 */
import { HeapSnapshot, type Reference } from './heap-snapshot.ts'

/** References from a holder to the resolve, and functions that share its scope: beyond these, no holder is named. */
const MAX_DEPTH = 12
const MAX_VISITED = 5000
const MAX_SHARING = 3

export const NOTHING = 'nothing'

const MARK = 'norn: a promise that waits'

/**
 * @returns of each promise: where its resolve or reject is, in words (`Pool.#waiting[0]`, `the variable release`);
 * `NOTHING` if the program has neither any more; undefined if that cannot be said.
 */
export function resolveHolders(promises: readonly Promise<unknown>[]): (string | undefined)[] {
  const marked = Object.fromEntries(promises.map((promise, at) => [`${MARK} ${at}`, promise]))
  const snapshot = HeapSnapshot.take()
  const mark = snapshot?.withProperty(`${MARK} 0`)
  const found = mark === undefined ? [] : snapshot!.referencesOf(mark).filter(({ name }) => name in marked)
  const nodes = new Map(found.map(({ name, to }) => [name, to]))
  return Object.keys(marked).map((name) => {
    const node = nodes.get(name)
    return node === undefined ? undefined : new Holders(snapshot!).of(node)
  })
}

/** A reference up from a resolve, and the names between it and the holder: nearest to the holder first. */
interface Way {
  readonly node: number
  readonly path: readonly Reference[]
}

/** In words, or a listener. */
type Holder = string | { readonly event: string; readonly of: string }

interface Step {
  readonly holder?: Holder | undefined
  /** A variable that functions share which are held in turn: told only where those lead to no holder. */
  readonly variable?: string | undefined
  readonly next?: readonly Way[]
}

class Holders {
  readonly #snapshot: HeapSnapshot

  constructor(snapshot: HeapSnapshot) {
    this.#snapshot = snapshot
  }

  of(promise: number): string | undefined {
    const contexts = this.#snapshot
      .retainersOf(promise)
      .filter(({ from, type }) => type === 'hidden' && this.#isContext(from))
    const functions = contexts.flatMap(({ from }) => this.#closuresOf(from))
    if (functions.length === 0) return NOTHING
    const [rejects, resolves] = [true, false].map((isReject) =>
      functions.filter((each) => this.#isReject(each) === isReject),
    )
    return this.#holderOf(resolves!) ?? this.#holderOf(rejects!)
  }

  #holderOf(functions: readonly number[]): string | undefined {
    const seen = new Set(functions)
    let ways: readonly Way[] = functions.map((node) => ({ node, path: [] }))
    let variable: string | undefined
    for (let depth = 0; depth < MAX_DEPTH && ways.length > 0 && seen.size < MAX_VISITED; depth++) {
      const steps = ways.flatMap((way) => this.#snapshot.retainersOf(way.node).map((each) => this.#up(each, way)))
      const holders = steps.map((step) => step.holder).filter((each) => each !== undefined)
      if (holders.length > 0) return heldBy(holders)
      variable ??= firstOf(steps.map((step) => step.variable))
      ways = steps.flatMap(({ next = [] }) => next).filter(({ node }) => !seen.has(node))
      // Two ways of equal length to one object are both told, whatever their order in memory.
      for (const { node } of ways) seen.add(node)
    }
    return variable
  }

  #isReject(closure: number): boolean {
    const code = this.#target(closure, 'code')
    return code !== undefined && this.#snapshot.nameOf(code).startsWith('(PromiseCapabilityDefaultReject ')
  }

  #up(reference: Reference, { path }: Way): Step {
    const { from, type, name } = reference
    const [kind, owner] = [this.#snapshot.typeOf(from), this.#snapshot.nameOf(from)]
    if (type === 'context') {
      const closures = this.#closuresOf(from)
      const variable = this.#isOfProgram(from) ? `the variable ${pathText(name, path)}` : undefined
      if (variable !== undefined && this.#outer(from) === undefined) return { holder: variable }
      const next = closures.length > MAX_SHARING ? [] : closures.map((node) => ({ node, path: [] }))
      return { variable, next }
    }
    if (owner === 'system / PromiseReaction') return { holder: 'a handler of another promise' }
    if (kind === 'array') return type === 'internal' ? { next: this.#collectionsOf(reference, path) } : {}
    if (kind === 'closure') return BOUND.test(name) || type === 'property' ? { next: [{ node: from, path: [] }] } : {}
    if (kind !== 'object' || (type !== 'property' && type !== 'element')) return {}
    const way = [reference, ...path]
    if (PLAIN.has(owner)) return { next: [{ node: from, path: way }] }
    const isOfProgram = this.#isProgram(this.#constructorOf(from))
    return { holder: isOfProgram ? pathText(owner, way) : listenerOf(owner, way) }
  }

  #isContext(node: number): boolean {
    return this.#snapshot.nameOf(node) === 'system / Context'
  }

  #closuresOf(context: number): number[] {
    return this.#inScope(context).filter((from) => this.#snapshot.typeOf(from) === 'closure')
  }

  #isOfProgram(context: number): boolean {
    const functions = this.#inScope(context).map((each) => this.#target(each, 'function') ?? each)
    return functions.length > 0 && functions.every((each) => this.#isProgram(each))
  }

  /** Functions, and calls of functions that are suspended. */
  #inScope(context: number): number[] {
    const retainers = this.#snapshot.retainersOf(context)
    const scoped = retainers.filter(({ type, name }) => type === 'internal' && name === 'context')
    return scoped.map(({ from }) => from).filter((from) => this.#snapshot.typeOf(from) !== 'hidden')
  }

  /** The scope around one; undefined of that of a module. */
  #outer(context: number): number | undefined {
    const outer = this.#target(context, 'previous')
    return outer !== undefined && this.#isContext(outer) ? outer : undefined
  }

  /** Not a function of Node, nor of norn, whose modules are modules of V8, where a program's are functions. */
  #isProgram(closure: number | undefined): boolean {
    const script = this.#follow(closure, ['shared', 'script'])
    if (script === undefined || this.#snapshot.nameOf(script).startsWith('node:')) return false
    for (let scope = this.#follow(closure, ['context']); scope !== undefined; scope = this.#outer(scope)) {
      const extension = this.#target(scope, 'extension')
      if (extension !== undefined && this.#snapshot.nameOf(extension) === 'system / SourceTextModule') return false
    }
    return true
  }

  /** That of its prototype: to V8 itself an object of a derived class is of the base class. */
  #constructorOf(object: number): number | undefined {
    const prototype = this.#target(object, '__proto__', 'property')
    return prototype === undefined ? undefined : this.#target(prototype, 'constructor', 'property')
  }

  #follow(from: number | undefined, names: readonly string[]): number | undefined {
    return names.reduce((node, name) => (node === undefined ? undefined : this.#target(node, name)), from)
  }

  #target(node: number, name: string, type = 'internal'): number | undefined {
    return this.#snapshot.referencesOf(node).find((each) => each.type === type && each.name === name)?.to
  }

  /** The map or set that has a value in its table, where the key of a map is before it. */
  #collectionsOf({ from, name }: Reference, path: readonly Reference[]): Way[] {
    const owners = this.#snapshot.retainersOf(from).filter((each) => each.type === 'internal' && each.name === 'table')
    return owners.map((owner) => {
      const isMap = this.#snapshot.nameOf(owner.from) === 'Map'
      const key = isMap ? this.#target(from, String(Number(name) - 1)) : undefined
      const text =
        key !== undefined && this.#snapshot.typeOf(key) === 'string' ? `'${this.#snapshot.nameOf(key)}'` : '…'
      return { node: owner.from, path: [{ ...owner, type: 'entry', name: isMap ? `.get(${text})` : '{…}' }, ...path] }
    })
  }
}

/** V8's names of what a bound function refers to. */
const BOUND = /^bound_/

/** Constructors that say nothing of what an object is for: what holds it does. */
const PLAIN: ReadonlySet<string> = new Set(['Object', 'Array', 'Map', 'Set', 'WeakMap'])

/** The order of a snapshot is that of addresses, which differ between processes. */
function firstOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).sort()[0]
}

/** Of several at one distance: the listeners of one object, or else the first. */
function heldBy(holders: readonly Holder[]): string {
  const [text] = holders.filter((each) => typeof each === 'string').sort()
  if (text !== undefined) return text
  const listeners = Map.groupBy(holders as readonly Exclude<Holder, string>[], (each) => each.of)
  const owner = [...listeners.keys()].sort()[0]!
  const events = [...new Set(listeners.get(owner)!.map(({ event }) => `'${event}'`))].sort()
  return `${events.length === 1 ? 'a listener' : 'listeners'} for ${events.join(' and ')} of ${owner}`
}

/** What a class of Node keeps for whoever waits. */
function listenerOf(owner: string, [first, second]: readonly Reference[]): Holder | undefined {
  if (owner === 'Timeout' || owner === 'Immediate') return 'a timer'
  if (owner === 'Listener' && first!.name === 'callback') return 'a listener of an EventTarget'
  return first!.name === '_events' && second !== undefined ? { event: second.name, of: owner } : undefined
}

/** `Pool.#waiting[0].resolve`. */
function pathText(start: string, path: readonly Reference[]): string {
  const shown = path.length <= MAX_STEPS ? path : [...path.slice(0, MAX_STEPS - 1), path.at(-1)!]
  const texts = shown.map(({ type, name }, at) => {
    const gap = at === MAX_STEPS - 1 && path.length > MAX_STEPS ? '…' : ''
    return (
      gap +
      (type === 'entry'
        ? name
        : type === 'element'
          ? `[${name}]`
          : /^#?[\w$]+$/.test(name)
            ? `.${name}`
            : `['${name}']`)
    )
  })
  return start + texts.join('')
}

/** Names on the way from a holder that are told. */
const MAX_STEPS = 5
