// file-stream-rotator with end_stream: every line is in one of the files, once and in order.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import rotator from 'file-stream-rotator'
import { fc, fuzz } from 'norn'

const line = fc.record({ gap: fc.integer({ min: 0, max: 3 }), size: fc.constantFrom(10, 600, 1200) })

fuzz(
  'file-stream-rotator: no line is lost over a rotation',
  { lines: fc.array(line, { maxLength: 6 }) },
  async ({ lines }) => {
    const directory = await mkdtemp(join(tmpdir(), 'rotator-'))
    const stream = rotator.getStream({
      filename: join(directory, 'log'),
      size: '1k',
      max_logs: '100',
      audit_file: join(directory, 'audit.json'),
      end_stream: true,
    })
    let expected = ''
    for (const [index, { gap, size }] of lines.entries()) {
      if (gap > 0) await sleep(gap)
      const text = `${index}${'x'.repeat(size)}\n`
      expected += text
      stream.write(text)
    }
    stream.end('')
    await sleep(1000)
    const names = (await readdir(directory)).filter((name) => name.startsWith('log'))
    names.sort((a, b) => Number(a.split('.')[1] ?? 0) - Number(b.split('.')[1] ?? 0))
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    assert.equal(texts.join(''), expected)
  },
)
