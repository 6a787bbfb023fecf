/**
 * An option is one row of the table and the code that uses its value. A table with one row more shows
 * that everything else follows from it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { commandTable, configurationTable, PAGE, withTables } from '../../../../scripts/write-options.ts'
import { configurationSchema } from '../../scripts/write-schema.ts'
import { addFlags, repeatedFlags } from '../../src/cli/flags.ts'
import { integer } from '../../src/options/kinds.ts'
import type { OptionTable } from '../../src/options/option.ts'
import { OPTIONS } from '../../src/options/table.ts'
import { checkConfiguration, chosenOf, environmentOptions } from '../../src/options/values.ts'

/** The row; what uses it is the function below. */
const TABLE = {
  ...OPTIONS,
  patienceMb: {
    kind: integer(2, 9, 'MB'),
    scope: 'process',
    takenBy: 'every command',
    flag: '--patience <MB>',
    variable: 'NORN_PATIENCE',
    help: 'patience with one execution',
    configured: 'patience with [each](network.md) execution',
    fallback: '5',
  },
} as const satisfies OptionTable

/** The processes that run executions get all options of their scope in one record. */
function consumer(...levels: readonly object[]): number {
  const { patienceMb = 5 } = chosenOf('process', levels, TABLE) as { readonly patienceMb?: number }
  return patienceMb
}

const refuse = (why: string): never => {
  throw new Error(why)
}

/** A command with the flags of the table, which returns what a call of it names. */
function called(...args: string[]) {
  const command = addFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }), TABLE)
  return command.parse(args, { from: 'user' }).opts()
}

describe('an option that one row declares', () => {
  test('is a flag, under its name', () => {
    expect(called('--patience', '7')).toMatchObject({ patienceMb: 7 })
    expect(consumer(called('--patience', '7'))).toBe(7)
    expect(() => called('--patience', '1')).toThrow('expected a number of MB from 2 to 9.')
  })

  test('is a variable', () => {
    expect(environmentOptions({ NORN_PATIENCE: '6' }, refuse, TABLE)).toEqual({ patienceMb: 6 })
    expect(() => environmentOptions({ NORN_PATIENCE: 'x' }, refuse, TABLE)).toThrow(
      'NORN_PATIENCE=x: expected a number of MB from 2 to 9',
    )
  })

  test('is a key of the configuration', () => {
    expect(checkConfiguration({ patienceMb: 4 }, refuse, TABLE)).toEqual({ patienceMb: 4 })
    expect(() => checkConfiguration({ patienceMb: 1 }, refuse, TABLE)).toThrow(
      'option patienceMb must be an integer of MB from 2 to 9: 1',
    )
    expect(() => checkConfiguration({ patience: 4 }, refuse, TABLE)).toThrow("did you mean 'patienceMb'?")
  })

  test('comes from the nearest level that names it', () => {
    expect(consumer({ patienceMb: 7 }, { patienceMb: 6 }, { patienceMb: 4 })).toBe(7)
    expect(consumer({}, {}, { patienceMb: 4 })).toBe(4)
    expect(consumer({})).toBe(5)
  })

  test('is in the help, in the reference page and in the schema', () => {
    const help = addFlags(new Command(), TABLE).helpInformation()
    expect(help).toMatch(/--patience <MB> +patience with one execution; 5 by default/)
    expect(commandTable(TABLE)).toContain('\n| `--patience MB` | patience with one execution | 5 |')
    expect(configurationTable(TABLE)).toContain(
      '\n| `patienceMb` | patience with [each](network.md) execution | `--patience` | `NORN_PATIENCE` | | 5 |',
    )
    expect(configurationSchema(TABLE)).toMatchObject({
      properties: {
        patienceMb: { type: 'integer', minimum: 2, maximum: 9, description: 'patience with each execution' },
      },
    })
  })
})

test('flags that add up, and those that a printed command repeats', () => {
  const flags = called('--alias', 'a=b', '--alias', 'c=d', '--allow-addon', 'x', '--conformance', '--hang', '1s')
  expect(flags).toMatchObject({ alias: { a: 'b', c: 'd' }, allowedAddons: ['x'], conformance: true, hangMs: 1000 })
  const search = ['--alias', 'a=b', '--alias', 'c=d', '--allow-addon', 'x', '--conformance']
  expect(repeatedFlags(flags, 'search')).toEqual(search)
  expect(repeatedFlags(flags, 'replay')).toEqual(['--allow-addon', 'x'])
})

test('docs/reference.md has the tables of the rows (node -C norn-source scripts/write-options.ts writes them)', () => {
  const text = readFileSync(PAGE, 'utf8')
  expect(text).toBe(withTables(text))
})

test('the schema accepts what a configuration may hold, and refuses what it may not', () => {
  const accepts = new Ajv().compile(configurationSchema(OPTIONS))
  const limits = { runs: 1, timeMs: 1, seed: 0, hangMs: 1, memoryMb: 64, workers: 256 }
  const all = { ...limits, strategy: 'pct:3', corpus: false, cover: ['a'], alias: { a: './a.ts' } }
  expect([accepts(all), accepts.errors]).toEqual([true, null])
  for (const wrong of [
    { time: 5 },
    { timeMs: '30s' },
    { runs: 0 },
    { seed: 0.5 },
    { memoryMb: 1 },
    { alias: { a: 1 } },
  ]) {
    expect(accepts(wrong), JSON.stringify(wrong)).toBe(false)
    expect(() => checkConfiguration(wrong, refuse)).toThrow()
  }
})

/** What only hands options on. */
const PLUMBING = [
  ...['cli/commands.ts', 'cli/flags.ts', 'cli/open-failure.ts', 'cli/shrink.ts', 'cli/report.ts', 'cli/frames.ts'],
  ...['process/protocol.ts', 'session/configuration.ts', 'session/define-config.ts', 'session/file-process.ts'],
  ...['session/finding.ts', 'session/follow.ts', 'session/targets.ts', 'storage/failure-file.ts'],
]

test('what hands options on names none of them', () => {
  const src = join(import.meta.dirname, '../../src')
  const names = Object.entries(OPTIONS as OptionTable).flatMap(([name, { scope }]) =>
    scope === 'process' || scope === 'execution' ? [name] : [],
  )
  expect(names).toContain('memoryMb')
  const named = PLUMBING.flatMap((path) => {
    const text = readFileSync(join(src, path), 'utf8').replaceAll(/^.* from '.*'$/gm, '')
    const words = new Set(text.match(/\w+/g))
    return names.filter((name) => words.has(name)).map((name) => `${path}: ${name}`)
  })
  expect(named).toEqual([])
})
