// get-port 5.0.0 -> 5.1.0
//
// The race: getPort() listens on the preferred port to see whether it is free, and closes it again. Until the caller
// listens there itself, a second call finds it free as well: two callers, one port, EADDRINUSE for one of them. 5.1.0
// does not hand out a port again for at least 15 s (change 36, "Fix in-process race condition").
//
// Zero input: two services in the same tick. It fails by default as well: the second service's probe follows the end of
// the first one's, while the first service reads its settings.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import getPort from 'get-port-buggy'
import { fc, fuzz } from 'norn'

const listening = async (port: number) => {
  const server = createServer().listen(port)
  await once(server, 'listening')
  return server
}

fuzz(
  'get-port: every service of a process gets a port of its own',
  { gaps_ms: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 2 }) },
  async ({ gaps_ms }) => {
    const settings = join(await mkdtemp(join(tmpdir(), 'norn-')), 'settings.json')
    await writeFile(settings, '{}')
    const anything = await listening(0)
    const { port: preferred } = anything.address() as AddressInfo
    anything.close()
    await once(anything, 'close')

    const start = async (start_ms: number) => {
      await sleep(start_ms)
      const port = await getPort({ port: preferred })
      JSON.parse(await readFile(settings, 'utf8'))
      return listening(port).catch((error: NodeJS.ErrnoException) =>
        assert.fail(`a service cannot listen on the port that it got: ${error.code}`),
      )
    }
    let start_ms = 0
    const services = [0, ...gaps_ms].map((gap_ms) => start((start_ms += gap_ms)))
    for (const service of await Promise.all(services)) service.close()
  },
)
