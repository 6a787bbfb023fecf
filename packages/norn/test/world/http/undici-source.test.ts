/** The edits that make undici cheap to evaluate: a program sees none of them. */
import { expect, test } from 'vitest'
import { hostRequire, requireInternal, sourceOfInternal } from '../../../src/loader/internals.ts'
import { compileUndici, makeTables, NO_TABLES, type Tables, UNDICI } from '../../../src/world/http/undici-source.ts'

type Exports = Record<string, Function>

/** Node's own instance: it has set the dispatcher of the process, so that others set none. */
const node = requireInternal<Exports>(UNDICI)
const tables = makeTables()

function instance(given: Tables = tables, source?: string): Exports {
  const module = { exports: {} as Exports }
  compileUndici<Exports>(source)(module.exports, hostRequire, module, process, given)
  return module.exports
}

function reachable(from: unknown, found = new Set<object>()): Set<object> {
  if ((typeof from !== 'object' && typeof from !== 'function') || from === null || found.has(from)) return found
  if (from === Object.prototype || from === Function.prototype || from === Array.prototype) return found
  found.add(from)
  reachable(Object.getPrototypeOf(from), found)
  for (const key of Reflect.ownKeys(from)) {
    const { value, get, set } = Object.getOwnPropertyDescriptor(from, key)!
    for (const each of [value, get, set]) reachable(each, found)
  }
  return found
}

test('tables are found in this Node, and frozen, so that no execution leaves anything in them', () => {
  const names = Object.keys(tables).filter((each) => each !== 'parser')
  expect(names).toHaveLength(4)
  const objects = names.flatMap((name) => [...reachable((tables[name] as () => object)())])
  expect(objects.length).toBeGreaterThan(500)
  expect(objects.filter((each) => !Object.isFrozen(each))).toEqual([])
  const compiles = sourceOfInternal(UNDICI)!.includes('new WebAssembly.Module(')
  expect(tables.parser !== undefined && Object.isFrozen(tables.parser)).toBe(compiles)
})

test('an instance takes the tables that there are, and makes its own where there are none', () => {
  const asked = new Set<string>()
  const given: Record<string, unknown> = { ...tables }
  for (const name of Object.keys(tables).filter((each) => each !== 'parser')) {
    given[name] = () => {
      asked.add(name)
      return (tables[name] as () => object)()
    }
  }
  expect(new (instance(given).Headers as typeof Headers)({ ACCEPT: 'a' }).get('accept')).toBe('a')
  // The fourth is what another is made with.
  expect(asked.size).toBe(3)
  expect(new (instance(NO_TABLES).Headers as typeof Headers)({ ACCEPT: 'a' }).get('accept')).toBe('a')
})

test('it exports what Node has, by the same names and in the same order; the classes are its own', () => {
  const mine = instance()
  expect(Object.keys(mine)).toEqual(Object.keys(node))
  for (const [name, value] of Object.entries(node)) {
    expect([mine[name]!.name, mine[name]!.length, mine[name] === value]).toEqual([value.name, value.length, false])
    expect(Object.getOwnPropertyNames(mine[name]!.prototype ?? {})).toEqual(
      Object.getOwnPropertyNames(value.prototype ?? {}),
    )
  }
  expect(mine.WebSocket).toBe(mine.WebSocket)
  expect(instance().Response).not.toBe(mine.Response)
})

test('what WebSocket and EventSource need is evaluated when it is asked for', () => {
  const later = Object.entries(Object.getOwnPropertyDescriptors(instance())).filter(([, { get }]) => get !== undefined)
  expect(later.map(([name]) => name)).toEqual([
    'WebSocket',
    'CloseEvent',
    'ErrorEvent',
    'MessageEvent',
    'createFastMessageEvent',
    'EventSource',
  ])
})

test('errors come from the same places as in Node', () => {
  const placesOf = ({ Headers, WebSocket }: Exports) =>
    [() => Reflect.construct(Headers!, [1]), () => Reflect.construct(WebSocket!, ['no URL'])].map((fail) => {
      try {
        return fail()
      } catch (error) {
        return (error as Error).stack!.split('\n').filter((each) => each.includes(UNDICI))
      }
    })
  const places = placesOf(node)
  expect(places.map((each) => each.length > 0)).toEqual([true, true])
  expect(placesOf(instance())).toEqual(places)
})

test('a bundle of another form runs as it is', () => {
  const source = 'module.exports.answer = () => 42\n'
  expect(makeTables(source)).toEqual({})
  expect(instance(NO_TABLES, source).answer!()).toBe(42)
})
