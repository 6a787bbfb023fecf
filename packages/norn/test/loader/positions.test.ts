/**
 * Stack traces, and errors of syntax, name the place in the file the user wrote.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Loader } from '../../src/loader/loader.ts'
import { folder, newLoader } from './programs.ts'

/** The place of the first frame of an error, as it is in the stack and as the loader maps it. */
function places(loader: Loader, error: unknown): { ran: [number, number]; written: [number, number]; file: string } {
  const frame = /\(?((?:file:\/\/)?\/[^\s:]+):(\d+):(\d+)\)?$/m.exec(String((error as Error).stack))!
  const [file, line, column] = [frame[1]!, Number(frame[2]), Number(frame[3])]
  const mapped = loader.originalPosition(file, line, column)
  return { ran: [line, column], written: [mapped.line, mapped.column], file: mapped.file }
}

async function failureOf(loader: Loader, path: string, trace = false): Promise<unknown> {
  try {
    await loader.instantiate({ trace }).import(path)
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

describe('stack traces', () => {
  const body = (types: string) =>
    `// A comment.\nconst message${types} = 'x'\n\nfunction fail() {\n  throw new Error(message)\n}\nfail()\n`

  test.each([
    ['main.mjs', body('')],
    ['main.cjs', body('')],
    ['main.ts', body(': string')],
    ['main.cts', body(': string')],
  ])('%s: line and column are those of the file', async (name, text) => {
    const path = join(folder({ [name]: text }), name)
    const loader = newLoader()
    expect(places(loader, await failureOf(loader, path))).toEqual({ ran: [5, 9], written: [5, 9], file: path })
  })

  test('the first line keeps its columns', async () => {
    const path = join(folder({ 'main.mjs': `export default 1; throw new Error('x')` }), 'main.mjs')
    const loader = newLoader()
    const { written } = places(loader, await failureOf(loader, path))
    expect(written).toEqual([1, 25])
  })

  test('a column behind uses of imported names is mapped back', async () => {
    const path = join(
      folder({
        'main.mjs': `import { a, b } from './m.mjs'\nexport const c = [a, b, a(b(1)), new Error('x')]\nif (a === b) 0; else throw a(b(c[3]))`,
        'm.mjs': `export const a = (x) => x; export const b = (x) => x`,
      }),
      'main.mjs',
    )
    const loader = newLoader()
    const { ran, written } = places(loader, await failureOf(loader, path))
    expect(ran[0]).toBe(2)
    expect(written).toEqual([2, 34])
  })

  test('with top-level await', async () => {
    const path = join(folder({ 'main.mjs': `const x = await 1\nawait null\n  throw new Error('x')` }), 'main.mjs')
    const loader = newLoader()
    expect(places(loader, await failureOf(loader, path)).ran).toEqual([3, 9])
  })

  test('TypeScript that must be rewritten (enums, parameter properties) is mapped by its source map', async () => {
    const path = join(
      folder({
        'main.mts': `enum Colour {\n  Red,\n  Green,\n}\n\nclass Point {\n  constructor(public x: number) {}\n}\nconst p = new Point(Colour.Green)\n\n    throw new Error('x' + p.x)\n`,
      }),
      'main.mts',
    )
    const loader = newLoader()
    const error = await failureOf(loader, path)
    expect((error as Error).message).toBe('x1')
    const { ran, written } = places(loader, error)
    expect(ran).not.toEqual(written)
    expect(written).toEqual([11, 11])
  })

  test.each(['mjs', 'cjs', 'mts', 'cts'])(
    'in code that counts and compares, of each build by its own map: %s',
    async (kind) => {
      const types = kind.endsWith('ts') ? ': unknown' : ''
      const text = `const f = (x${types}) => x === 1 ? 2 : x && [1].includes(x) || g(x)\nfunction g(x${types}) { if (x === 'a' && x > '') { throw new Error('x') } }\n  f('a')`
      const path = join(folder({ [`main.${kind}`]: text }), `main.${kind}`)
      const loader = newLoader({ coverage: {} })
      const column = text.split('\n')[1]!.indexOf('new') + 1
      const ran = []
      for (const trace of [false, true, false]) {
        const found = places(loader, await failureOf(loader, path, trace))
        expect(found.written).toEqual([2, column])
        ran.push(found.ran)
      }
      expect(ran[0]).toEqual(ran[2])
      expect(ran[0]).not.toEqual(ran[1])
    },
  )

  test('a file that was never loaded is left as it is', () => {
    expect(newLoader().originalPosition('/nowhere.js', 3, 4)).toEqual({ file: '/nowhere.js', line: 3, column: 4 })
  })
})

describe('errors of syntax', () => {
  test.each([
    ['main.mjs', `const a = 1\nlet b = ;\n`, 2, 9],
    ['main.cjs', `const a = 1\nlet b = ;\n`, 2, 9],
    ['main.mts', `const a: number = 1\nlet b: string = ;\n`, 2, 17],
    ['main.cjs', `import('x')\nlet b = ;\n`, 2, 9],
  ])('%s: the stack opens with the place, the line and a caret', async (name, text, line, column) => {
    const path = join(folder({ [name]: text }), name)
    const error = (await failureOf(newLoader(), path)) as Error
    expect(error).toBeInstanceOf(SyntaxError)
    const [where, shown, caret] = error.stack!.split('\n')
    expect(where).toBe(`${path}:${line}:${column}`)
    expect(shown).toBe(text.split('\n')[line - 1])
    expect(caret).toBe(`${' '.repeat(column - 1)}^`)
  })

  test('a missing export points at the import', async () => {
    const path = join(
      folder({ 'main.mjs': `\nimport { x,\n  y } from './m.mjs'`, 'm.mjs': 'export const x = 1' }),
      'main.mjs',
    )
    const error = (await failureOf(newLoader(), path)) as Error
    expect(error.stack!.split('\n').slice(0, 3)).toEqual([`${path}:3:3`, `  y } from './m.mjs'`, '  ^'])
  })

  test('a package that is not there names the importing file', async () => {
    const path = join(folder({ 'main.mjs': `import 'not-there'` }), 'main.mjs')
    const error = (await failureOf(newLoader(), path)) as Error & { code: string }
    expect(error.code).toBe('ERR_MODULE_NOT_FOUND')
    expect(error.message).toBe(`Cannot find package 'not-there' imported from ${path}`)
  })
})
