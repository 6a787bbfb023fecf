// generic-pool 3.5.0 -> 3.6.0
//
// The race: drain() and clear() while a factory's create() is pending. clear() waits for the pending creations, but the
// new resource joins the available ones a few promise steps after that, when clear() has already destroyed what it
// found: the resource stays alive for ever. 3.6.0 makes joining a part of the creation that clear() waits for.
//
// Zero input: a pool of no resources. A drain in the tick of the start fails by default
// as well; a drain later on fails only if a creation is delayed.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import genericPool from 'generic-pool-buggy'
import { fc, fuzz } from 'norn'

// Three creations of at most 40 ms each.
const settled_ms = 1_000

fuzz(
  'generic-pool: nothing outlives drain and clear',
  { resources: fc.integer({ min: 0, max: 3 }), drain_at_ms: fc.integer({ min: 0, max: 10 }) },
  async ({ resources, drain_at_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    let created = 0
    const factory = {
      async create() {
        const resource = join(directory, `resource-${created++}`)
        await mkdir(resource)
        return resource
      },
      destroy: (resource: string) => rmdir(resource),
    }
    const pool = genericPool.createPool(factory, { min: resources, max: 3 })
    if (drain_at_ms > 0) await sleep(drain_at_ms)
    await pool.drain()
    await pool.clear()
    await sleep(settled_ms)
    const alive = await readdir(directory)
    assert.equal(alive.length, 0, `still alive after drain and clear: ${alive.join(', ')}`)
  },
)
