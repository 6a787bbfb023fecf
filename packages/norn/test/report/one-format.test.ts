/**
 * A format of results is one file and one entry of the table. A table with one entry more shows that
 * everything else follows from it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import { commandTable } from '../../../../scripts/write-options.ts'
import { addFlags } from '../../src/cli/flags.ts'
import { Results, resultFiles } from '../../src/cli/results.ts'
import { text } from '../../src/options/kinds.ts'
import { flag } from '../../src/options/option.ts'
import { FORMATS } from '../../src/report/formats.ts'
import type { ResultFormat } from '../../src/report/outcome.ts'

/** What the file of the format has. */
const TALLY: ResultFormat = {
  ...flag(text, '--tally <file>', 'write the number of results to this file'),
  textOf: ({ outcomes, isComplete }) => `${outcomes.length} results, ${isComplete ? 'all' : 'so far'}\n`,
}

/** The entry. */
const TABLE = { ...FORMATS, tally: TALLY }

const folder = mkdtempSync(join(tmpdir(), 'norn-format-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'tally.txt')

describe('a format that one entry declares', () => {
  test('has a flag, which names its file', () => {
    const flags = addFlags(new Command(), TABLE).parse(['--tally', path], { from: 'user' }).opts()
    expect(resultFiles(flags, TABLE)).toEqual([{ format: TALLY, flag: '--tally', path }])
  })

  test('is written at once, after each property, and at the end', () => {
    const results = new Results(folder, { tally: path }, TABLE)
    expect(readFileSync(path, 'utf8')).toBe('0 results, so far\n')
    results.unloaded('a.fuzz.ts', 'no such module')
    expect(results.end(false)).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe('1 results, all\n')
  })

  test('shares its file with no other', () => {
    const flags = { sarif: path, tally: join(folder, '.', 'tally.txt') }
    expect(() => new Results(folder, flags, TABLE)).toThrow(`--sarif and --tally name the same file: ${path}`)
    expect(() => new Results(folder, { tally: folder }, TABLE)).toThrow(`--tally: cannot write ${folder}: `)
  })

  test('is in the help and on the reference page', () => {
    expect(addFlags(new Command(), TABLE).helpInformation()).toContain('--tally <file>  write the number of results')
    expect(commandTable(TABLE)).toContain('| `--tally FILE` | write the number of results to this file | |')
  })
})
