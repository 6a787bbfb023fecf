// pino: without minLength, flush does not wait for the write under way; the end of the file does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { planted } from './planted.ts'

planted('pino: the log has every line', async ({ isFixed }) => {
  const destination = pino.destination({ dest: 'log', sync: false })
  const logger = pino({ base: null, timestamp: false }, destination)
  await once(destination, 'ready')
  logger.info('one')
  await sleep(5)
  logger.info('two')
  const closed = once(destination, 'close')
  if (!isFixed) await promisify(destination.flush.bind(destination))()
  destination.end()
  if (isFixed) await closed
  else await sleep(5)
  const log = await readFile('log', 'utf8')
  await closed
  assert.match(log, /one.*\n.*two/)
})
