/** Three tasks that interleave: in memory, with waits, and over one file (tasks.ts). */
import { readFile, writeFile } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'
import { threeTasksInMemory, threeTasksOverAFile } from './tasks.ts'

fuzz('three tasks in memory', {}, () =>
  threeTasksInMemory(async (value) => {
    await nextTurn()
    return value
  }),
)

fuzz('three tasks that wait', {}, () =>
  threeTasksInMemory(async (value) => {
    await sleep(1)
    return value
  }),
)

fuzz('three tasks over a file', {}, () =>
  threeTasksOverAFile(
    'counter',
    (path) => readFile(path, 'utf8'),
    (path, text) => writeFile(path, text),
  ),
)
