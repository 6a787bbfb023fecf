/**
 * Specifications that use every construct: what they are read as, and what becomes of them when
 * they are damaged.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import type { Source, Span } from '../../src/error/span.ts'
import { moduleTokens } from '../../src/syntax/lexer.ts'
import { parseModule } from '../../src/syntax/parse.ts'
import { showUnit } from './show.ts'

const folder = join(import.meta.dirname, 'specifications')
const sources: readonly Source[] = readdirSync(folder)
  .filter((name) => name.endsWith('.tla'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))

test.each(sources)('$path is read as it was', async (source) => {
  const shown = parseModule(source).units.map(showUnit).join('\n')
  await expect(`${shown}\n`).toMatchFileSnapshot(join(folder, source.path.replace('.tla', '.txt')))
})

test.each(sources)('$path: every node stands within the one that holds it', (source) => {
  let nodes = 0
  const visit = (value: unknown, around: Span): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, around)
    else if (typeof value === 'object' && value !== null && !('text' in value && 'path' in value)) {
      const at = 'at' in value ? (value.at as Span) : around
      expect(before(around.line, around.column, at.line, at.column)).toBe(true)
      expect(before(at.endLine, at.endColumn, around.endLine, around.endColumn)).toBe(true)
      nodes++
      for (const [key, part] of Object.entries(value)) if (key !== 'at' && key !== 'nameAt') visit(part, at)
    }
  }
  const module = parseModule(source)
  visit(module, module.at)
  expect(nodes).toBeGreaterThan(50)
})

function before(line: number, column: number, otherLine: number, otherColumn: number): boolean {
  return line < otherLine || (line === otherLine && column <= otherColumn)
}

describe('damaged by one token, dropped, doubled or swapped with the next', () => {
  test.each(sources)('$path parses or is refused at a place', (source) => {
    const tokens = moduleTokens(source).slice(0, -1)
    const starts = [0]
    for (const match of source.text.matchAll(/\n/g)) starts.push(match.index + 1)
    const text = (token: { at: Span }): [number, number] => [
      starts[token.at.line - 1]! + token.at.column - 1,
      starts[token.at.endLine - 1]! + token.at.endColumn,
    ]
    const draw = mulberry32(1)
    let refused = 0
    for (let i = 0; i < 300; i++) {
      const index = draw(tokens.length - 1)
      const [start, end] = text(tokens[index]!)
      const [nextStart, nextEnd] = text(tokens[index + 1]!)
      const [head, own, between, next, tail] = [
        source.text.slice(0, start),
        source.text.slice(start, end),
        source.text.slice(end, nextStart),
        source.text.slice(nextStart, nextEnd),
        source.text.slice(nextEnd),
      ]
      const damaged = [
        head + between + next + tail,
        `${head + own} ${own + between + next + tail}`,
        head + next + between + own + tail,
      ][draw(3)]!
      try {
        parseModule({ path: source.path, text: damaged })
      } catch (error) {
        if (!(error instanceof TlaError)) throw error
        expect(error.kind).toBe('syntax')
        expect(error.describe()).toMatch(/^\w+\.tla:\d+:\d+: .+\n +\d+ \| /)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(100)
  })
})

/** A small generator of numbers below a bound, the same in every run. */
function mulberry32(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
