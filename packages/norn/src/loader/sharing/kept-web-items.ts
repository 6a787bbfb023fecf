/** What can change of the Web's values that Node has: as in `kept-items.ts`, read and put back by methods of before. */
import type { Item } from './kept-items.ts'

type Pair = readonly [string, string]

const { apply } = Reflect
const { isPrototypeOf: inheritsFrom } = Object.prototype
const { get: getHref, set: setHref } = Object.getOwnPropertyDescriptor(URL.prototype, 'href')!
const { get: getSearchParams } = Object.getOwnPropertyDescriptor(URL.prototype, 'searchParams')!
const { get: getSignal } = Object.getOwnPropertyDescriptor(AbortController.prototype, 'signal')!
const { forEach, append, delete: remove } = URLSearchParams.prototype

const isOf = ({ prototype }: Function, object: object): boolean => apply(inheritsFrom, prototype, [object]) as boolean

class UrlItem implements Item {
  readonly module: number
  readonly #url: object
  readonly #href: string

  constructor(url: object, module: number) {
    this.module = module
    this.#url = url
    this.#href = apply(getHref!, url, []) as string
  }

  isSame(): boolean {
    return apply(getHref!, this.#url, []) === this.#href
  }

  restore(): boolean {
    apply(setHref!, this.#url, [this.#href])
    return this.isSame()
  }
}

class SearchParamsItem implements Item {
  readonly module: number
  readonly #parameters: object
  readonly #before: readonly Pair[]

  constructor(parameters: object, module: number) {
    this.module = module
    this.#parameters = parameters
    this.#before = this.#pairs()
  }

  #pairs(): Pair[] {
    const pairs: Pair[] = []
    apply(forEach, this.#parameters, [(value: string, name: string) => void pairs.push([name, value])])
    return pairs
  }

  isSame(): boolean {
    const now = this.#pairs()
    const isPair = ([name, value]: Pair, at: number) => name === this.#before[at]![0] && value === this.#before[at]![1]
    return now.length === this.#before.length && now.every(isPair)
  }

  restore(): boolean {
    for (const [name] of this.#pairs()) apply(remove, this.#parameters, [name])
    for (const pair of this.#before) apply(append, this.#parameters, pair)
    return true
  }
}

/**
 * The state of an object that a program may keep, and what only a getter gives, which Node makes when it is first
 * asked for. Undefined for an object that is none of those; what inherits from one without being one has no state.
 *
 * A URL comes before its parameters: to put it back puts them back.
 */
export function webItems(object: object, module: number): { readonly items: Item[]; readonly leadsTo: unknown[] } {
  try {
    if (isOf(URL, object))
      return { items: [new UrlItem(object, module)], leadsTo: [apply(getSearchParams!, object, [])] }
    if (isOf(URLSearchParams, object)) return { items: [new SearchParamsItem(object, module)], leadsTo: [] }
    if (isOf(AbortController, object)) return { items: [], leadsTo: [apply(getSignal!, object, [])] }
  } catch {
    // It only inherits from the class.
  }
  return { items: [], leadsTo: [] }
}
