import { appendFileSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Journal, readJournal } from '../../src/process/journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

function journal(name: string) {
  const path = join(folder, name)
  return { path, journal: new Journal(openSync(path, 'a')) }
}

const fault = { label: 'write 1', operation: 'write', resource: 'a.txt', fault: 'ENOSPC' }
const drawn = { kind: 'value' as const, label: 'x.0', min: 0, max: 9, value: 4 }
const large = { kind: 'value' as const, label: 'x.1', min: 0n, max: 2n ** 70n, value: 2n ** 69n }
const delayed = { kind: 'latency' as const, label: 'read > then', min: 0, max: 20_000, value: 7, alias: 'read a.txt 1' }

describe('the journal of an execution', () => {
  test('gives back its input, its choices by lane, and its faults', () => {
    const { path, journal: written } = journal('whole')
    written.begin()
    written.input('x = 4')
    written.choice('input', drawn)
    written.choice('schedule', delayed)
    written.fault(fault)
    written.choice('input', large)
    expect(readJournal(path)).toEqual({
      inputText: 'x = 4',
      faults: [fault],
      lanes: { input: [drawn, large], schedule: [delayed], fault: [] },
    })
  })

  test('holds the latest execution only', () => {
    const { path, journal: written } = journal('latest')
    written.begin()
    written.choice('input', drawn)
    written.begin()
    expect(readJournal(path)).toEqual({ inputText: '', faults: [], lanes: { input: [], schedule: [], fault: [] } })
  })

  test('drops a last line that was cut off', () => {
    const { path, journal: written } = journal('cut')
    written.begin()
    written.choice('input', drawn)
    appendFileSync(path, '["choice","input",["x.1",0')
    expect(readJournal(path)!.lanes.input).toEqual([drawn])
  })

  test('is undefined where there is no file', () => {
    expect(readJournal(join(folder, 'absent'))).toBeUndefined()
  })
})
