import { describe, expect, test } from 'vitest'
import { type Body, type ServiceName, serviceOf } from '../src/services.ts'

/** A service, whose random numbers are given, and are 0 after that. */
function ask(name: ServiceName, random: readonly number[] = []) {
  const service = serviceOf(name)
  const left = [...random]
  return (request: Body, client = 'n0') => service.answer(request, client, () => left.shift() ?? 0)
}

const read = (key: unknown): Body => ({ type: 'read', key })
const write = (key: unknown, value: unknown): Body => ({ type: 'write', key, value })
const cas = (key: unknown, from: unknown, to: unknown, create?: boolean): Body => ({
  type: 'cas',
  key,
  from,
  to,
  ...(create === undefined ? {} : { create_if_not_exists: create }),
})

describe('lin-kv', () => {
  test('writes, reads and compares by value', () => {
    const store = ask('lin-kv')
    expect(store(read('x'))).toMatchObject({ type: 'error', code: 20 })
    expect(store(write('x', [1, { a: 2 }]))).toEqual({ type: 'write_ok' })
    expect(store(cas('x', [1, { a: 2 }], 3))).toEqual({ type: 'cas_ok' })
    expect(store(cas('x', 4, 5))).toEqual({ type: 'error', code: 22, text: 'current value 3 is not 4' })
    expect(store(read('x'))).toEqual({ type: 'read_ok', value: 3 })
  })

  test('creates by a cas only if it is asked to', () => {
    const store = ask('lin-kv')
    expect(store(cas('x', 0, 1))).toMatchObject({ code: 20 })
    expect(store(cas('x', 0, 1, true))).toEqual({ type: 'cas_ok' })
  })

  test('tells keys apart by value, and what it does not support', () => {
    const store = ask('lin-kv')
    store(write(1, 'number'))
    expect(store(read('1'))).toMatchObject({ code: 20 })
    expect(store({ type: 'txn' })).toMatchObject({ code: 10 })
  })
})

describe('seq-kv', () => {
  test('may show the past, but never goes back for a client', () => {
    const store = ask('seq-kv', [0.99, 0, 0.99])
    store(write('x', 1), 'n1')
    store(write('x', 2), 'n1')
    expect(store(read('x'), 'n0')).toMatchObject({ code: 20 })
    expect(store(read('x'), 'n0')).toEqual({ type: 'read_ok', value: 2 })
    expect(store(read('x'), 'n0')).toEqual({ type: 'read_ok', value: 2 })
  })

  test('shows a client its own writes', () => {
    const store = ask('seq-kv', [0.99])
    store(write('x', 1))
    expect(store(read('x'))).toEqual({ type: 'read_ok', value: 1 })
  })
})

describe('lww-kv', () => {
  test('has replicas that do not know of each other until they merge', () => {
    const store = ask('lww-kv', [0, 0.9, 0.9, 0.9, 0.9, 0, 0])
    store(write('x', 1))
    expect(store(read('x'))).toMatchObject({ code: 20 })
    expect(store(read('x'))).toEqual({ type: 'read_ok', value: 1 })
  })
})

test('lin-tso counts', () => {
  const oracle = ask('lin-tso')
  expect([oracle({ type: 'ts' }), oracle({ type: 'ts' })]).toEqual([
    { type: 'ts_ok', ts: 0 },
    { type: 'ts_ok', ts: 1 },
  ])
})
