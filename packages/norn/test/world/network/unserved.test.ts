/** Which failures follow from a connection to an address where nothing has listened. */
import { expect, test } from 'vitest'
import { Unserved } from '../../../src/world/network/unserved.ts'

const to = { family: 4, address: '127.0.0.1', port: 5432 } as const
const refusal = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 })

function refusing(tries: number): Unserved {
  const unserved = new Unserved()
  for (let n = 0; n < tries; n++) unserved.refuses(to, () => new Error('way'))
  return unserved
}

test.each([
  ['is the refusal', refusal()],
  ['has it as its cause', new Error('wrapped', { cause: refusal() })],
  ['has its code alone', Object.assign(new Error('wrapped'), { code: 'ECONNREFUSED' })],
  ['has it in a list', new AggregateError([new Error('other'), refusal()])],
  ['has it in a map', Object.assign(new Error('none'), { servers: new Map([['a', { error: refusal() }]]) })],
])('an error that %s follows', (_, error) => {
  expect(refusing(1).behind(error, false)?.to).toEqual(to)
})

test('a program that waits without end, or tries again and again, wants the server', () => {
  expect(refusing(1).behind(undefined, true)?.to).toEqual(to)
  expect(refusing(3).behind(new Error('gave up'), false)?.to).toEqual(to)
})

test('a program that probes a port fails by itself', () => {
  expect(refusing(1).behind(new Error('own'), false)).toBeUndefined()
  expect(refusing(2).behind(new Error('own'), false)).toBeUndefined()
})

test.each([{ port: 5433 }, { address: '::1' }, { code: 'ECONNRESET' }])(
  'another error does not follow: %j',
  (other) => {
    expect(refusing(1).behind(Object.assign(refusal(), other), false)).toBeUndefined()
  },
)

test('where something has listened, before or after, a failure stays one', () => {
  const unserved = refusing(3)
  unserved.listens(5432)
  expect(unserved.behind(refusal(), true)).toBeUndefined()
})

test('no getter and no proxy of the program runs', () => {
  const error = {
    get cause() {
      throw new Error('ran')
    },
    nested: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('ran')
        },
      },
    ),
  }
  expect(refusing(1).behind(error, false)).toBeUndefined()
})
