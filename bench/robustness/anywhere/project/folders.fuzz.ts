import { readFile, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz } from 'norn'

fuzz('folders', {}, async () => {
  const order: string[] = []
  const file = join(tmpdir(), 'norn-anywhere')
  const setting = readFile(join(homedir(), '.norn-anywhere')).catch(() => order.push('home'))
  await Promise.all([writeFile(file, 'x').then(() => order.push('temporary')), setting])
  if (order[0] === 'temporary') throw new Error(`${order}, mode ${(await stat(file)).mode.toString(8)}`)
})
