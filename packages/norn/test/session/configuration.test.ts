import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkConfiguration, loadConfiguration } from '../../src/session/configuration.ts'
import { chooseSearch } from '../../src/session/project.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder with files. */
function folder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(join(tmpdir(), 'norn-configuration-'))
  folders.push(made)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true })
    writeFileSync(join(made, name), text)
  }
  return made
}

const load = (files: Readonly<Record<string, string>>, from = '.') => loadConfiguration(join(folder(files), from))

const PACKAGE = { 'package.json': '{}' }
const RUNS_3 = 'export default { runs: 3 }\n'

describe('a configuration is found', () => {
  test.each([
    [
      'norn.config.ts',
      "import { defineConfig } from 'norn'\nconst runs: number = 3\nexport default defineConfig({ runs })",
    ],
    ['norn.config.mjs', "import { defineConfig } from 'norn'\nexport default defineConfig({ runs: 3 })"],
    ['norn.config.js', 'module.exports = { runs: 3 }'],
    ['norn.config.js', RUNS_3],
  ])('in %s: %j', (name, text) => {
    expect(load({ ...PACKAGE, [name]: text })).toMatchObject({ file: name, options: { runs: 3 } })
  })

  test('in TypeScript, as an ES module, in a package of type commonjs', () => {
    const files = {
      'package.json': '{ "type": "commonjs" }',
      'norn.config.ts': "import 'norn'\nexport default { runs: 3 }",
    }
    expect(load(files)).toMatchObject({ file: 'norn.config.ts', options: { runs: 3 } })
  })

  test('under the key norn of package.json', () => {
    expect(load({ 'package.json': '{ "norn": { "seed": 4 } }' })).toMatchObject({ options: { seed: 4 } })
  })

  test('in a folder above, up to the nearest package.json', () => {
    const files = { ...PACKAGE, 'norn.config.mjs': RUNS_3, 'a/b/c.txt': '', 'inner/package.json': '{}' }
    expect(load(files, 'a/b')).toMatchObject({ file: '../../norn.config.mjs', options: { runs: 3 } })
    expect(load(files, 'inner').options).toEqual({})
  })

  test('without any package.json, in the working directory alone', () => {
    const files = { 'norn.config.mjs': RUNS_3, 'a/b.txt': '' }
    expect(load(files).options).toEqual({ runs: 3 })
    expect(load(files, 'a').options).toEqual({})
  })
})

test('the network of a project', () => {
  expect(checkConfiguration({ network: { latency: 'datacenter' } }, 'c.ts')).toEqual({
    network: { latency: 'datacenter' },
  })
  expect(() => checkConfiguration({ network: { latency: 'slow' } }, 'c.ts')).toThrow(
    "c.ts: option network.latency must be 'local', ",
  )
})

describe('is refused:', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['two files', { 'norn.config.ts': RUNS_3, 'norn.config.js': RUNS_3 }, 'norn.config.ts and norn.config.js both'],
    [
      'a file beside a key',
      { 'norn.config.mjs': RUNS_3, 'package.json': '{ "norn": {} }' },
      'norn.config.mjs and package.json (key "norn") both configure norn. Keep one',
    ],
    ['a file that throws', { 'norn.config.mjs': 'throw new Error("no")' }, 'cannot load norn.config.mjs: Error: no'],
    [
      'a top-level await',
      { 'norn.config.mjs': 'await 1\nexport default {}' },
      'cannot load norn.config.mjs: it has a top-level await. Remove it',
    ],
    [
      'a wrong key',
      { 'package.json': '{ "norn": { "timeout": 5 } }' },
      "package.json: norn: unknown option 'timeout'; known: timeMs,",
    ],
  ])('%s', (_, files, message) => {
    expect(() => load({ ...PACKAGE, ...files })).toThrow(message)
  })

  test.each<[unknown, string]>([
    [[], 'c.ts: expected an object of options, found an array'],
    [{ time: 5 }, "c.ts: unknown option 'time'; did you mean 'timeMs'?"],
    [{ hang: 5 }, "c.ts: unknown option 'hang'; did you mean 'hangMs'?"],
    [{ strategie: 'pct' }, "c.ts: unknown option 'strategie'; did you mean 'strategy'?"],
    [
      { timeMs: '30s' },
      "c.ts: option timeMs must be a number of milliseconds from 1 to 1800000000: '30s'. Write 30000",
    ],
    [{ hangMs: '2s' }, "c.ts: option hangMs must be a number of milliseconds from 1 to 1800000000: '2s'. Write 2000"],
    [{ runs: 0 }, 'c.ts: option runs must be an integer from 1: 0'],
    [{ seed: 0.5 }, 'c.ts: option seed must be an integer from 0 to 4294967295: 0.5'],
    [{ memoryMb: 1 }, 'c.ts: option memoryMb must be an integer of MB from 64 to 1000000: 1'],
    [{ workers: 0 }, 'c.ts: option workers must be an integer from 1 to 256: 0'],
    [{ strategy: 'fast' }, "c.ts: option strategy must be portfolio, natural, random, pct or pct:DEPTH: 'fast'"],
    [{ guide: 'edge' }, "c.ts: option guide must be some of edges,order,compare,trace,model, or all, or none: 'edge'"],
    [{ corpus: 'yes' }, "c.ts: option corpus must be true or false: 'yes'"],
    [{ cover: 'pkg' }, "c.ts: option cover must be an array of package names: 'pkg'"],
    [{ alias: { a: 1 } }, 'c.ts: option alias must be an object of module specifiers by module specifier'],
  ])('%j', (value, message) => {
    expect(() => checkConfiguration(value, 'c.ts')).toThrow(message)
  })
})

test('all options together are allowed', () => {
  const limits = { runs: 1, timeMs: 1, seed: 0, hangMs: 1, memoryMb: 64, workers: 256 }
  const others = { strategy: 'pct:3', guide: 'edges,order', corpus: false, cover: ['a'], alias: { a: './a.ts' } }
  expect(checkConfiguration({ ...limits, ...others }, 'c.ts')).toEqual({ ...limits, ...others })
})

describe('strategy and guide', () => {
  test('come from a flag, then from the configuration', () => {
    expect(chooseSearch(undefined, {}, { strategy: 'random' })).toMatchObject({ strategy: 'random' })
    expect(chooseSearch(undefined, { strategy: 'natural' }, { strategy: 'random' }).strategy).toBe('natural')
    expect(chooseSearch(undefined, {}, {}).strategy).toBe('portfolio')
  })

  test('a strategy runs alone unless a guide is named beside it', () => {
    const guided = (...args: Parameters<typeof chooseSearch>) => chooseSearch(...args).guide.edges
    expect(guided(undefined, {}, {})).toBe(true)
    expect(guided(undefined, {}, { strategy: 'random' })).toBe(false)
    expect(guided(undefined, {}, { strategy: 'random', guide: 'edges' })).toBe(true)
    expect(guided(undefined, { strategy: 'random' }, { guide: 'edges' })).toBe(false)
  })

  test('PCT of the configuration is not for clusters; that of a flag is refused', () => {
    expect(chooseSearch('cluster', {}, { strategy: 'pct:3' }).strategy).toBe(chooseSearch('cluster', {}, {}).strategy)
    expect(() => chooseSearch('cluster', { strategy: 'pct' }, {})).toThrow(RangeError)
  })
})
