// The race: a timeout calls back, and the answer that comes after it calls back again. Fixed by `once`.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

function readWithin(ms: number, callback: (error: Error | null, text?: string) => void): void {
  setTimeout(() => callback(new Error('timeout')), ms).unref()
  readFile('settings.json', 'utf8', (error, text) => callback(error, text))
}

fuzz(
  'settings: the callback is called once',
  { patience_ms: fc.integer({ min: 5, max: 20 }) },
  async ({ patience_ms }) => {
    await writeFile('settings.json', '{}')
    let calls = 0
    let answered = false
    readWithin(patience_ms, (error) => {
      if (error === null) answered = true
      else if (answered) return
      calls++
    })
    await sleep(200)
    assert.equal(calls, 1)
  },
)
