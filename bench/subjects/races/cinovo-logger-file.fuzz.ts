// cinovo-logger-file 0.4.5 -> our cinovo-logger-file-fixed.ts (the package has no fixed release)
//
// The race: a write that fills the file starts a roll (readdir, exists, then a new stream). The
// size is meanwhile set to Number.MIN_VALUE "to prevent the file from rolling again", but that is
// the smallest number above zero, not the most negative one. A log call during the readdir or the
// exists of a slow roll, big enough by itself, rolls once more: two new files, the first of which
// never receives a line. The wrapper holds log calls back while a roll is under way.
//
// Zero input: two entries in the same tick, which together fill one file. Under the default schedule a roll
// ends a quarter of a millisecond after the write that caused it, and entries arrive 5 ms apart or
// together, so no input meets a roll.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import createEndpoint from 'cinovo-logger-file-buggy'
import { fc, fuzz } from 'norn'

const full_bytes = 20
const age_s = 3_600
const files_kept = 100
// Entries arrive at multiples of 5 ms, so that a real roll of a millisecond or two meets none either.
const tick_ms = 5
const entry = fc.record({ at_ticks: fc.integer({ min: 0, max: 8 }), size_bytes: fc.integer({ min: 10, max: 40 }) })

fuzz(
  'cinovo-logger-file: only one file is not full',
  { entries: fc.array(entry, { minLength: 2, maxLength: 5 }) },
  async ({ entries }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const open = promisify(createEndpoint)
    const endpoint = await open(true, true, true, true, directory, 'app-', '.log', full_bytes, age_s, files_kept)
    const log = promisify(endpoint.log.bind(endpoint))
    const outcomes = await Promise.allSettled(
      entries.map(async ({ at_ticks, size_bytes }) => {
        await sleep(at_ticks * tick_ms)
        await log('x'.repeat(size_bytes))
      }),
    )

    const unfilled: string[] = []
    for (const name of await readdir(directory)) {
      const { size } = await stat(join(directory, name))
      if (size <= full_bytes) unfilled.push(`${name} (${size} bytes)`)
    }
    assert.ok(unfilled.length <= 1, `the log was rolled before its file was full: ${unfilled.join(' and ')}`)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.fail(`a log call failed: ${outcome.reason.message}`)
    }
    await promisify(endpoint.stop.bind(endpoint))()
  },
)
