import { expect, test } from 'vitest'
import { type Message, Network } from '../../src/cluster/network.ts'
import { chance } from '../../src/tape/chance.ts'
import { readyChannels } from './ready-channels.ts'

const message = (id: number, from: number, to: number, dueUs = id): Message => ({
  id,
  from,
  to,
  data: id,
  dueUs,
  order: id,
  origin: 0,
})

function filled(...messages: readonly Message[]): Network {
  const network = new Network(3, {})
  for (const each of messages) network.push(each)
  return network
}

test('a channel gives its messages in the order in which they were sent, or the one that is meant', () => {
  const network = filled(message(0, 0, 1), message(1, 0, 1), message(2, 0, 1), message(3, 1, 0))
  expect(network.take(0, 1, 1)?.id).toBe(1)
  expect([network.take(0, 1)?.id, network.take(0, 1)?.id, network.take(0, 1)]).toEqual([0, 2, undefined])
  expect([network.size, network.channel(1, 0).length]).toEqual([1, 1])
})

test('what is due first is the same whatever the order of channels; of one moment, what was sent first', () => {
  const network = filled(message(5, 2, 1, 10), message(4, 0, 1, 10), message(6, 0, 2, 9))
  const order = []
  for (let next = network.first(); next !== undefined; next = network.first()) {
    order.push(next.id)
    network.take(next.from, next.to)
  }
  expect(order).toEqual([6, 4, 5])
})

test('a partition holds back what is under way, until it heals', () => {
  const network = filled(message(0, 0, 1), message(1, 0, 2), message(2, 2, 2))
  network.partition([0, 1, 0])
  expect(readyChannels(network)).toEqual([
    [0, 2],
    [2, 2],
  ])
  expect([network.connects(0, 1), network.connects(1, 1), network.first()?.id]).toEqual([false, true, 1])
  network.partition(undefined)
  expect(network.first()?.id).toBe(0)
})

test('channels that hold something are known, in the order of their numbers, whatever is sent and taken', () => {
  const draws = chance(1, 7)
  const network = new Network(3, {})
  const expected = new Map<number, number>()
  for (let id = 0; id < 500; id++) {
    const [from, to] = [draws.integer(0, 2), draws.integer(0, 2)]
    const at = from * 3 + to
    const count = expected.get(at) ?? 0
    if (draws.coin(0.5)) {
      network.push(message(id, from, to))
      expected.set(at, count + 1)
    } else if (network.take(from, to) !== undefined) expected.set(at, count - 1)
    const ready = readyChannels(network).map(([a, b]) => a * 3 + b)
    const full = [...expected].filter(([, held]) => held > 0).map(([channel]) => channel)
    expect(ready).toEqual(full.sort((a, b) => a - b))
    expect(network.messages().length).toBe(network.size)
  }
})
