/**
 * What of a program's comparisons is noted, in executions that trace.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Loader } from '../../src/loader/loader.ts'
import { folder, newLoader } from './programs.ts'

/** `a equal 'b'!`: the exclamation mark behind a constant of the text. */
function shown(loader: Loader): string[] {
  const log = loader.coverage!.comparisons
  return Array.from({ length: log.length }, (_, index) => {
    const side = (which: 'left' | 'right') => {
      const value = log[which](index)
      const text = typeof value === 'bigint' ? `${value}n` : typeof value === 'string' ? `'${value}'` : String(value)
      return log.isConstant(index, which) ? `${text}!` : text
    }
    return `${side('left')} ${log.kind(index)} ${side('right')}`
  })
}

function traced(expression: string, ...values: unknown[]): string[] {
  const path = join(folder({ 'main.mjs': `export default (a, b) => { ${expression} }` }), 'main.mjs')
  const loader = newLoader({ coverage: {} })
  const main = loader.instantiate({ trace: true }).import(path) as { default: (...all: unknown[]) => void }
  loader.coverage!.reset()
  main.default(...values)
  return shown(loader)
}

describe('operators', () => {
  test.each<[string, unknown[], string[]]>([
    [`a === 'secret'`, ['x'], [`'x' equal 'secret'!`]],
    [`'secret' !== a`, ['x'], [`'secret'! equal 'x'`]],
    ['a === b', ['x', 'y'], [`'x' equal 'y'`]],
    ['a == b', ['1', 1], [`'1' equal 1`]],
    ['a != b', [null, undefined], ['null equal undefined']],
    ['a < 10', [3], ['3 order 10!']],
    ['a >= -10n', [3n], ['3n order -10n!']],
    ['a <= b; a > b', [1, 2], ['1 order 2', '1 order 2']],
    ['a === `t`', ['u'], [`'u' equal 't'!`]],
    ['(a = 5, a) === 6', [], ['5 equal 6!']],
    ['a + 1 === b', [1, 5], ['2 equal 5']],
  ])('%s', (expression, values, expected) => {
    expect(traced(expression, ...values)).toEqual(expected)
  })

  test.each([`typeof a === 'string'`, 'a === undefined', 'a === null', 'a == true', 'void 0 === a', '1 === 2'])(
    'nothing is nearer or further: %s',
    (expression) => {
      expect(traced(expression, 'x')).toEqual([])
    },
  )

  test('objects, functions and symbols are not noted', () => {
    expect(traced('a === b; a === 1; b == a; a < b', {}, () => {})).toEqual([])
    expect(traced('a === b', Symbol('s'), 's')).toEqual([])
  })
})

describe('switch', () => {
  test('over constants: each is compared with', () => {
    expect(traced(`switch (a) { case 'x': break; default: case -1: case 2n: }`, 'y')).toEqual([
      `'y' equal 'x'!`,
      `'y' equal -1!`,
      `'y' equal 2n!`,
    ])
  })

  test('over expressions: until one is equal', () => {
    expect(traced(`switch (a) { case b: case 7: break; case b + 1: }`, 7, 6)).toEqual(['7 equal 6', '7 equal 7!'])
  })
})

describe('calls', () => {
  test.each<[string, unknown[], string[]]>([
    ['a.includes(b)', ['text', 'x'], [`'text' contains 'x'`]],
    [`a.includes('x')`, ['text'], [`'text' contains 'x'!`]],
    ['a.indexOf(b); a.lastIndexOf(b)', ['text', 'x'], [`'text' contains 'x'`, `'text' contains 'x'`]],
    ['a.startsWith(b)', ['text', 'x'], [`'text' prefix 'x'`]],
    ['a.endsWith(b)', ['text', 'x'], [`'text' suffix 'x'`]],
    ['a.localeCompare(b)', ['a', 'b'], [`'a' order 'b'`]],
    ['a.includes(b)', [[1, 'x', {}], 2], ['2 equal 1', `2 equal 'x'`]],
    [`['GET', 'PUT'].includes(a)`, ['P'], [`'P' equal 'GET'!`, `'P' equal 'PUT'!`]],
    ['a.has(b)', [new Set(['x', 'y']), 'z'], [`'z' equal 'x'`, `'z' equal 'y'`]],
    ['a.get(b)', [new Map([['x', 1]]), 'z'], [`'z' equal 'x'`]],
    ['a.get(b)', [new Map([['x', 1]]), 'x'], [`'x' equal 'x'`]],
    ['a?.has(b)', [new Set([1]), 2], ['2 equal 1']],
    ['Object.is(a, b)', [1, 2], ['1 equal 2']],
    ['const assert = { equal() {} }; assert.equal(a, b)', [1, 2], ['1 equal 2']],
    ['const strictEqual = () => {}; strictEqual(a, 5)', [1], ['1 equal 5!']],
    ['const expect = () => ({ not: { toBe() {} } }); expect(a).not.toBe(b)', [1, 2], ['1 equal 2']],
    ['a.has(b)', [{ has: () => true }, 'x'], []],
    ['a.includes(b)', [[1], {}], []],
  ])('%s', (expression, values, expected) => {
    expect(traced(expression, ...values)).toEqual(expected)
  })

  test('of a collection or an array, 16 are compared with', () => {
    const many = Array.from({ length: 100 }, (_, n) => n)
    for (const values of [many, new Set(many), new Map(many.map((n) => [n, n]))]) {
      const rows = traced(Array.isArray(values) ? 'a.includes(b)' : 'a.has(b)', values, -1)
      expect(rows).toEqual(many.slice(0, 16).map((n) => `-1 equal ${n}`))
    }
  })

  test('what a program put in the place of the methods is not called', () => {
    const map = Object.assign(new Map([['x', 1]]), {
      keys() {
        throw new Error('called')
      },
    })
    expect(traced('a.has(b)', map, 'z')).toEqual([`'z' equal 'x'`])
  })
})

describe('sites', () => {
  const text = `export default (a) => { if (a === 'x') return 1; switch (a) { case 1: case 2: }; return a < 5 }`
  const root = () => folder({ 'main.mjs': `import f from './f.mjs'; export default f`, 'f.mjs': text })
  const sites = (loader: Loader, path: string) => {
    const main = loader.instantiate({ trace: true }).import(path) as { default: (a: unknown) => void }
    loader.coverage!.reset()
    main.default(3)
    const log = loader.coverage!.comparisons
    return Array.from({ length: log.length }, (_, index) => log.site(index))
  }

  test('have the same numbers in every execution, and in another process that loads the same', () => {
    const path = join(root(), 'main.mjs')
    const loader = newLoader({ coverage: {} })
    const first = sites(loader, path)
    expect(new Set(first).size).toBe(4)
    expect(sites(loader, path)).toEqual(first)
    expect(sites(newLoader({ coverage: {} }), path)).toEqual(first)
  })

  test('an execution that does not trace notes nothing', () => {
    const path = join(root(), 'main.mjs')
    const loader = newLoader({ coverage: {} })
    sites(loader, path)
    loader.coverage!.reset()
    ;(loader.instantiate().import(path) as { default: (a: unknown) => void }).default('x')
    expect(loader.coverage!.comparisons.length).toBe(0)
  })

  test('files that are not instrumented are not traced', () => {
    const loader = newLoader({ coverage: { include: () => false } })
    expect(sites(loader, join(root(), 'main.mjs'))).toEqual([])
  })
})
