/** What must hold of a cache: clients that use it at once see a map. */
import { writeFile } from 'node:fs/promises'
import { fc, fuzz } from 'norn'
import { linearizable, MODELS, record } from 'norn/history'
import type { KeyValue } from './cache.ts'

const get = fc.record({ f: fc.constant('get' as const) })
const set = fc.record({ f: fc.constant('set' as const), value: fc.constantFrom('1', '2', '3') })
const operations = fc.array(fc.oneof(get, set), { minLength: 1, maxLength: 3 })

export function behavesAsAMap(name: string, make: () => KeyValue): void {
  fuzz(name, { clients: fc.array(operations, { maxLength: 3 }) }, async ({ clients }) => {
    await writeFile('colour', '0')
    const map = { ...MODELS.kv, init: () => '0' }
    const { as } = record(make(), undefined, { check: linearizable(map) })
    await Promise.all(
      clients.map(async (operations, client) => {
        const cache = as(client)
        for (const each of operations) await (each.f === 'get' ? cache.get('colour') : cache.set('colour', each.value))
      }),
    )
  })
}
