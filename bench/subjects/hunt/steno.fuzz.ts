// steno: a write resolves once its text, or a newer one, is in the file; the last one wins; a
// write that succeeded does not reject.
import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz, withoutFaults } from 'norn'
import { Writer } from 'steno'

const gaps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })

fuzz('steno: the last write wins, and earlier writes resolve earlier', { gaps }, async ({ gaps }) => {
  const file = join(await mkdtemp(join(tmpdir(), 'steno-')), 'file')
  const writer = new Writer(file)
  const resolved: number[] = []
  const pending: Promise<unknown>[] = []
  for (const [index, gap] of gaps.entries()) {
    if (gap > 0) await sleep(gap)
    const check = async () => {
      resolved.push(index)
      assert.ok(Number(await readFile(file, 'utf8')) >= index, 'resolved before it is written')
    }
    pending.push(writer.write(String(index)).then(check))
  }
  await Promise.all(pending)
  assert.equal(await readFile(file, 'utf8'), String(gaps.length - 1))
  assert.deepEqual(resolved, resolved.toSorted(), 'a later write resolves first')
})

fuzz(
  'steno: a write that is in the file does not reject',
  { gaps },
  async ({ gaps }) => {
    const file = await withoutFaults(async () => join(await mkdtemp(join(tmpdir(), 'steno-')), 'file'))
    const writer = new Writer(file)
    const read = () => withoutFaults(() => readFile(file, 'utf8').then(Number, () => -1))
    const pending: Promise<unknown>[] = []
    for (const [index, gap] of gaps.entries()) {
      if (gap > 0) await sleep(gap)
      pending.push(
        writer
          .write(String(index))
          .catch(async () => assert.ok((await read()) !== index, `write ${index} rejects, but is in the file`)),
      )
    }
    await Promise.all(pending)
  },
  { faults: { fs: 1 } },
)
