/** Transactions on registers in PostgreSQL: is what they read and write serializable? */
import { fc, fuzz } from 'norn'
import { isolation, type MicroOperation, record } from 'norn/history'
import pg from 'pg'

class Registers {
  readonly pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
  readonly level: string

  constructor(level: string) {
    this.level = level
  }

  /** The operations, with the values that were read. */
  async transact(operations: readonly MicroOperation[]): Promise<readonly MicroOperation[]> {
    const client = await this.pool.connect()
    try {
      await client.query(`BEGIN ISOLATION LEVEL ${this.level}`)
      const done: MicroOperation[] = []
      for (const [f, name, value] of operations) {
        if (f === 'w') await client.query('UPDATE registers SET value = $2 WHERE name = $1', [name, value])
        const read = f === 'r' && (await client.query('SELECT value FROM registers WHERE name = $1', [name])).rows[0]
        done.push([f, name, read ? read.value : value])
      }
      await client.query('COMMIT')
      return done
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
}

/** A transaction that PostgreSQL has refused (could not serialize, deadlock) surely had no effect. */
const outcome = (error: unknown) => (/^40/.test((error as pg.DatabaseError).code ?? '') ? 'fail' : 'unknown')

const operation = fc.record({ f: fc.constantFrom('r', 'w'), name: fc.constantFrom('x', 'y') })
const plan = fc.array(operation, { minLength: 1, maxLength: 3 })

for (const level of ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])
  fuzz(`serializable at ${level}`, { plans: fc.array(plan, { minLength: 2, maxLength: 3 }) }, async ({ plans }) => {
    const registers = new Registers(level)
    const check = isolation('rw-register', { consistency: 'serializable', initial: 0 })
    const { client } = record(registers, { transact: (operations) => operations }, { check, outcome })
    let last = 0
    const next = (f: string) => (f === 'w' ? ++last : null)
    const transactions = plans.map((plan) => plan.map(({ f, name }) => [f, name, next(f)] as MicroOperation))
    await Promise.allSettled(transactions.map((each) => client.transact(each)))
    await registers.pool.end()
  })
