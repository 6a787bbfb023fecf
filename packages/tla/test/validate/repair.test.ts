/**
 * What would make the rest of a trace fit: one edit in a trace that is a behaviour, and how it is
 * told.
 */
import { describe, expect, test } from 'vitest'
import { readTrace } from '../../src/follow/trace-file.ts'
import { NO_MAP } from '../../src/validate/log-map.ts'
import { validateTrace } from '../../src/validate/validate-trace.ts'
import { machineOf } from '../specification.ts'

const COUNTER = machineOf(
  `EXTENDS Integers
   VARIABLES x, noted
   Init == x = 0 /\\ noted = 0
   Up(n) == x' = x + n /\\ UNCHANGED noted
   Note(n) == x = n /\\ noted # n /\\ noted' = n /\\ UNCHANGED x
   Next == \\E n \\in {1, 2} : Up(n) \\/ Note(x)`,
  'INIT Init\nNEXT Next\n',
)

interface Entry {
  readonly action: string
  readonly parameters: readonly number[]
  readonly state?: object
}

const up = (n: number, state?: object): Entry => ({ action: 'Up', parameters: [n], ...(state && { state }) })
const note = (n: number): Entry => ({ action: 'Note', parameters: [n] })
const RUN: readonly Entry[] = [up(1), note(1), up(2, { x: 3 }), note(3), up(1), note(4)]

function told(entries: readonly Entry[]): readonly (string | number | undefined)[] {
  const { line, text, json } = validateTrace(
    COUNTER,
    readTrace('run.ndjson', entries.map((entry) => JSON.stringify(entry)).join('\n')),
    { specification: 'C.tla', path: 'run.ndjson', mapPath: 'mapper.ts', map: NO_MAP, width: 100, depthFirst: false },
  )
  expect(json.hint).toBe(text.find((each) => /^With/.test(each)))
  return [line, json.hint as string | undefined]
}

describe('where one edit makes a behaviour of a trace', () => {
  test.each<[string, readonly Entry[], number, string | undefined]>([
    ['nothing is edited', RUN, 0, undefined],
    [
      'a value that was seen',
      RUN.with(2, up(2, { x: 8 })),
      3,
      'With what the specification says at line 3, the 3 entries after it would fit.',
    ],
    [
      'an entry that came too early',
      [...RUN.slice(0, 2), note(3), up(2), ...RUN.slice(4)],
      3,
      'With the entries at lines 3 and 4 exchanged, these and all after them would fit.',
    ],
    [
      'an entry that came too late',
      [up(1), up(2, { x: 3 }), note(1), note(3), up(1)],
      3,
      'With the entries at lines 2 and 3 exchanged, these and all after them would fit.',
    ],
    [
      'an entry that is there twice',
      [...RUN.slice(0, 4), ...RUN.slice(3)],
      5,
      'Without the entry at line 5, the 2 entries after it would fit.',
    ],
    [
      'an entry that is missing',
      RUN.toSpliced(2, 1),
      3,
      'With one step more before line 3, Up(2), it would fit, and so would the 2 entries after it.',
    ],
    [
      'a parameter that nobody takes it with',
      RUN.with(2, up(5)),
      3,
      'With Up(2) in place of the entry at line 3, the 3 entries after it would fit.',
    ],
    ['the last entry: nothing comes after it', RUN.with(5, note(5)), 6, undefined],
    ['two edits', [...RUN.slice(0, 2), note(3), note(4), up(2, { x: 9 })], 3, undefined],
  ])('%s', (_, entries, line, sentence) => {
    expect(told(entries)).toEqual([line === 0 ? undefined : line, sentence])
  })

  test('how far the way of the specification leads, where it does not lead to the end', () => {
    expect(told([...RUN.slice(0, 2), up(2, { x: 8 }), note(3), up(1, { x: 9 }), note(9), up(1)])).toEqual([
      3,
      'With what the specification says at line 3, the trace would not fit at line 5.',
    ])
  })
})
