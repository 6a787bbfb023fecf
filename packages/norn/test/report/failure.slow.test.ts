/** The text of a failure, whole, for one late operation; then its parts. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import { excerpt } from '../../src/report/excerpt.ts'
import { failureText } from '../../src/report/failure.ts'
import { PLAIN } from '../../src/report/style.ts'
import { notes } from '../cli/notes.ts'
import { project } from '../cli/project.ts'

describe('a failure, as a person reads it', () => {
  const here = project(notes)
  let stdout: string

  beforeAll(async () => {
    stdout = (await here.call('fuzz', 'notes.fuzz.ts', '--seed', '4', '--runs', '200', '--strategy', 'pct')).stdout
  })

  it('tells the error and its line, the input, what was late, and how to see it again', () => {
    const commands = stdout.replaceAll(/(?:npx norn|node \S+) replay/g, 'npx norn replay')
    const steady = commands
      .replaceAll(/execution \d+/g, 'execution N')
      .replaceAll(/in \d+ executions/g, 'in N executions')
    expect(steady.replaceAll(/-[0-9a-f]{8}\.json/g, '-HASH.json')).toMatchInlineSnapshot(`
      "✗ notes are kept
        Read notes.txt (notes.fuzz.ts:10) came before write notes.txt (notes.ts:4). In the other order it passes.
        found in execution N by pct, seed 4; shrunk in N executions: 1-minimal

        AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
        '' !== ' '
            at notes.fuzz.ts:10:12

             9 │   await sleep(5)
          > 10 │   assert.equal(await load(), text)
            11 │ }

        smallest input
          texts = [ ' ' ]
          to keep it, add examples: [{texts:[" "]}]

        interleaving (1 operation delayed)
            ms  A B
          0.05  ●    open notes.txt                                  notes.ts:4
          5.00  │ ◷  5 ms timer fires                                notes.fuzz.ts:9
          5.05  │ ●  open notes.txt                                  notes.ts:9
          5.10  │ ●  fstat notes.txt                                 notes.fuzz.ts:10
        ▶ 5.10  │ ○  fstat notes.txt calls back                      notes.fuzz.ts:10
          5.12  ◆ │  open notes.txt calls back   delayed by 5.05 ms  notes.ts:4
          5.15  │ ●  read notes.txt                                  notes.fuzz.ts:10
          5.17  ● │  write notes.txt                                 notes.ts:4
        + 5.20    ●  close notes.txt                                 notes.fuzz.ts:10
          5.21    ■  the body fails

        ▶ nearest passing execution: the callback of open notes.txt is delayed by 5.05 ms, not 5.051 ms
          it has here: open notes.txt calls back (notes.ts:4)

          ● takes effect  ◆ delayed  ○ calls back  + not in the passing execution  ms: virtual time
          A, B, …: one task each, steps that follow from one another

        npx norn replay .norn/failures/notes-are-kept-HASH.json            # replay; with --locals, print variables too
        npx norn replay .norn/failures/notes-are-kept-HASH.json --inspect  # replay in the debugger

      "
    `)
  })

  it('fits 120 columns', () => {
    for (const line of stdout.split('\n')) if (!line.includes(' replay ')) expect(line.length).toBeLessThanOrEqual(120)
  })
})

const RESULT: ExecutionResult = {
  verdict: 'failed',
  failure: { kind: 'error', errorName: 'Error', message: 'no', stack: 'Error: no\n    at f (a.ts:1:2)', frames: [] },
  choices: { input: [], schedule: [], fault: [], length: 0 },
  inputText: 'n = 1',
  inputChoices: 1,
  points: 0,
  chains: 1,
  durationUs: 0,
}
const FAILURE = { property: 'p', found: 'found', inputTitle: 'input', explanation: undefined, commands: [] }
const text = (result: Partial<ExecutionResult>) => failureText({ ...FAILURE, result: { ...RESULT, ...result } }, PLAIN)

describe('its parts', () => {
  it('a failure that is no error says its kind', () => {
    const stack = 'Error: the body never settled'
    const failure = { kind: 'deadlock', errorName: 'Error', message: '', stack, frames: [] } as const
    expect(text({ failure })).toContain('\n  deadlock: the body never settled\n')
  })

  it('no input, no section for it', () => {
    expect(text({ inputText: '' })).toBe('✗ p\n  found\n\n  Error: no\n      at f (a.ts:1:2)')
  })

  it('of what the program printed the last lines are shown', () => {
    const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
    const shown = text({ output })
    expect(shown).toContain('printed (the last 20 of 30 lines)\n    line 10\n')
    expect(shown).not.toContain('line 9\n')
  })

  it('a stack that the program printed has none of the frames that called it', () => {
    const norn = pathToFileURL(resolve(import.meta.dirname, '../../src/world/loop/loop.ts'))
    const shown = text({ output: `Error: no\n    at f (/a.ts:1:2)\n    at drive (${norn}:3:4)\nlast` })
    expect(shown).toContain('printed\n    Error: no\n        at f (/a.ts:1:2)\n    last')
  })

  it('an interleaving in which nothing happens is left out', () => {
    const settled = { label: '0:0', chain: '0', kind: 'rejected', resource: '', atUs: 0, delayUs: 0, outcome: '' }
    const explanation = { trace: [{ event: 'settled' as const, ...settled }], notes: [], origins: new Map() }
    expect(failureText({ ...FAILURE, result: RESULT, explanation }, PLAIN)).not.toContain('interleaving')
  })
})

describe('the source line', () => {
  const source = 'if (a) {\n    if (b) {\n      fails()\n    }\n}\n'

  it('stands between its neighbours, moved to the left', () => {
    expect(excerpt(source, 3, PLAIN)).toEqual(['  2 │ if (b) {', '> 3 │   fails()', '  4 │ }'])
  })

  it('is left out where the file has changed and has no such line', () => {
    expect(excerpt(source, 0, PLAIN)).toEqual([])
    expect(excerpt(source, 99, PLAIN)).toEqual([])
  })

  it('is cut where it is long', () => {
    expect(excerpt('x'.repeat(1000), 1, PLAIN)[0]!.length).toBeLessThan(110)
  })
})
