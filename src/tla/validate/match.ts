/**
 * Whether a value of a specification is what a log saw of it. A log sees parts, and its data does not say what kind of value
 * it is meant as; so the value decides how the data is read:
 *
 *     an integer, a truth value      the same number, the same truth value
 *     a string, a model value        its text
 *     a sequence                     an array of all its elements, or an object of some, by their numbers from 1
 *     a set                          an array of all its elements, in any order
 *     a record, a function           an object of some of its fields, or of some arguments as TLA+ writes them: {"2": 7}
 *
 * Data with `$set`, `$function`, `$string` or `$tla` (from-data.ts) is a whole value, and equal or not.
 */

import type { Machine } from '../evaluate/machine.ts'
import { fromData } from '../follow/from-data.ts'
import { equal } from '../values/equality.ts'
import { printValue } from '../values/print.ts'
import type { Canonical, SetValue } from '../values/value.ts'

/** Where specification and log differ. */
export interface Mismatch {
  /** The way to it: `[2]`, `.term`; empty for the value as a whole. */
  readonly path: string
  /** What the specification has there, as TLA+ writes it; undefined if it has nothing there. */
  readonly specification: string | undefined
  readonly log: string
}

/** Of one value so many differences are told. */
const MAX_MISMATCHES = 4

/** Where they differ; empty if they agree. */
export function mismatches(machine: Machine, value: Canonical, seen: unknown): readonly Mismatch[] {
  const found: Mismatch[] = []
  collect(machine, value, seen, '', found)
  return found
}

/** Whether they agree. */
export function agrees(machine: Machine, value: Canonical, seen: unknown): boolean {
  return mismatches(machine, value, seen).length === 0
}

function collect(machine: Machine, value: Canonical, seen: unknown, path: string, found: Mismatch[]): void {
  if (found.length >= MAX_MISMATCHES) return
  const differ = (log = JSON.stringify(seen) ?? String(seen)) => {
    found.push({ path, specification: printValue(value), log })
  }
  if (typeof seen !== 'object' || seen === null) {
    if (!isSame(value, seen)) differ()
    return
  }
  if (Array.isArray(seen)) {
    if (typeof value === 'object' && value.kind === 'set') {
      if (!isSetOf(machine, value, seen)) differ()
    } else if (typeof value === 'object' && value.kind === 'tuple' && value.elements.length === seen.length) {
      for (const [at, item] of seen.entries()) collect(machine, value.elements[at]!, item, `${path}[${at + 1}]`, found)
    } else differ()
    return
  }
  const keys = Object.keys(seen)
  if (keys.length === 1 && keys[0]!.startsWith('$')) {
    const wanted = fromData(machine, seen, 'a value of the trace')
    if (!equal(value, wanted)) differ(printValue(wanted))
    return
  }
  if (typeof value !== 'object' || value.kind === 'string' || value.kind === 'model value' || value.kind === 'set') {
    differ()
    return
  }
  for (const key of keys) {
    const item = (seen as Record<string, unknown>)[key]
    const step = value.kind === 'record' ? `.${key}` : `[${key}]`
    const part = partOf(value, key)
    if (part !== undefined) collect(machine, part, item, path + step, found)
    else if (found.length < MAX_MISMATCHES) {
      found.push({ path: path + step, specification: undefined, log: JSON.stringify(item) ?? String(item) })
    }
  }
}

/** What stands at a field, an argument or a number from 1, by its text; undefined if nothing does. */
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

/** Each element is one of the items and the other way round: a perfect matching, as items may be seen in part (Kuhn 1955). */
function isSetOf(machine: Machine, { elements }: SetValue, items: readonly unknown[]): boolean {
  if (elements.length !== items.length) return false
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
