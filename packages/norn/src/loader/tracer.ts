/**
 * What instrumented code calls in the place of a comparison: it notes both sides and compares as
 * the operator would.
 *
 * An operator's sides are arguments, so each is evaluated once and in order, and what converts them
 * (`valueOf`) runs in the operator itself. Of a call such as `list.includes(x)` the call stays as
 * it is: `left` takes the receiver as it passes, `right` the argument. In between, other code may
 * run and pass the same site: then the pair is noted wrongly, once, but nothing that the program
 * does is another.
 *
 * Invariant: no method of the program's objects is called (an element of an array that is a getter
 * is read once more than the program says); what a program assigns to Map, Set or Array is not
 * used.
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

/** Keys of a collection, or elements of an array, that one look-up is noted with. */
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
  /** Receivers, or first arguments, on their way to their calls, by site. */
  const passing: unknown[] = []

  const lookUp = (site: number, next: () => IteratorResult<unknown>, keys: Keys, sought: Operand): void => {
    for (let n = 0; n < COMPARED; n++) {
      const { done, value } = apply(next, keys, [])
      if (done) return
      note(site, sought, value)
    }
  }

  return {
    // Each type is compared at a place of its own, so that the compiler sees one type there.
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
    /** What is compared with a constant of the text; gives it back. */
    noted: <T>(site: number, left: T): T => {
      if (typeof left === 'number' || typeof left === 'string' || isOperand(left)) log.noteLeft(site, left)
      return left
    },
    /** The test of a `case`; gives it back. */
    matches: <T>(site: number, left: unknown, test: T): T => {
      note(site, left, test)
      return test
    },
    /** The first part of a call that compares; gives it back. */
    left: <T>(site: number, value: T): T => {
      passing[site] = value
      return value
    },
    /** The second part of a call that compares values; gives it back. */
    values: <T>(site: number, right: T): T => {
      const left = passing[site]
      passing[site] = undefined
      note(site, left, right)
      return right
    },
    /** What is looked for in a text (site), or in an array (site + 1); gives it back. */
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
    /** What is looked up in a collection; gives it back. */
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
    /** Lets go of what never arrived. */
    reset: (): void => {
      passing.fill(undefined)
    },
  }
}
