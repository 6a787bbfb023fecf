import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LineReader, type Reading } from '../../src/cluster/stdio/line-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-lines-'))
const opened: number[] = []
afterAll(() => {
  for (const descriptor of opened) closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

/** Reads from a file, which ends where a pipe would be closed. */
function reader(text: string | Buffer, maxBytes = 1000): { next(): Reading } {
  const path = join(folder, `${opened.length}`)
  writeFileSync(path, text)
  const descriptor = openSync(path, 'r')
  opened.push(descriptor)
  const lines = new LineReader(descriptor)
  return { next: () => lines.next(maxBytes) }
}

describe('lines', () => {
  it('come one by one, and then the end', () => {
    const lines = reader('one\n\nthree ž\n')
    expect([lines.next(), lines.next(), lines.next(), lines.next()]).toEqual([
      { line: 'one' },
      { line: '' },
      { line: 'three ž' },
      { ended: 'end', part: '' },
    ])
  })

  it('that are cut off are no lines', () => {
    expect(reader('{"id":').next()).toEqual({ ended: 'end', part: '{"id":' })
  })

  it('may be as long as they may, and longer than what is read at once', () => {
    const long = 'x'.repeat(300_000)
    const lines = reader(`${long}\nshort\n`, 300_000)
    expect([lines.next(), lines.next()]).toEqual([{ line: long }, { line: 'short' }])
  })

  it.each([300_001, 10_000_000])('of %i bytes are too long, where there is an end and where not', (length) => {
    const long = 'x'.repeat(length)
    for (const text of [long, `${long}\n`]) {
      expect(reader(text, 300_000).next()).toEqual({ ended: 'too long', part: 'x'.repeat(2000) })
    }
  })

  it('are told from bytes, wherever a read ends', () => {
    const many = Array.from({ length: 30_000 }, (_, index) => `line ž ${index}`)
    const lines = reader(`${many.join('\n')}\n`)
    expect(many.map(() => lines.next())).toEqual(many.map((line) => ({ line })))
  })
})
