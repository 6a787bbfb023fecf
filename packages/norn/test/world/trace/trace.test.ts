import { describe, expect, test } from 'vitest'
import { hashTrace, type TraceEvent } from '../../../src/contract/trace.ts'

const EVENT: TraceEvent = {
  event: 'effect',
  label: '0/0.1:2',
  chain: '0/0.1',
  kind: 'unlink',
  resource: 'a/b.json',
  atUs: 1234,
  delayUs: 500,
  outcome: 'ENOENT',
}

/** The same hash by its definition: FNV-1a over UTF-16 code units, 64 bits. */
function reference(events: readonly TraceEvent[]): string {
  let hash = 0xcbf29ce484222325n
  for (const e of events) {
    const line = `${e.event} ${e.label} ${e.kind} ${e.resource} ${e.atUs} ${e.outcome}\n`
    for (let i = 0; i < line.length; i++) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(line.charCodeAt(i))) * 0x100000001b3n)
    }
  }
  return hash.toString(16).padStart(16, '0')
}

describe('the hash of a trace', () => {
  test('is 64-bit FNV-1a', () => {
    expect(hashTrace([])).toBe('cbf29ce484222325')
    for (let length = 1; length < 40; length++) {
      const events = Array.from({ length }, (_, index) => ({
        ...EVENT,
        atUs: index * 7919,
        resource: `ä${index}\u{1f600}`,
      }))
      expect(hashTrace(events)).toBe(reference(events))
    }
  })

  test('changes with everything that happened, and with the order', () => {
    const other = { ...EVENT, event: 'callback' as const }
    const variants = [
      [EVENT],
      [other],
      [EVENT, other],
      [other, EVENT],
      ...(['label', 'kind', 'resource', 'outcome'] as const).map((key) => [{ ...EVENT, [key]: 'x' }]),
      [{ ...EVENT, atUs: 1235 }],
    ]
    expect(new Set(variants.map(hashTrace)).size).toBe(variants.length)
  })

  test('leaves out how late something was by choice: when it happened says it', () => {
    expect(hashTrace([{ ...EVENT, delayUs: 0 }])).toBe(hashTrace([EVENT]))
  })
})
