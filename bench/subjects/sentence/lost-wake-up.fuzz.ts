// The race: the worker may be ready before somebody listens for it. Fixed: whoever listens too late is told at once.
import { EventEmitter, once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

async function start(events: EventEmitter): Promise<void> {
  await sleep(3)
  await stat('worker.json')
  events.emit('ready')
}

fuzz('worker: a client is served', { clients: fc.integer({ min: 1, max: 3 }) }, async ({ clients }) => {
  await writeFile('worker.json', '{}')
  const events = new EventEmitter()
  void start(events)
  for (let client = 0; client < clients; client++) await readFile('worker.json')
  await once(events, 'ready')
})
