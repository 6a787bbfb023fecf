/** Exchanges of a corpus through a real Redis: whoever listens is told what to push and what to pull. */
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { RedisServer } from '../../../../systems/redis/server.ts'
import { CorpusExchange } from '../../src/fleet/corpus-exchange.ts'
import { Ledger } from '../../src/fleet/ledger.ts'
import { CorpusStore } from '../../src/storage/corpus-store.ts'
import { tapeOf } from '../property/fixtures/tape-of.ts'
import { isSkipped, project } from './fleets.ts'

const SUM = { file: 'sum.fuzz.ts', property: 'sums' }

describe.skipIf(isSkipped)('an exchange', () => {
  it('tells of what its own search adds, and of what others bring', async () => {
    await using redis = await RedisServer.start()
    const connections = [new Redis(redis.url), new Redis(redis.url)]
    const ledgers = connections.map((connection) => new Ledger(connection, 'norn'))
    const stores = ledgers.map(() => new CorpusStore({ root: project({}).root, ...SUM, version: '0' }))
    const [mine, theirs] = ledgers.map((ledger, at) => new CorpusExchange(ledger, SUM, stores[at]!))
    const heard = { mine: new Heard(), theirs: new Heard() }
    const ends = [mine!.listen(heard.mine.tell), theirs!.listen(heard.theirs.tell)]

    const name = stores[0]!.add(tapeOf(1))!
    await heard.mine.next()
    // What is pushed before the other is connected is not told.
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
})

/** Whether something was told, and waits for it. */
class Heard {
  isAny = false
  #told = () => {}
  readonly tell = () => {
    this.isAny = true
    this.#told()
  }
  next(): Promise<void> {
    if (this.isAny) return Promise.resolve()
    return new Promise((resolve) => {
      this.#told = resolve
    })
  }
}
