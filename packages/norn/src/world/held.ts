/** What an error holds: a cause, a list of errors, the reason of another. */
import { types } from 'node:util'

/** The bound on objects that are searched. */
const MAX_OBJECTS = 200

/** What is found of the first object that an error holds, itself included. Runs no getter of the program. */
export function holding<Found>(error: unknown, find: (object: object) => Found | undefined): Found | undefined {
  const seen = new Set<unknown>()
  const queue: unknown[] = [error]
  while (queue.length > 0 && seen.size < MAX_OBJECTS) {
    const object = queue.shift()
    if (typeof object !== 'object' || object === null || seen.has(object) || types.isProxy(object)) continue
    seen.add(object)
    const found = find(object)
    if (found !== undefined) return found
    if (types.isMap(object)) queue.push(...Map.prototype.values.call(object))
    for (const key of Reflect.ownKeys(object)) queue.push(Object.getOwnPropertyDescriptor(object, key)?.value)
  }
  return undefined
}
