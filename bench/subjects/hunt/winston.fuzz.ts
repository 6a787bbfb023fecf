// winston: every line that was logged before end() is in one of the files when the transport has
// finished.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import winston from 'winston'

const line = fc.record({ gap: fc.integer({ min: 0, max: 3 }), size: fc.integer({ min: 1, max: 30 }) })

fuzz(
  'winston: no line is lost over a rotation',
  {
    lines: fc.array(line, { maxLength: 8 }),
    options: fc.constantFrom({}, { maxsize: 40 }, { maxsize: 40, lazy: true }),
  },
  async ({ lines, options }) => {
    const dirname = await mkdtemp(join(tmpdir(), 'winston-'))
    const transport = new winston.transports.File({ dirname, filename: 'log', ...options })
    const logger = winston.createLogger({
      format: winston.format.printf(({ message }) => String(message)),
      transports: [transport],
    })
    const expected: string[] = []
    for (const [index, { gap, size }] of lines.entries()) {
      if (gap > 0) await sleep(gap)
      expected.push(`${index}${'x'.repeat(size)}`)
      logger.info(expected.at(-1)!)
    }
    const finished = once(transport, 'finish')
    logger.end()
    await finished
    await sleep(500)
    const texts = await Promise.all((await readdir(dirname)).map((name) => readFile(join(dirname, name), 'utf8')))
    assert.deepEqual(texts.join('').split('\n').filter(Boolean).sort(), expected.sort())
  },
)
