// The race: the log is closed while an entry still waits for its time stamp. Fixed: close() waits for entries.
import assert from 'node:assert/strict'
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

class Log {
  readonly #file: FileHandle

  constructor(file: FileHandle) {
    this.#file = file
  }

  async add(text: string): Promise<void> {
    const { mtimeMs } = await stat('clock')
    await this.#file.appendFile(`${mtimeMs > 0} ${text}\n`)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

fuzz('log: every entry is written', { close_after_ms: fc.integer({ min: 2, max: 9 }) }, async ({ close_after_ms }) => {
  await writeFile('clock', '')
  const log = new Log(await open('log', 'w'))
  const added = log.add('entry').then(
    () => true,
    () => false,
  )
  await sleep(close_after_ms)
  await log.close()
  assert.ok(await added, 'an entry is lost')
})
