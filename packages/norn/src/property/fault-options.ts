/**
 * The option `faults` of a property: which kinds of faults its executions may have, and how many of each at most.
 */
import type { FaultBudgets } from '../world/faults.ts'

const KINDS: readonly string[] = ['fs'] satisfies (keyof FaultBudgets)[]

const MAX_FAULTS = 1000

/** Throws a `TypeError` or `RangeError` that says what is wrong with the option. */
export function checkFaults(property: string, faults: unknown): void {
  if (faults === undefined) return
  const where = `fuzz('${property}'): the option faults`
  const example = 'such as { fs: 2 }, at most two faults of the file system in an execution'
  if (typeof faults !== 'object' || faults === null || Array.isArray(faults)) {
    throw new TypeError(`${where} is ${shown(faults)}; it must be an object, ${example}`)
  }
  for (const [kind, count] of Object.entries(faults)) {
    if (!KINDS.includes(kind)) {
      throw new TypeError(
        `${where} names '${kind}', a kind of fault that norn does not have; it has ${KINDS.join(', ')}`,
      )
    }
    if (count === undefined) continue
    if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > MAX_FAULTS) {
      throw new RangeError(`${where}.${kind} is ${shown(count)}; it must be a whole number from 0 to ${MAX_FAULTS}`)
    }
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? 'an array' : String(value)
}
