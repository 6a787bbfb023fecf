// CLF, after cinovo-logger-file (ConFuzz)
//
// The race: when a file is full (100 bytes or more), the logger rolls: it looks for a free name, and then goes on in a
// new file. An entry that comes meanwhile finds the old file full too, and begins a second roll.
//
// Input: up to five entries, each after a delay of less than 50 ms, of less than 30 bytes. Zero input: no entries. It
// takes four entries that fill a file, a fifth, and a roll that is delayed by more than the delay between.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'
import { subject } from './subject.ts'

const FULL = 100

const entry = fc.record({ delay_ms: fc.integer({ min: 0, max: 49 }), size: fc.integer({ min: 0, max: 29 }) })
const example = { delay_ms: 10, size: 25 }

subject('CLF: at most one file is not full', {
  inputs: { entries: fc.array(entry, { maxLength: 5 }) },
  example: { entries: [example, example, example, example, example] },
  async body({ entries }, { pause }) {
    const files = [0]
    const log = async (size: number) => {
      files[files.length - 1]! += size
      if (files.at(-1)! < FULL) return
      await pause()
      files.push(0)
    }
    const logged: Promise<void>[] = []
    for (const { delay_ms, size } of entries) {
      await sleep(delay_ms)
      logged.push(log(size))
    }
    await Promise.all(logged)
    const notFull = files.filter((size) => size < FULL).length
    assert.ok(notFull < 2, `${notFull} files are not full: ${files.join(', ')} bytes`)
  },
})
