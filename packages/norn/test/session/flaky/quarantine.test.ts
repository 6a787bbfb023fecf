/** The quarantine of flaky tests: what it covers, until when, and what is wrong with one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fingerprintOf, Quarantine, readQuarantine } from '../../../src/session/flaky/quarantine.ts'

const TODAY = Date.parse('2026-11-28T23:00:00Z')
const failure = { file: 'a.test.ts', test: 'saves', identity: 'error at a.test.ts' }
const entry = { test: 'saves', by: 'ada', until: '2026-11-28' }

describe('an entry', () => {
  it.each([
    ['ends with its day', {}, true],
    ['has ended the day after', { until: '2026-11-27' }, false],
    ['may name a file', { file: 'a.test.ts' }, true],
    ['does not cover another file', { file: 'b.test.ts' }, false],
    ['may name a fingerprint', { fingerprint: fingerprintOf(failure.identity) }, true],
    ['does not cover another failure', { fingerprint: fingerprintOf('another') }, false],
    ['does not cover another test', { test: 'loads' }, false],
  ])('%s', (_, more, covers) => {
    const quarantine = new Quarantine([{ ...entry, ...more }], TODAY)
    expect(quarantine.entryFor(failure) !== undefined).toBe(covers)
  })

  it('that has ended is told', () => {
    const quarantine = new Quarantine([{ ...entry, until: '2026-01-01' }], TODAY)
    expect(quarantine.endedFor(failure)).toMatchObject({ by: 'ada' })
  })
})

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'norn-quarantine-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  it.each([
    ['{', /cannot read the quarantine .*JSON/],
    ['{}', /expected an array of entries/],
    ['[1]', /entry 1 is not an object/],
    ['[{"test":"a","by":"b"}]', /entry 1: "until" is not a non-empty string/],
    ['[{"test":"a","by":"b","until":"soon"}]', /entry 1: "until" is not a day such as 2027-03-01: soon/],
  ])('%s is refused', (text, message) => {
    const path = join(folder, 'quarantine.json')
    writeFileSync(path, text)
    expect(() => readQuarantine(path, TODAY)).toThrow(message)
  })
})
