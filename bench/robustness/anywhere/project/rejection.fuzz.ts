import { lookup } from 'node:dns/promises'
import { access } from 'node:fs/promises'
import { cpus, freemem, loadavg } from 'node:os'
import { fuzz } from 'norn'

fuzz('rejection', {}, async () => {
  let open = true
  void access('.').then(async () => {
    await new Promise(setImmediate)
    if (!open) throw new TypeError(`closed, ${[freemem(), loadavg(), cpus()[0]?.speed, process.pid]}`)
  })
  await lookup('localhost')
  await new Promise((resolve) => setTimeout(resolve, 2))
  open = false
  await access('.')
})
