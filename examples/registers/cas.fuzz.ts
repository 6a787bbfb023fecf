/** A register in Redis with compare-and-set: is it linearizable? */
import { Redis } from 'ioredis'
import { fuzz } from 'norn'
import { linearizable, MODELS, record } from 'norn/history'

class Register {
  readonly redis = new Redis(process.env.REDIS_URL!)

  async read(): Promise<string | null> {
    return this.redis.get('register')
  }

  async write(value: string): Promise<void> {
    await this.redis.set('register', value)
  }

  /** Whether it held `from`, and was set to `to`. */
  async cas(from: string, to: string): Promise<boolean> {
    if ((await this.redis.get('register')) !== from) return false
    await this.redis.set('register', to)
    return true
  }
}

const CAS = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

class RegisterWithScript extends Register {
  override async cas(from: string, to: string): Promise<boolean> {
    return (await this.redis.eval(CAS, 1, 'register', from, to)) === 1
  }
}

for (const Kind of [Register, RegisterWithScript])
  fuzz(`${Kind.name} is linearizable`, {}, async () => {
    const register = new Kind()
    const { client } = record(register, undefined, { check: linearizable(MODELS['cas-register']) })
    await client.write('a')
    await Promise.all([client.cas('a', 'b'), client.cas('a', 'c'), client.read()])
    await client.read()
    register.redis.disconnect()
  })
