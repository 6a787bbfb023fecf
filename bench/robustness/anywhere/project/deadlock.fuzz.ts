import { EventEmitter, once } from 'node:events'
import { stat } from 'node:fs/promises'
import { MessageChannel } from 'node:worker_threads'
import { fuzz } from 'norn'

fuzz('deadlock', {}, async () => {
  const { port1, port2 } = new MessageChannel()
  const ready = new EventEmitter()
  port2.once('message', () => {
    ready.emit('ready')
    port2.close()
  })
  await stat('.')
  port1.postMessage('x')
  await stat('.')
  await once(ready, 'ready')
})
