// winston: five milliseconds are enough for its file as a rule; only its finish means that.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import winston from 'winston'
import { planted } from './planted.ts'

planted('winston: the log has every line', async ({ isFixed }) => {
  const transport = new winston.transports.File({ filename: 'log' })
  const logger = winston.createLogger({ transports: [transport], format: winston.format.json() })
  await once(transport, 'open')
  logger.info('one')
  logger.info('two')
  const finished = once(transport, 'finish')
  logger.end()
  await (isFixed ? finished : sleep(5))
  const log = await readFile('log', 'utf8')
  await finished
  assert.match(log, /one.*\n.*two/)
})
