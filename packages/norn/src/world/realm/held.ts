/** What an error holds: a cause, a list of errors, the reason of another. */
import { types } from 'node:util'

/** The bound on objects that are searched. */
const MAX_OBJECTS = 200

// Taken while they are there: the program may delete or replace what is global.
const { values } = Map.prototype

/** What is found of the first object that an error holds, itself included. Runs no getter of the program. */
export function holding<Found>(error: unknown, find: (object: object) => Found | undefined): Found | undefined {
  const seen: object[] = []
  const queue: unknown[] = [error]
  while (queue.length > 0 && seen.length < MAX_OBJECTS) {
    const object = queue.shift()
    if (typeof object !== 'object' || object === null || seen.includes(object) || types.isProxy(object)) continue
    seen.push(object)
    const found = find(object)
    if (found !== undefined) return found
    if (types.isMap(object)) queue.push(...values.call(object))
    for (const key of Reflect.ownKeys(object)) queue.push(Object.getOwnPropertyDescriptor(object, key)?.value)
  }
  return undefined
}
