/** Changes of a corpus, and claims, reach those who subscribed to them through a real Redis. */
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { RedisServer } from '../../../systems/redis/server.ts'
import { CorpusStore } from '../../norn/src/storage/corpus-store.ts'
import { tapeOf } from '../../norn/test/property/fixtures/tape-of.ts'
import { CorpusExchange } from '../src/corpus-exchange.ts'
import { Ledger } from '../src/ledger.ts'
import { isSkipped, project } from './fleets.ts'

const SUM = { file: 'sum.fuzz.ts', property: 'sums' }

describe.skipIf(isSkipped)('a subscription', () => {
  it('tells of what its own search adds, and of what others bring', async () => {
    await using redis = await RedisServer.start()
    const connections = [new Redis(redis.url), new Redis(redis.url)]
    const ledgers = connections.map((connection) => new Ledger(connection, 'norn'))
    const stores = ledgers.map(() => new CorpusStore({ root: project({}).root, ...SUM, version: '0' }))
    const [mine, theirs] = ledgers.map((ledger, at) => new CorpusExchange(ledger, SUM, stores[at]!))
    const heard = { mine: new Heard(), theirs: new Heard() }
    const ends = [mine!.onChange(heard.mine.tell), theirs!.onChange(heard.theirs.tell)]

    const name = stores[0]!.add(tapeOf(1))!
    await heard.mine.until(1)
    // What is pushed before the other is subscribed is missed.
    for (let number = 2; !heard.theirs.isAny; number++) {
      stores[0]!.add(tapeOf(number))
      await mine!.push(false)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await theirs!.pull()
    expect(stores[1]!.names()).toContain(name)

    for (const end of ends) end()
    for (const ledger of ledgers) ledger.close()
    for (const connection of connections) connection.disconnect()
  })

  it('tells of a claim, and not again while it lasts', async () => {
    await using redis = await RedisServer.start()
    const connections = [new Redis(redis.url), new Redis(redis.url)]
    const [finder, other] = connections.map((connection) => new Ledger(connection, 'norn'))
    const [heard, later] = [new Heard(), new Heard()]
    other!.onClaim('campaign', 0, heard.tell)
    other!.onClaim('campaign', 1, later.tell)
    // What is claimed before the other is subscribed is missed.
    await heard.until(1, () => finder!.claim('campaign', 0, 1))
    await later.until(1, () => finder!.claim('campaign', 1, 1))

    await finder!.claim('campaign', 0, 60_000)
    await later.until(later.times + 1, () => finder!.claim('campaign', 1, 1))
    const { times } = heard
    await finder!.claim('campaign', 0, 60_000)
    // Messages of one connection come in order.
    await later.until(later.times + 1, () => finder!.claim('campaign', 1, 1))
    expect(heard.times).toBe(times)
    for (const ledger of [finder!, other!]) ledger.close()
    for (const connection of connections) connection.disconnect()
  })
})

/** Counts calls, and waits for them. */
class Heard {
  times = 0
  readonly tell = () => {
    this.times++
  }
  get isAny(): boolean {
    return this.times > 0
  }
  /** @param act what leads to it, done again now and then */
  async until(times: number, act = async () => {}): Promise<void> {
    while (this.times < times) {
      await act()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
