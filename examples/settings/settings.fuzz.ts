import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fuzz, withoutFaults } from 'norn'
import { backUp, load, save } from './settings.ts'

const OLD = { colour: 'green', size: 'large' }
const NEW = { colour: 'blue', size: 'small' }

fuzz(
  'whatever becomes of a save, the settings are the old or the new ones',
  {},
  async () => {
    await withoutFaults(() => save('settings.json', OLD))
    await save('settings.json', NEW).catch(() => {})
    const { colour } = await withoutFaults(() => load('settings.json'))
    assert.ok(colour === OLD.colour || colour === NEW.colour)
  },
  { faults: { fs: 1 } },
)

fuzz(
  'a backup that succeeds is whole',
  {},
  async () => {
    await withoutFaults(() => save('settings.json', OLD))
    const done = await backUp('settings.json', 'backup.json').then(
      () => true,
      () => false,
    )
    if (!done) return
    const [original, copy] = await withoutFaults(() =>
      Promise.all(['settings.json', 'backup.json'].map((file) => readFile(file, 'utf8'))),
    )
    assert.equal(copy, original)
  },
  { faults: { fs: 1 } },
)
