/**
 * What is counted: each branch and block, once for each time it is entered.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Loader } from '../../src/loader/loader.ts'
import { folder, newLoader } from './programs.ts'

type Main = { default: (...values: unknown[]) => unknown }

function load(text: string, name = 'main.mjs'): { loader: Loader; main: Main } {
  const path = join(folder({ [name]: text }), name)
  const loader = newLoader({ coverage: {} })
  const namespace = loader.instantiate().import(path) as Main
  return { loader, main: namespace }
}

/** The counts after one call, in the order of the counters. */
function counts(text: string, ...values: unknown[]): number[] {
  const { loader, main } = load(text)
  const { coverage } = loader
  coverage!.reset()
  try {
    main.default(...values)
  } catch {
    // It may leave in the middle.
  }
  coverage!.settle()
  return [...coverage!.counters[0]!]
}

describe('one call', () => {
  const either = `export default (x) => { if (x) return 1; return 2 }`
  test.each<[string, string, unknown[], number[]]>([
    ['a function', `export default function () {}`, [], [1]],
    ['if: function, then, else', either, [1], [1, 1, 0]],
    ['a missing else is counted', either, [0], [1, 0, 1]],
    ['if and else', `export default (x) => { if (x) ; else ; }`, [0], [1, 0, 1]],
    ['else if', `export default (x) => { if (x === 1) ; else if (x === 2) ; else ; }`, [3], [1, 0, 1, 0, 1]],
    ['a test that calls', `export default (x) => { if (Boolean(x)) ; }`, [0], [1, 0, 1]],
    ['? :', `export default (x) => x ? 1 : 2`, [1], [1, 1, 0]],
    ['&& and ||', `export default (x) => x && 1 || 2`, [0], [1, 1, 0]],
    ['??=', `export default (x) => { x ??= 1 }`, [null], [1, 1]],
    ['a default value', `export default (x = 1) => x`, [], [1, 1]],
    ['a loop', `export default (n) => { for (let i = 0; i < n; i++) ; }`, [5], [1, 5]],
    ['do', `export default (n) => { do n--; while (n > 0) }`, [0], [1, 1]],
    ['switch', `export default (x) => { switch (x) { case 1: return; case 2: case 3: } }`, [2], [1, 0, 1, 1]],
    ['no case', `export default (x) => { switch (x) { case 1: break; case 2: break } }`, [3], [1, 0, 0, 1]],
    ['catch', `export default () => { try { null.x } catch {} }`, [], [1, 1]],
    ['nested functions', `export default () => { const f = () => 1; f(); f(); function g() {} }`, [], [1, 2, 0]],
    ['more than 255 and 65535', `export default () => { for (let i = 0; i < 65536 * 2; i++) ; }`, [], [1, 131072]],
  ])('%s', (_, text, values, expected) => {
    expect(counts(text, ...values)).toEqual(expected)
  })
})

describe('what is derived', () => {
  test('is what would have been counted, in a chain that leaves early', () => {
    const text = `export default () => { for (const x of [1, 2, 2, 3, 3, 3]) { if (x === 1) continue; if (x === 2) continue; let y = x; if (y === 3) y++; else y-- } }`
    expect(counts(text)).toEqual([1, 6, 1, 5, 2, 3, 3, 0])
  })

  test.each([
    ['throws', `export default (f) => { f(); if (f.x) return 1 }`],
    ['throws in a test', `export default (f) => { if (f()) return 1 }`],
  ])('an arm is not taken for reached when what stands before it %s', (_, text) => {
    const thrower = () => {
      throw new Error('x')
    }
    expect(counts(text, thrower)).toEqual([1, 0, 0])
  })

  test('nor when an await never comes back', () => {
    // The last is the function that the promise calls.
    expect(counts(`export default async () => { await new Promise(() => {}); if (globalThis.x) return 1 }`)).toEqual([
      1, 0, 0, 1,
    ])
  })
})

describe('arrays', () => {
  const files = {
    'main.mjs': `import { a } from './a.mjs'; import b from './b.cjs'; import c from 'pack'; export default (x) => [a(x), b(x), c(x)]`,
    'a.mjs': `export const a = (x) => x ? 1 : 2`,
    'b.cjs': `module.exports = (x) => { if (x) return 1 }`,
    'node_modules/pack/index.js': `module.exports = (x) => x`,
    'late.mjs': `export default () => {}`,
  }
  const names = (loader: Loader) => loader.coverage!.files.map((file) => file.split('/').at(-1))

  test('there is one for each file of the user, of exactly its counters, in the order of loading', () => {
    const loader = newLoader({ coverage: {} })
    loader.instantiate().import(join(folder(files), 'main.mjs'))
    expect(names(loader)).toEqual(['main.mjs', 'a.mjs', 'b.cjs'])
    expect(loader.coverage!.counters.map(({ length }) => length)).toEqual([1, 3, 3])
  })

  test('packages are chosen by their paths', () => {
    const loader = newLoader({ coverage: { include: (path) => path.includes('pack') } })
    loader.instantiate().import(join(folder(files), 'main.mjs'))
    expect(names(loader)).toEqual(['index.js'])
  })

  test('all instances and both builds count in the same, until they are reset', () => {
    const loader = newLoader({ coverage: {} })
    const path = join(folder(files), 'main.mjs')
    const builds = [false, true, false].map((trace) => loader.instantiate({ trace }).import(path) as Main)
    const { coverage } = loader
    coverage!.reset()
    for (const each of builds) each.default(1)
    coverage!.settle()
    expect(coverage!.counters.map((each) => [...each])).toEqual([[3], [3, 3, 0], [3, 3, 0]])
    coverage!.reset()
    expect(coverage!.counters.map((each) => [...each])).toEqual([[0], [0, 0, 0], [0, 0, 0]])
  })

  test('a file that is imported with queries is counted once', async () => {
    const loader = newLoader({ coverage: {} })
    const root = folder({
      'main.mjs': `export default await Promise.all(['1', '2'].map((n) => import('./late.mjs?' + n)))`,
      'late.mjs': `export default () => {}`,
    })
    await loader.instantiate().import(join(root, 'main.mjs'))
    expect(names(loader)).toEqual(['main.mjs', 'late.mjs'])
  })

  test('a file that does not parse is not there', async () => {
    const loader = newLoader({ coverage: {} })
    const root = folder({
      'main.mjs': `export default await import('./bad.mjs').catch(() => 1)`,
      'bad.mjs': 'let x = ;',
    })
    for (let n = 0; n < 2; n++) await loader.instantiate().import(join(root, 'main.mjs'))
    expect(names(loader)).toEqual(['main.mjs'])
  })

  test('nothing is there without the option', () => {
    const path = join(folder(files), 'a.mjs')
    const loader = newLoader()
    const { a } = loader.instantiate({ trace: true }).import(path) as { a: () => void }
    expect(loader.coverage).toBe(undefined)
    expect(a.toString()).toBe('(x) => x ? 1 : 2')
  })

  test.each(['main.ts', 'main.cts'])('TypeScript is counted: %s', (name) => {
    const body = `(x: number): number => { enum Unused { A } if ((x as number) === 1) return 1; return 2 }`
    const { loader, main } = load(name === 'main.ts' ? `export default ${body}` : `module.exports = ${body}`, name)
    loader.coverage!.reset()
    main.default(2)
    loader.coverage!.settle()
    expect([...loader.coverage!.counters[0]!].slice(0, 3)).toEqual([1, 0, 1])
  })
})
