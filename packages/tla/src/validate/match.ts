/**
 * Compares a value of a specification with logged data. JSON does not say which kind of value it
 * stands for, so the value decides how the data is read:
 *
 *     an integer, a boolean          the same number, the same boolean
 *     a string, a model value        its text
 *     a sequence                     an array of all its elements, or an object of some, by their numbers from 1
 *     a set                          an array of all its elements, in any order
 *     a record, a function           an object of some fields or arguments, as TLA+ writes them: {"2": 7}
 *
 * Data with `$set`, `$function`, `$string` or `$tla` (from-data.ts) is a whole value: it must be
 * equal.
 */
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { fromData } from '../follow/from-data.ts'
import { equal } from '../values/equality.ts'
import { printValue } from '../values/print.ts'
import type { Canonical, SetValue, Value } from '../values/value.ts'

/** One difference between specification and log. */
export interface Mismatch {
  /** The path within the value: `[2]`, `.term`; empty for the whole value. */
  readonly path: string
  /** The specification's value, printed; undefined if it has none there. */
  readonly specification: string | undefined
  readonly log: string
}

/** Bound on the differences reported for one value. */
const MAX_MISMATCHES = 4

/** All differences, up to a bound; empty if they agree. */
export function mismatches(machine: Machine, value: Canonical, seen: unknown): readonly Mismatch[] {
  const found: Mismatch[] = []
  compare(machine, value, seen, '', found)
  return found
}

/** Whether they agree. Prints nothing: a log is compared with many states that do not match. */
export function agrees(machine: Machine, value: Canonical, seen: unknown): boolean {
  return compare(machine, value, seen, '', undefined)
}

/**
 * Whether they agree. @param found collects the differences; without it the first one ends the
 * comparison
 */
function compare(
  machine: Machine,
  value: Canonical,
  seen: unknown,
  path: string,
  found: Mismatch[] | undefined,
): boolean {
  if (found !== undefined && found.length >= MAX_MISMATCHES) return false
  const differ = (log?: string) => {
    found?.push({ path, specification: printValue(value), log: log ?? dataText(seen) })
    return false
  }
  if (typeof seen !== 'object' || seen === null) return isSame(value, seen) || differ()
  if (Array.isArray(seen)) {
    if (typeof value !== 'object') return differ()
    if (value.kind === 'set') return isSetOf(machine, value, seen) || differ()
    if (value.kind !== 'tuple' || value.elements.length !== seen.length) return differ()
    let agree = true
    for (let at = 0; at < seen.length && (agree || found !== undefined); at++) {
      const way = found === undefined ? '' : `${path}[${at + 1}]`
      if (!compare(machine, value.elements[at]!, seen[at], way, found)) agree = false
    }
    return agree
  }
  const keys = Object.keys(seen)
  if (keys.length === 1 && keys[0]!.startsWith('$')) {
    const wanted = fromData(machine, seen, 'a value of the trace')
    return isEqual(value, wanted) || differ(printValue(wanted))
  }
  if (typeof value !== 'object' || value.kind === 'string' || value.kind === 'model value' || value.kind === 'set') {
    return differ()
  }
  let agree = true
  for (const key of keys) {
    const item = (seen as Record<string, unknown>)[key]
    const part = partOf(value, key)
    const way = found === undefined ? '' : path + stepText(value, key)
    if (part === undefined) {
      agree = false
      if (found !== undefined && found.length < MAX_MISMATCHES) {
        found.push({ path: way, specification: undefined, log: dataText(item) })
      }
    } else if (!compare(machine, part, item, way, found)) agree = false
    if (!agree && found === undefined) return false
  }
  return agree
}

/** Values that cannot be compared, such as a number and a string, are unequal here. */
function isEqual(value: Canonical, wanted: Value): boolean {
  try {
    return equal(value, wanted)
  } catch (error) {
    if (error instanceof TlaError) return false
    throw error
  }
}

function dataText(data: unknown): string {
  return JSON.stringify(data) ?? String(data)
}

/** The access to a part, as TLA+ writes it: `.term`, `["10.0.0.1"]`, `[2]`. */
export function stepText(value: Canonical, key: string): string {
  if (typeof value !== 'object' || value.kind !== 'record') return `[${key}]`
  const name = unquoted(key)
  return /^\w*[A-Za-z_]\w*$/.test(name) ? `.${name}` : `["${name}"]`
}

/** The value of a field, an argument or an index from 1, given as text; undefined if absent. */
export function partOf(value: Canonical, key: string): Canonical | undefined {
  if (typeof value !== 'object') return undefined
  switch (value.kind) {
    case 'tuple':
      return /^[1-9]\d*$/.test(key) ? value.elements[Number(key) - 1] : undefined
    case 'record':
      return value.elements[value.shape.names.indexOf(unquoted(key))]
    case 'function':
      return value.elements[value.domain.elements.findIndex((argument) => isNamed(argument, key))]
    default:
      return undefined
  }
}

function isNamed(argument: Canonical, key: string): boolean {
  if (typeof argument !== 'object') return String(argument) === key || printValue(argument) === key
  if (argument.kind === 'string') return argument.text === unquoted(key)
  return argument.kind === 'model value' ? argument.text === key : printValue(argument) === key
}

function unquoted(key: string): string {
  return /^".*"$/.test(key) ? key.slice(1, -1) : key
}

function isSame(value: Canonical, seen: unknown): boolean {
  if (typeof value !== 'object') return value === seen
  return (value.kind === 'string' || value.kind === 'model value') && value.text === seen
}

/** Whether the elements are the items, each a number, a boolean or a text. */
function areThese(elements: readonly Canonical[], items: readonly unknown[]): boolean {
  const left = new Map<unknown, number>()
  for (const item of items) left.set(item, (left.get(item) ?? 0) + 1)
  return elements.every((element) => {
    const isText = typeof element === 'object' && (element.kind === 'string' || element.kind === 'model value')
    const data = isText ? element.text : element
    const count = left.get(data) ?? 0
    left.set(data, count - 1)
    return count > 0
  })
}

/**
 * Whether elements and items match one to one. Items may give an element in part, so this is a
 * perfect matching (Kuhn 1955).
 */
function isSetOf(machine: Machine, { elements }: SetValue, items: readonly unknown[]): boolean {
  if (elements.length !== items.length) return false
  if (items.every((item) => typeof item !== 'object' || item === null)) return areThese(elements, items)
  const takenBy = new Map<number, number>()
  const settle = (item: number, tried: Set<number>): boolean => {
    for (const [at, element] of elements.entries()) {
      if (tried.has(at) || !agrees(machine, element, items[item])) continue
      tried.add(at)
      const owner = takenBy.get(at)
      if (owner === undefined || settle(owner, tried)) {
        takenBy.set(at, item)
        return true
      }
    }
    return false
  }
  return items.every((_, item) => settle(item, new Set()))
}
