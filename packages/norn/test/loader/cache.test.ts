/** Modules from a cache are those that are made without one. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LoaderOptions } from '../../src/loader/loader.ts'
import type { Cache } from '../../src/loader/transform.ts'
import { type Files, folder, newLoader } from './programs.ts'

/** A cache whose values are copied as if they went through a file. */
class Copies implements Cache {
  readonly #kept = new Map<string, unknown>()
  /** Values that were made. */
  made = 0

  cached<Value>(key: readonly string[], make: () => Value, holds: (value: Value) => boolean = () => true): Value {
    const name = JSON.stringify(key)
    const kept = this.#kept.get(name) as Value | undefined
    if (kept !== undefined && holds(kept)) return structuredClone(kept)
    this.made++
    const value = make()
    if (holds(value)) this.#kept.set(name, structuredClone(value))
    return value
  }
}

const PROGRAM: Files = {
  'main.ts': `import all, { type Kind, count, Color } from './color.ts'
import * as space from './plain.mjs'
import old from './old.cjs'
import { twice as double } from './old.cjs'
enum Local { A = 3 }
export const texts: string[] = [String(classify), String(class { x = 1; m(): void {} })]
export function classify(n: number, kind?: Kind): string {
  if (n === 42 && space.x < n) return \`\${Color.Green} \${all(n)}\`
  switch (n) { case 1: return { double }.double(n) + ''; case 2: return new space.Made(n).n + ''; default: return kind?.name ?? old.name }
}
export { count, Local }
export default [classify(1), classify(2), classify(3), classify(42), count()]
export const thrown = () => { const a: number = 1; space.fail(a) }`,
  'color.ts': `export interface Kind { name: string }
export enum Color { Red, Green }
let n = 0
export const count = () => ++n
export default function (m: number) { return m && import.meta.url.length > 0 ? 'yes' : 'no' }`,
  'plain.mjs': `export const x = 41
export class Made { constructor(n) { this.n = n } }
export function fail(n) { if (n) throw new Error('failed') }`,
  'old.cjs': `exports.name = 'old'; exports.twice = (n) => n > 0 ? 2 * n : n`,
}

interface Main {
  readonly default: unknown
  readonly texts: readonly string[]
  thrown(): void
}

/** What a program shows of itself in one build. */
function shown(root: string, options: Partial<LoaderOptions>, trace: boolean): unknown {
  const loader = newLoader({ coverage: {}, ...options })
  const instance = loader.instantiate({ trace })
  const main = instance.import(join(root, 'main.ts')) as Main
  const places: unknown[] = []
  try {
    main.thrown()
  } catch (error) {
    for (const [, file, line, column] of (error as Error).stack!.matchAll(/\((\/.*?):(\d+):(\d+)\)/g))
      if (file!.startsWith(root)) places.push(loader.originalPosition(file!, Number(line), Number(column)))
  }
  const { counters, files, comparisons, numbering } = loader.coverage!
  loader.coverage!.settle()
  const compared = Array.from({ length: comparisons.length }, (_, at) => [
    comparisons.site(at),
    comparisons.kind(at),
    comparisons.left(at),
    comparisons.right(at),
  ])
  return { value: main.default, texts: main.texts, places, counters, files, compared, numbering }
}

describe.each([false, true])('with comparisons traced: %s', (trace) => {
  test('a program is the same from the cache', () => {
    const root = folder(PROGRAM)
    const without = shown(root, {}, trace)
    const cache = new Copies()
    expect(shown(root, { transformCache: cache }, trace)).toEqual(without)
    const { made } = cache
    expect(made).toBeGreaterThan(3)
    expect(shown(root, { transformCache: cache }, trace)).toEqual(without)
    expect(cache.made).toBe(made)
  })
})

function defaultOf(files: Files, cache: Cache, main = 'main.ts'): unknown {
  return (
    newLoader({ transformCache: cache })
      .instantiate()
      .import(join(folder(files), main)) as { default: unknown }
  ).default
}

describe('a text is transformed again', () => {
  test('by its extension', () => {
    const text = `const f = (x) => x, T = 1, y = 2\nexport default f<T>(y)`
    const cache = new Copies()
    expect(defaultOf({ 'main.mjs': text }, cache, 'main.mjs')).toBe(false)
    expect(defaultOf({ 'main.mts': text }, cache, 'main.mts')).toBe(2)
  })

  test('by the options of its tsconfig.json', () => {
    const text = `/** no types */ export default <p>a</p>`
    const jsx = (factory: string) => ({
      'main.tsx': `const one = () => 1, two = () => 2\n${text}`,
      'tsconfig.json': `{ "compilerOptions": { "jsx": "react", "jsxFactory": "${factory}" } }`,
    })
    const cache = new Copies()
    expect(defaultOf(jsx('one'), cache, 'main.tsx')).toBe(1)
    expect(defaultOf(jsx('two'), cache, 'main.tsx')).toBe(2)
  })

  test('if it drops the imports of types', () => {
    const files = (options: object) => ({
      'main.ts': `import { x } from './effect.ts'\nexport default (globalThis as any).effect ?? 'none'`,
      'effect.ts': `(globalThis as any).effect = 'ran'\nexport type x = 1`,
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions: options }),
    })
    const cache = new Copies()
    try {
      expect(defaultOf(files({}), cache)).toBe('none')
      expect(defaultOf(files({ verbatimModuleSyntax: true }), cache)).toBe('ran')
    } finally {
      delete (globalThis as { effect?: unknown }).effect
    }
  })
})

test('an error names its own file each time', () => {
  const cache = new Copies()
  for (let time = 0; time < 2; time++) {
    const root = folder({ 'main.ts': 'const x: number = = 3' })
    const load = () => newLoader({ transformCache: cache }).instantiate().import(join(root, 'main.ts'))
    expect(load).toThrow(expect.objectContaining({ stack: expect.stringContaining(`${root}/main.ts:1:19\n`) }))
  }
})
