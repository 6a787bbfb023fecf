// The race: a stale fill. A reader misses the cache and reads the file; a writer changes the file and drops the entry;
// the reader puts in what it read before. Fixed: it puts nothing in if the entry was dropped meanwhile.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

class Cache {
  readonly #entries = new Map<string, string>()

  async get(key: string): Promise<string> {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const read = await readFile(key, 'utf8')
    this.#entries.set(key, read)
    return read
  }

  async set(key: string, value: string): Promise<void> {
    await writeFile(key, value)
    this.#entries.delete(key)
  }
}

fuzz(
  'cache: what is read is what was written',
  { write_at_ms: fc.integer({ min: 1, max: 9 }) },
  async ({ write_at_ms }) => {
    await writeFile('price', 'old')
    const cache = new Cache()
    const reading = cache.get('price')
    await sleep(write_at_ms)
    await cache.set('price', 'new')
    await reading
    assert.equal(await cache.get('price'), 'new')
  },
)
