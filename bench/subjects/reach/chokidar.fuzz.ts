// chokidar: a file that is written before the watcher is ready is taken for an old one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch } from 'chokidar'
import { planted } from './planted.ts'

planted('chokidar: a new file is noticed', async ({ isFixed }) => {
  await mkdir('inbox')
  const watcher = watch('inbox', { ignoreInitial: true })
  const added: string[] = []
  watcher.on('add', (path) => added.push(path))
  const ready = once(watcher, 'ready')
  if (isFixed) await ready
  else await sleep(10)
  await writeFile('inbox/letter', 'hello')
  await ready
  await sleep(1000)
  await watcher.close()
  assert.deepEqual(added, ['inbox/letter'])
})
