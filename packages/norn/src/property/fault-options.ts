/**
 * Validates the option `faults` of a property: the number of faults of each kind that an execution
 * may have.
 */
import type { FaultBudgets } from '../world/faults.ts'

const KINDS: readonly string[] = ['fs'] satisfies (keyof FaultBudgets)[]

const MAX_FAULTS = 1000

/** @throws TypeError or RangeError for an invalid option */
export function checkFaults(property: string, faults: unknown): void {
  if (faults === undefined) return
  const where = `fuzz('${property}'): option faults`
  const example = 'such as { fs: 2 } for at most two file system faults in an execution'
  if (typeof faults !== 'object' || faults === null || Array.isArray(faults)) {
    throw new TypeError(`${where} must be an object: ${shown(faults)}. Write an object ${example}`)
  }
  for (const [kind, count] of Object.entries(faults)) {
    if (!KINDS.includes(kind)) {
      throw new TypeError(`${where} has an unknown kind of fault: '${kind}'. Known kinds: ${KINDS.join(', ')}`)
    }
    if (count === undefined) continue
    if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > MAX_FAULTS) {
      throw new RangeError(`${where}.${kind} must be an integer from 0 to ${MAX_FAULTS}: ${shown(count)}`)
    }
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? 'an array' : String(value)
}
