/** The module behind `fetch`: one for each execution. */
import { afterEach, expect, test } from 'vitest'
import { interceptUndici } from '../../../src/world/http/undici.ts'
import { makeTables } from '../../../src/world/http/undici-source.ts'
import { DISPATCHERS } from '../../../src/world/isolation/shared-objects.ts'

const holder = globalThis as Record<PropertyKey, unknown>
const outer = globalThis.Headers
let active = false
const undici = interceptUndici({ active: () => active, approach: () => {}, keptGlobals: new Set(['FormData']) })

const enter = () => {
  undici.enter()
  active = true
}
const leave = () => {
  active = false
  undici.leave()
}
afterEach(leave)

test('an execution has classes of its own, and the process keeps its own', () => {
  const seen = [1, 2].map(() => {
    enter()
    const classes = [globalThis.Headers, globalThis.Headers]
    leave()
    return classes
  })
  expect(seen[0]![0]).toBe(seen[0]![1])
  expect(new Set([outer, ...seen.flat()]).size).toBe(3)
  expect(globalThis.Headers).toBe(outer)
})

test('an execution begins without a dispatcher, and the one of the process comes back', () => {
  for (const [index, symbol] of DISPATCHERS.entries()) holder[symbol] = index
  enter()
  expect(DISPATCHERS.map((symbol) => holder[symbol])).toEqual(DISPATCHERS.map(() => undefined))
  for (const symbol of DISPATCHERS) holder[symbol] = 'of the execution'
  leave()
  expect(DISPATCHERS.map((symbol) => holder[symbol])).toEqual([...DISPATCHERS.keys()])
  for (const symbol of DISPATCHERS) holder[symbol] = undefined
})

test('the tables of the module are made once, and not by the execution that needs them', () => {
  const made = (action: () => unknown) => {
    const { charCodeAt } = String.prototype
    let calls = 0
    String.prototype.charCodeAt = function (at) {
      calls++
      return charCodeAt.call(this, at)
    }
    try {
      action()
      return calls
    } finally {
      String.prototype.charCodeAt = charCodeAt
    }
  }
  const calls = [1, 2, 3].map(() => {
    enter()
    const calls = made(() => globalThis.Headers)
    leave()
    return calls
  })
  expect(made(makeTables)).toBeGreaterThan(500)
  expect(calls.slice(1)).toEqual([0, 0])
})

test('what the environment of the tests gives stays', () => {
  const given = FormData
  enter()
  expect(FormData).toBe(given)
})
