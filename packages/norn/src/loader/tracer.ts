/**
 * The functions that instrumented code calls instead of comparing: they record both operands and
 * apply the operator.
 *
 * Operands are arguments, so each is evaluated once and in order, and conversions (`valueOf`) run
 * in the operator itself. A call such as `list.includes(x)` remains: `left` records the receiver as
 * it passes, `right` the argument. If other code passes the same site in between, one recorded pair
 * is wrong, but the program behaves the same.
 *
 * Invariant: no method of the program's objects is called (an array element that is a getter is
 * read once more); replaced methods of Map, Set or Array are not used.
 */
import { types } from 'node:util'
import type { Operand } from '../contract/observation.ts'
import { isOperand, type RecordedComparisons } from './recorded-comparisons.ts'

const { isMap, isProxy, isSet } = types
const { isArray } = Array
const { apply } = Reflect
const keysOfMap = Map.prototype.keys
const keysOfSet = Set.prototype.values
const mapHas = Map.prototype.has
const setHas = Set.prototype.has
type Keys = Iterator<unknown>
const nextOfMap = Object.getPrototypeOf(new Map().keys()).next as () => IteratorResult<unknown>
const nextOfSet = Object.getPrototypeOf(new Set().values()).next as () => IteratorResult<unknown>

/** The number of keys or elements with which one look-up is recorded. */
const COMPARED = 16

export type Tracer = ReturnType<typeof tracerFor>

/** The method of a tracer for each operator. */
export const METHODS: Readonly<Record<string, keyof Tracer>> = {
  '===': 'is',
  '!==': 'isNot',
  '==': 'equals',
  '!=': 'differs',
  '<': 'below',
  '<=': 'atMost',
  '>': 'above',
  '>=': 'atLeast',
}

// biome-ignore lint/suspicious/noExplicitAny: operands of any type, as the operators take them
type Any = any

export function tracerFor(log: RecordedComparisons) {
  const note = (site: number, left: unknown, right: unknown): void => {
    if (isOperand(left) && isOperand(right)) log.note(site, left, right)
  }
  /** Receivers, or first arguments, until their calls, by site. */
  const passing: unknown[] = []

  const lookUp = (site: number, next: () => IteratorResult<unknown>, keys: Keys, sought: Operand): void => {
    for (let n = 0; n < COMPARED; n++) {
      const { done, value } = apply(next, keys, [])
      if (done) return
      note(site, sought, value)
    }
  }

  return {
    // One comparison per type, so that V8 sees one type at each.
    is: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number') {
        if (typeof right === 'number') {
          log.note(site, left, right)
          return left === right
        }
      } else if (typeof left === 'string') {
        if (typeof right === 'string') {
          log.note(site, left, right)
          return left === right
        }
      } else if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) {
        return left === right
      }
      note(site, left, right)
      return left === right
    },
    isNot: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number') {
        if (typeof right === 'number') {
          log.note(site, left, right)
          return left !== right
        }
      } else if (typeof left === 'string') {
        if (typeof right === 'string') {
          log.note(site, left, right)
          return left !== right
        }
      } else if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) {
        return left !== right
      }
      note(site, left, right)
      return left !== right
    },
    equals: (site: number, left: Any, right: Any): boolean => {
      note(site, left, right)
      // biome-ignore lint/suspicious/noDoubleEquals: the operator that was written
      return left == right
    },
    differs: (site: number, left: Any, right: Any): boolean => {
      note(site, left, right)
      // biome-ignore lint/suspicious/noDoubleEquals: the operator that was written
      return left != right
    },
    below: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number' && typeof right === 'number') {
        log.note(site, left, right)
        return left < right
      }
      note(site, left, right)
      return left < right
    },
    atMost: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number' && typeof right === 'number') {
        log.note(site, left, right)
        return left <= right
      }
      note(site, left, right)
      return left <= right
    },
    above: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number' && typeof right === 'number') {
        log.note(site, left, right)
        return left > right
      }
      note(site, left, right)
      return left > right
    },
    atLeast: (site: number, left: Any, right: Any): boolean => {
      if (typeof left === 'number' && typeof right === 'number') {
        log.note(site, left, right)
        return left >= right
      }
      note(site, left, right)
      return left >= right
    },
    /** Records and returns an operand that is compared with a constant. */
    noted: <T>(site: number, left: T): T => {
      if (typeof left === 'number' || typeof left === 'string' || isOperand(left)) log.noteLeft(site, left)
      return left
    },
    /** Records and returns the test of a `case`. */
    matches: <T>(site: number, left: unknown, test: T): T => {
      note(site, left, test)
      return test
    },
    /** Keeps and returns the first operand of a comparing call. */
    left: <T>(site: number, value: T): T => {
      passing[site] = value
      return value
    },
    /** Records and returns the second operand of a comparing call. */
    values: <T>(site: number, right: T): T => {
      const left = passing[site]
      passing[site] = undefined
      note(site, left, right)
      return right
    },
    /** Records and returns a value sought in a string (site) or an array (site + 1). */
    sought: <T>(site: number, right: T): T => {
      const left = passing[site]
      passing[site] = undefined
      if (typeof left === 'string') note(site, left, right)
      else if (isOperand(right) && isArray(left) && !isProxy(left)) {
        const length = left.length < COMPARED ? left.length : COMPARED
        for (let at = 0; at < length; at++) note(site + 1, right, left[at])
      }
      return right
    },
    /** Records and returns a key that is looked up in a collection. */
    key: <T>(site: number, right: T): T => {
      const left = passing[site]
      passing[site] = undefined
      if (!isOperand(right)) return right
      if (isMap(left)) {
        if (apply(mapHas, left, [right])) note(site, right, right)
        else lookUp(site, nextOfMap, apply(keysOfMap, left, []), right)
      } else if (isSet(left)) {
        if (apply(setHas, left, [right])) note(site, right, right)
        else lookUp(site, nextOfSet, apply(keysOfSet, left, []), right)
      }
      return right
    },
    /** Drops operands whose calls did not happen. */
    reset: (): void => {
      passing.fill(undefined)
    },
  }
}
