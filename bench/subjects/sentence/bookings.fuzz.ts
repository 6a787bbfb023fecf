// The race: two requests read the list of bookings before either writes it. Fixed by a queue around both accesses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

async function book(seat: string): Promise<void> {
  const bookings: string[] = JSON.parse(await readFile('bookings.json', 'utf8'))
  bookings.push(seat)
  await writeFile('bookings.json', JSON.stringify(bookings))
}

fuzz(
  'bookings: none is lost',
  { gaps_ms: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }) },
  async ({ gaps_ms }) => {
    await writeFile('bookings.json', '[]')
    const server = createServer((request, response) => {
      book(request.url!).then(() => response.end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let start_ms = 0
    await Promise.all(
      [0, ...gaps_ms].map(async (gap_ms, seat) => {
        await sleep((start_ms += gap_ms))
        await (await fetch(`http://127.0.0.1:${port}/${seat}`)).text()
      }),
    )
    assert.equal(JSON.parse(await readFile('bookings.json', 'utf8')).length, gaps_ms.length + 1)
    server.close()
  },
)
