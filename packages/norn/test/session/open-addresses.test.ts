import { expect, test } from 'vitest'
import { openAddresses, openAnywhere } from '../../src/session/open-addresses.ts'

test('addresses of this machine, alone or in lists, each once', () => {
  expect(openAddresses(['127.0.0.1:5432,localhost:6379', '[::1]:80', '/run/x.sock', '127.0.0.1:5432'])).toEqual([
    { name: '127.0.0.1:5432', host: '127.0.0.1', addresses: ['127.0.0.1'], port: 5432 },
    { name: 'localhost:6379', host: 'localhost', addresses: ['127.0.0.1', '::1'], port: 6379 },
    { name: '[::1]:80', host: '::1', addresses: ['::1'], port: 80 },
    { name: '/run/x.sock', path: '/run/x.sock' },
  ])
})

test.each(['', 'localhost', 'localhost:', 'localhost:0', 'localhost:65536', '::1:80', '[x]:80', 'a b:1', 'run/x.sock'])(
  '%j is no address',
  (name) => {
    expect(() => openAddresses([name])).toThrow('expected HOST:PORT')
  },
)

test.each(['10.0.0.1:5432', 'db.example:5432', '[2001:db8::1]:80'])('%s is another machine', (name) => {
  expect(() => openAddresses([name])).toThrow('add --open-anywhere')
})

test('another machine is allowed where the call says so', async () => {
  expect(await openAnywhere(['10.0.0.1:5432'])).toEqual([
    { name: '10.0.0.1:5432', host: '10.0.0.1', addresses: ['10.0.0.1'], port: 5432 },
  ])
})
