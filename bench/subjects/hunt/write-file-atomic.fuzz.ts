// write-file-atomic: a reader sees one whole write, the last call wins, no temporary file is left.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import writeFileAtomic from 'write-file-atomic'

const write = fc.record({
  gap: fc.integer({ min: 0, max: 3 }),
  size: fc.integer({ min: 1, max: 2000 }),
  reads: fc.boolean(),
})

fuzz(
  'write-file-atomic: whole, in order, nothing left',
  { writes: fc.array(write, { minLength: 1, maxLength: 4 }) },
  async ({ writes }) => {
    const directory = await mkdtemp(join(tmpdir(), 'atomic-'))
    const file = join(directory, 'file')
    const contents = writes.map(({ size }, index) => String(index).repeat(size))
    const pending: Promise<unknown>[] = []
    for (const [index, { gap, reads }] of writes.entries()) {
      if (gap > 0) await sleep(gap)
      pending.push(writeFileAtomic(file, contents[index]!))
      if (reads)
        pending.push(
          readFile(file, 'utf8').then(
            (text) => assert.ok(contents.includes(text)),
            (error) => assert.equal(error.code, 'ENOENT'),
          ),
        )
    }
    await Promise.all(pending)
    assert.equal(await readFile(file, 'utf8'), contents.at(-1))
    assert.deepEqual(await readdir(directory), ['file'])
  },
)
