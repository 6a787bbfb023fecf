/**
 * Source that Node does not run: what the loader makes of it in each of its builds, and what it says
 * of what it cannot load. Where Node resolves an import, the loader resolves it as Node does.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BUILDS, folder, loaderOf, newLoader, run } from './programs.ts'

const TINY = {
  'node_modules/tiny/package.json': '{ "exports": "./run.js" }',
  'node_modules/tiny/run.js': `exports.h = (type, props, ...children) => ({ type, props, children })`,
  'tsconfig.json': `{ "compilerOptions": { "experimentalDecorators": true, "jsx": "react", "jsxFactory": "h" } }`,
}

const PROGRAMS = {
  'view.tsx': `import { h } from 'tiny'
enum Size { Small = 1, Large }
const fail = (size: Size): never => {
  if (size > Size.Small && size !== 7) { throw new Error('x') }
  throw size
}
export default <b k={<i/>}>{'text'}{fail(Size.Large)}</b>
`,
  'service.ts': `const log = (_: object, __: string): void => {}
class Service {
  constructor(private readonly size: number) {}
  @log check(): void { if (this.size > 1 && this.size !== 7) throw new Error('x') }
}
new Service(2).check()
`,
  'names.cts': `namespace Names { export const large: number = 2 }
  exports.value = ((size: number): number => { if (size > 1 && size !== 7) throw new Error('x'); return 1 })(Names.large)
`,
}

describe.each(BUILDS)('in the build that is %s', (build) => {
  test.each(Object.entries(PROGRAMS))('%s: a failure has the line and column of the file', async (name, text) => {
    const loader = loaderOf(build)
    const path = join(folder({ ...TINY, [name]: text }), name)
    const error = await Promise.resolve()
      .then(() => loader.instantiate({ trace: build === 'traced' }).import(path))
      .catch((error: Error) => error)
    const [, file, line, column] = /\(?((?:file:\/\/)?\/[^\s:]+):(\d+):(\d+)\)?$/m.exec((error as Error).stack!)!
    const before = text.slice(0, text.indexOf('new Error')).split('\n')
    expect(loader.originalPosition(file!, Number(line), Number(column))).toEqual({
      file: path,
      line: before.length,
      column: before.at(-1)!.length + 1,
    })
  })
})

test('branches and comparisons of transformed code are recorded', async () => {
  const path = join(folder({ ...TINY, 'names.cts': PROGRAMS['names.cts'] }), 'names.cts')
  const loader = newLoader({ coverage: { include: () => true } })
  expect(() => loader.instantiate({ trace: true }).import(path)).toThrow('x')
  const { counters, comparisons } = loader.coverage!
  expect(counters[0]!.some((count) => count > 0)).toBe(true)
  const noted = Array.from({ length: comparisons.length }, (_, index) => [
    comparisons.left(index),
    comparisons.right(index),
  ])
  expect(noted).toEqual([
    [2, 1],
    [2, 7],
  ])
})

test('a type that the metadata of a decorator names is Object there', async () => {
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    'types.ts': 'export interface Options { a: number }\nexport class Service {}\n',
    'main.ts': `import { Options, Service } from './types.ts'
const types: Record<string, unknown> = {}
Object.assign(Reflect, { metadata: (key: string, value: { name: string }[]) => () => { types[key] = value } })
const injectable = (_: unknown) => {}
@injectable class Main { constructor(readonly options: Options, readonly service: Service) {} }
export default [Main.name, ...(types['design:paramtypes'] as { name: string }[]).map(({ name }) => name)]
`,
  }
  expect(await run(join(folder(files), 'main.ts'))).toEqual(['Main', 'Object', 'Service'])
})

test('what is used as a value, too, may not be missing', () => {
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    'types.ts': 'export interface Options { a: number }\nexport const other = 1\n',
    'main.ts': `import { Options } from './types.ts'
const injectable = (_: unknown) => {}
@injectable class Main { constructor(readonly options: Options) { console.log(Options) } }
export default Main
`,
  }
  expect(openingOf(folder(files), 'main.ts')).toMatch(/^main.ts:1:10\n.*\n.*\n\nSyntaxError: /)
})

describe('Node comes first', () => {
  test.each([
    ['x.js beside x.ts', { 'x.js': `export default 'js'`, 'x.ts': `export default 'ts'` }, './x.js', 'js'],
    [
      'a package that tsconfig maps elsewhere',
      {
        'node_modules/x/index.js': `module.exports = 'package'`,
        'x.ts': `export default 'mapped'`,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "x": ["./x.ts"] } } }',
      },
      'x',
      'package',
    ],
    ['no extension, both', { 'x.js': `export default 'js'`, 'x.ts': `export default 'ts'` }, './x', 'js'],
  ])('%s', async (_, files, specifier, expected) => {
    const root = folder({
      ...files,
      'package.json': '{ "type": "module" }',
      'main.ts': `export { default } from '${specifier}'`,
    })
    expect(await run(join(root, 'main.ts'))).toBe(expected)
  })

  test('in packages, only Node', async () => {
    const root = folder({
      'main.mjs': `import 'pack'`,
      'node_modules/pack/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/pack/index.js': `import './other'`,
      'node_modules/pack/other.js': '',
    })
    expect(await run(join(root, 'main.mjs'))).toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' })
  })
})

describe('imports that only types use', () => {
  const USED = `import { type Shape, area } from './shape.ts'
import { Circle } from './circle.ts'
import type { Absent } from './absent.ts'
import { run } from 'types-alone'
export { Shape2 } from './shape.ts'
import './effects.ts'
export default (globalThis.log, (shape: Circle | Shape | Absent | typeof run) => area(shape), globalThis.log)
`
  const files = (options: object) => ({
    'tsconfig.json': JSON.stringify({ compilerOptions: options }),
    'main.ts': `globalThis.log = []\nexport default import('./used.ts').then((used) => used.default.join())`,
    'used.ts': USED,
    'circle.ts': `import './used.ts'\nglobalThis.log.push('circle')\nexport interface Circle { r: number }\nexport const run = 1`,
    'shape.ts': `globalThis.log.push('shape')\nexport const area = 1, Shape2 = 2\nexport interface Shape {}`,
    'effects.ts': `globalThis.log.push('effects')`,
  })

  test('are dropped, as by TypeScript: their modules do not run, and need not exist', async () => {
    expect(await run(join(folder(files({})), 'main.ts'))).toBe('shape,effects')
  })

  test('stay with verbatimModuleSyntax', async () => {
    const root = folder({
      ...files({ verbatimModuleSyntax: true }),
      'node_modules/types-alone/index.js': 'exports.run = 1',
    })
    expect(await run(join(root, 'main.ts'))).toBe('shape,circle,effects')
  })

  test('stay in JavaScript, where nothing is a type', async () => {
    const root = folder({ 'main.mjs': `import { x } from './missing.mjs'\nexport default 1` })
    expect(await run(join(root, 'main.mjs'))).toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' })
  })
})

describe('files that bundlers let modules import', () => {
  const assets = { 'data.json': '{ "n": 7 }', 'a.png': 'PNG', 'a.css': 'x {}', 'a.module.css': '.x {}' }
  const main = (file: string) => `import value from '${file}'\nexport default JSON.stringify([value, value.x])`

  test.each([
    ['./data.json', '[{"n":7},null]'],
    ['./a.png', expect.stringMatching(/^\["\/.*\/a\.png",null\]$/)],
    ['./a.css', '["",null]'],
    ['./a.module.css', '[{},"x"]'],
  ])('%s, from TypeScript', async (file, expected) => {
    expect(await run(join(folder({ ...assets, 'main.ts': main(file) }), 'main.ts'))).toEqual(expected)
  })

  test.each([
    ['./data.json', 'ERR_IMPORT_ATTRIBUTE_MISSING'],
    ['./a.png', 'ERR_UNKNOWN_FILE_EXTENSION'],
  ])('%s is refused in JavaScript, as by Node', async (file, code) => {
    expect(await run(join(folder({ ...assets, 'main.mjs': main(file) }), 'main.mjs'))).toMatchObject({ code })
  })
})

/** The text that opens the stack of the error with which a module fails to load. */
function openingOf(root: string, name: string): string {
  try {
    newLoader().prepare(join(root, name))
  } catch (error) {
    return (error as Error).stack!.replaceAll(`${root}/`, '').replace(/\n {4}at [\s\S]*/, '')
  }
  throw new Error('it loads')
}

describe('aliases of norn', () => {
  test('of a name that is no package', async () => {
    const root = folder({ 'main.ts': `export { default } from '@/lib/x'`, 'src/lib/x.ts': `export default 'aliased'` })
    const loader = newLoader({ aliases: new Map([['@', join(root, 'src')]]) })
    expect(await run(join(root, 'main.ts'), loader)).toBe('aliased')
  })
})

describe('exports of types are left out, as by compilers that see one file alone', () => {
  const types = `export interface Shape { size: number }\nexport type Text = string\nexport const value = 1`
  test.each([
    ['imported and exported', `import { Shape, value } from './types.ts'\nexport { Shape, value }`],
    ['exported from there', `export { Shape, Text as default, value } from './types.ts'`],
    [
      'imported as a type',
      `import type { Shape } from './types.ts'\nexport { Shape }\nexport { value } from './types.ts'`,
    ],
    ['declared there', `interface Shape {}\nconst value = 1\nexport { Shape, value }`],
    ['declared behind', `export { Shape, value }\ntype Shape = string\nconst value = 1`],
  ])('%s', async (_, source) => {
    for (const name of ['main.ts', 'main.tsx']) {
      const root = folder({ 'types.ts': types, [name]: source })
      const main = (await newLoader().instantiate({}).import(join(root, name))) as object
      expect({ ...main }).toEqual({ value: 1 })
    }
  })

  test('also where a type is the default', async () => {
    const defaultOf = async (source: string) => {
      const root = folder({ 'types.ts': types, 'main.ts': source })
      return Reflect.get((await newLoader().instantiate({}).import(join(root, 'main.ts'))) as object, 'default')
    }
    expect(await defaultOf(`interface Shape {}\nexport default Shape`)).toBe(undefined)
    expect(await defaultOf(`import type { Shape } from './types'\nexport default Shape`)).toBe(undefined)
    expect(await defaultOf(`import { value } from './types'\nexport default value`)).toBe(1)
    expect(await defaultOf(`const own = 2\nexport default own`)).toBe(2)
    expect(await defaultOf(`export default Array`)).toBe(Array)
    await expect(defaultOf(`export default own\nconst own = 2`)).rejects.toThrow("Cannot access 'own'")
  })

  test('but a value that is missing where it is used is an error, and so is one in JavaScript', () => {
    const root = folder({
      'types.ts': types,
      'between.ts': `export { Shape } from './types.ts'`,
      'main.ts': `import { Shape } from './between.ts'\nexport default Shape`,
      'main.mjs': `export { Shape }`,
    })
    expect(openingOf(root, 'main.ts')).toMatch(/^main.ts:1:10\n[\s\S]*does not provide an export named 'Shape'/)
    expect(openingOf(root, 'main.mjs')).toMatch(/^main.mjs:1:10\n[\s\S]*Export 'Shape' is not defined/)
  })
})

describe('moduleNameMapper of jest', () => {
  const files = {
    'test/main.ts': `import own from '@/lib/x'
import second from 'either'
import third from './y.js'
import fourth from 'own-package'
export default [own, second, third, fourth]`,
    'test/y.ts': `export default 3`,
    'src/lib/x.ts': `export default 1`,
    'src/second.ts': `export default 2`,
    'src/index.ts': `export default 4`,
    'node_modules/own-package/package.json': '{ "exports": "./dist/not-built.js" }',
  }
  const moduleNameMapper = {
    '^@/(.*)$': '<rootDir>/src/$1',
    '^eith': ['<rootDir>/src/first', '<rootDir>/src/second'],
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^own-package$': '<rootDir>/src/index.ts',
  }

  test.each([
    [
      'jest.config.js',
      `const config = { moduleNameMapper: ${JSON.stringify(moduleNameMapper)} }\nmodule.exports = config`,
    ],
    ['jest.config.json', JSON.stringify({ moduleNameMapper })],
    ['package.json', JSON.stringify({ name: 'project', jest: { moduleNameMapper } })],
  ])('is followed in %s, where Node finds nothing', async (name, text) => {
    const root = folder({ ...files, [name]: text })
    expect(await run(join(root, 'test/main.ts'), newLoader())).toEqual([1, 2, 3, 4])
  })
})

test('a configuration without aliases does not hide those of the folders above it', async () => {
  const root = folder({
    'vitest.config.mjs': `export default { resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } } }`,
    'src/v.ts': 'export default 1',
    'packages/a/package.json': '{ "jest": {} }',
    'packages/a/main.ts': `export { default } from '@/v'`,
  })
  expect(await run(join(root, 'packages/a/main.ts'), newLoader())).toBe(1)
})

test('what jest maps comes before what Node finds, from its rootDir', async () => {
  const root = folder({
    'package.json': JSON.stringify({
      type: 'module',
      jest: { rootDir: 'src', moduleNameMapper: { '^node:os$': '<rootDir>/os.ts', '^lib$': '<rootDir>/lib.ts' } },
    }),
    'main.ts': `import { name } from 'node:os'\nimport { join } from 'node:path'\nimport lib from 'lib'\nexport default [join(name), lib]`,
    'src/os.ts': `export const name = 'mapped'`,
    'src/lib.ts': `export { default } from 'other'`,
    'node_modules/lib/index.js': `module.exports = 'found'`,
    'node_modules/other/index.js': `module.exports = require('os').EOL + require('lib')`,
    'node_modules/other/package.json': '{}',
    'node_modules/lib/package.json': '{}',
  })
  expect(await run(join(root, 'main.ts'), newLoader())).toEqual(['mapped', '\nfound'])
})

test.each([
  ['es2020', 'inherited'],
  ['es2022', 'undefined'],
])('fields that have but a type hide nothing where the compiler leaves them out: %s', async (target, expected) => {
  const root = folder({
    'tsconfig.json': JSON.stringify({ compilerOptions: { target } }),
    'main.ts': `class A { name = 'inherited' }\nclass B extends A {\n  name!: string\n}\nexport default String(new B().name)`,
  })
  expect(await run(join(root, 'main.ts'), newLoader())).toBe(expected)
})

test('conditions of Vite count where Node finds nothing', async () => {
  const exports = { own: './index.ts', default: './dist/index.js' }
  const root = folder({
    'vite.config.ts': `export default defineConfig({ resolve: { conditions: ['own'] }, test: { dir: './src' } })`,
    'main.ts': `export { default } from 'lib'`,
    'node_modules/lib/package.json': JSON.stringify({ name: 'lib', type: 'module', exports }),
    'node_modules/lib/index.ts': 'export default 1 as number',
  })
  expect(await run(join(root, 'main.ts'), newLoader())).toBe(1)
})

describe('the default of a CommonJS module that says to be compiled', () => {
  const COMPILED = {
    'node_modules/compiled/index.js': 'module.exports = require("./made.js")',
    'node_modules/compiled/made.js': 'exports.__esModule = true; exports.default = () => "made"',
    'node_modules/plain/index.js': 'module.exports = () => "plain"',
  }
  const importing = `import compiled from 'compiled'
import plain from 'plain'
import { again } from './again'
export const seen = [compiled, plain, again].map((each) => typeof each === 'function' && each())`
  const seenBy = async (name: string, type?: string) => {
    const again = `export { default as again } from 'compiled'`
    const files = { [name]: importing, 'again.ts': again, 'package.json': JSON.stringify({ type }) }
    const loader = newLoader()
    return (await loader.instantiate({}).import(join(folder({ ...COMPILED, ...files }), name))) as { seen: unknown }
  }

  test.each(['file.ts', 'file.tsx', 'file.jsx'])(
    'is its export of that name in %s, which compilers make CommonJS',
    async (name) => {
      for (const type of [undefined, 'commonjs'])
        expect((await seenBy(name, type)).seen).toEqual(['made', 'plain', 'made'])
    },
  )

  test.each([
    [{ module: 'commonjs' }, true],
    [{ module: 'CommonJS', esModuleInterop: false }, true],
    [{ module: 'commonjs', esModuleInterop: true }, false],
    [{ module: 'esnext' }, false],
  ])('is read as by require where %j says CommonJS', async (compilerOptions, isWhole) => {
    const source = `import * as compiled from 'plain'
import * as os from 'node:os'
import { tmpdir } from 'node:os'
const real = process.getBuiltinModule('os')
const { tmpdir: kept } = real
real.tmpdir = () => 'replaced'
export const seen = [typeof compiled, os === real, tmpdir() === 'replaced']
real.tmpdir = kept`
    const files = { 'file.ts': source, 'tsconfig.json': JSON.stringify({ compilerOptions }) }
    const { seen } = (await newLoader()
      .instantiate({})
      .import(join(folder({ ...COMPILED, ...files }), 'file.ts'))) as { seen: unknown }
    expect(seen).toEqual([isWhole ? 'function' : 'object', isWhole, compilerOptions.module !== 'esnext'])
  })

  test('begins a statement where it does, also in code without semicolons', async () => {
    const source = `import compiled from 'compiled'
import { twice } from './computed.cjs'
const before = Object
compiled()
const after = Object
twice(1)
export const seen = [before, after]`
    const computed = `for (const name of ['twice']) exports[name] = (n) => 2 * n`
    const path = join(folder({ ...COMPILED, 'file.ts': source, 'computed.cjs': computed }), 'file.ts')
    for (const build of BUILDS)
      expect(
        await loaderOf(build)
          .instantiate({ trace: build === 'traced' })
          .import(path),
      ).toMatchObject({
        seen: [Object, Object],
      })
  })

  test('is all that it exports in ES modules, as in Node', async () => {
    expect((await seenBy('file.ts', 'module')).seen).toEqual([false, 'plain', false])
    expect((await seenBy('file.mts')).seen).toEqual([false, 'plain', 'made'])
  })
})

test('what compilers make CommonJS has require beside import, where it does not declare it', async () => {
  const files = {
    'package.json': '{}',
    'plain.cjs': 'exports.value = "plain"',
    'other.ts': 'export const name: string = "other"',
    'uses.ts': `import { name } from './other'
import plain = require('./plain.cjs')
const { value } = require('./plain.cjs')
exports = module.exports = require('./plain.cjs')
export default [name, plain.value, value, __filename.endsWith('uses.ts'), typeof __dirname]
`,
    'nested.ts': `import { basename } from 'node:path'
if (basename) { var __dirname = basename('/a/b') }
for (var __filename of ['c']);
export default function require() { return __dirname + __filename }
`,
    'declares.ts': `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
export default require('./plain.cjs').value
`,
  }
  const root = folder(files)
  for (const build of BUILDS) {
    const instance = loaderOf(build).instantiate({ trace: build === 'traced' })
    const { default: used } = (await instance.import(join(root, 'uses.ts'))) as { default: unknown }
    expect(used).toEqual(['other', 'plain', 'plain', true, 'string'])
    const { default: nested } = (await instance.import(join(root, 'nested.ts'))) as { default: () => unknown }
    expect(nested()).toBe('bc')
    const { default: declared } = (await instance.import(join(root, 'declares.ts'))) as { default: unknown }
    expect(declared).toBe('plain')
  }
})

describe('a name of a CommonJS module that Node does not see before it runs', () => {
  const files = {
    'computed.cjs': `'use strict'\nfor (const name of ['twice', 'self']) exports[name] = { twice: (n) => 2 * n, self() { return this } }[name]`,
    'main.ts': `import { twice, self, missing, Type } from './computed.cjs'
export default [twice(2), self(), missing, new (class { t?: Type })() instanceof Object, { twice }.twice(3)]`,
    'main.mjs': `import { twice } from './computed.cjs'\nexport default twice(2)`,
  }

  test('is what compiled TypeScript makes of it: read when it is used, and called without a this', () => {
    const main = newLoader()
      .instantiate()
      .import(join(folder(files), 'main.ts'))
    const { default: values } = main as { default: unknown[] }
    expect(values).toEqual([4, undefined, undefined, true, 6])
  })

  test('is an error in JavaScript, as in Node', () => {
    expect(openingOf(folder(files), 'main.mjs')).toContain("Named export 'twice' not found")
  })
})

/** Stands in for Babel with Flow: types of parameters and of calls become blanks. */
const BABEL = {
  'babel.config.js': '',
  'node_modules/@babel/core/index.js': `
const { existsSync } = require('node:fs')
const blank = (text) => ' '.repeat(text.length)
exports.loadPartialConfigSync = ({ cwd }) => ({ hasFilesystemConfig: () => existsSync(cwd + '/babel.config.js') })
exports.transformSync = (source) => {
  if (source.includes('#')) throw Object.assign(new SyntaxError('of Babel'), { loc: { line: 1, column: source.indexOf('#') } })
  return { code: source.replace(/: any(?=[,)])|<any>/g, blank), map: null }
}
`,
}

describe('what is not JavaScript is transformed by the Babel of its project', () => {
  const loaded = (files: Record<string, string>, build = 'plain') =>
    run(
      join(folder({ ...BABEL, 'package.json': '{}', ...files }), 'main.js'),
      loaderOf(build as 'plain'),
      build as 'plain',
    )

  test.each(BUILDS)('types, in the build that is %s', async (build) => {
    expect(await loaded({ 'main.js': 'module.exports = { a: ((x: any) => x + 1)(1) }' }, build)).toMatchObject({ a: 2 })
    expect(await loaded({ 'main.js': 'export default { a: ((x: any) => x + 1)(1) }' }, build)).toMatchObject({ a: 2 })
  })

  test('what means another thing in JavaScript, in a file of Flow', async () => {
    const text = `const any = 1, f = (x) => x\nexports.a = f<any>(2)`
    expect(await loaded({ 'main.js': text })).toMatchObject({ a: false })
    expect(await loaded({ 'main.js': `/* Of Flow.\n * @flow\n */\n${text}` })).toMatchObject({ a: 2 })
  })

  test('JavaScript stays as it is, sloppy or not', async () => {
    expect(await loaded({ 'main.js': `export default { a: '(x: any)' }` })).toMatchObject({ a: '(x: any)' })
    expect(await loaded({ 'main.js': `with ({ a: '(x: any)' }) exports.a = a` })).toMatchObject({ a: '(x: any)' })
  })

  test('packages stay as they are', async () => {
    const files = {
      'main.js': `exports.a = require('tiny')`,
      'node_modules/tiny/index.js': '// @flow\nmodule.exports = ": any)"',
    }
    expect(await loaded(files)).toMatchObject({ a: ': any)' })
  })

  test('errors of Babel have their place', () => {
    expect(openingOf(folder({ ...BABEL, 'main.js': 'x: any) #' }), 'main.js')).toMatch(
      /^main.js:1:9\nx: any\) #\n {8}\^\n\nSyntaxError: of Babel/,
    )
  })

  test('Babel without a configuration is not asked', () => {
    const { 'babel.config.js': _, ...unconfigured } = BABEL
    expect(openingOf(folder({ ...unconfigured, 'main.js': 'x: any) #' }), 'main.js')).not.toContain('of Babel')
  })
})

describe('what cannot be loaded is reported with its place, and with what to do', () => {
  const main = `enum Kind { One }\n\n  import { x } from '@/none'\nexport default [x, Kind]\n`

  test('a path alias that leads nowhere', () => {
    const root = folder({
      'main.ts': main,
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    })
    expect(openingOf(root, 'main.ts')).toMatch(
      /^main.ts:3:21\n {2}import { x } from '@\/none'\n {20}\^\n\n.*Cannot find package '@\/none'.*\n.*tsconfig.json maps it to .*src\/none, where there is no module.$/,
    )
  })

  test('an alias that nothing declares', () => {
    expect(openingOf(folder({ 'main.ts': main }), 'main.ts')).toMatch(
      /^main.ts:3:21\n[\s\S]*\nInstall the package. If it is a path alias, declare it: paths in tsconfig.json, or alias in norn.config.ts.$/,
    )
  })

  test('an alias that the configuration of Vite computes', () => {
    const config = `import { aliases } from './aliases'\nexport default { resolve: { alias: { ...aliases } } }`
    expect(openingOf(folder({ 'main.ts': main, 'vite.config.ts': config }), 'main.ts')).toMatch(
      /vite.config.ts computes aliases, and norn does not run it: declare the alias in norn.config.ts, too.$/,
    )
  })

  test('an alias of Vite that leads nowhere', () => {
    const config = `export default { resolve: { alias: { '@': '/src' } } }`
    expect(openingOf(folder({ 'main.ts': main, 'vite.config.js': config }), 'main.ts')).toMatch(
      /vite.config.js maps it to .*src\/none, where there is no module.$/,
    )
  })

  test('a name that jest maps by a function', () => {
    const config = `module.exports = { moduleNameMapper: pathsToModuleNameMapper(paths) }`
    expect(openingOf(folder({ 'main.ts': main, 'jest.config.js': config }), 'main.ts')).toMatch(
      /jest.config.js computes aliases, and norn does not run it: declare the alias in norn.config.ts, too.$/,
    )
  })

  test('a file that is not a module', () => {
    const root = folder({ 'main.ts': `import './main.txt'`, 'main.txt': '' })
    expect(openingOf(root, 'main.ts')).toMatch(
      /^main.ts:1:8\n[\s\S]*\nNorn loads code, JSON and WebAssembly. Put a module in its place: alias: \{ '.\/main.txt': … \} in norn.config.ts.$/,
    )
  })

  test('a syntax error, behind letters that take several bytes', () => {
    const text = `enum E { A }\nconst é = '😀'; let x: string = ;\n`
    expect(openingOf(folder({ 'main.tsx': text }), 'main.tsx')).toMatch(
      /^main.tsx:2:33\nconst é = .*\n {32}\^\n\nSyntaxError: /,
    )
  })

  test('an export that is missing, in a file that is transformed', () => {
    const text = `enum E { A }\n\n  import { zz } from 'node:fs'\nconsole.log(zz, E)\n`
    expect(openingOf(folder({ 'main.ts': text }), 'main.ts')).toMatch(/^main.ts:3:12\n {2}import \{ zz/)
  })

  test('a tsconfig.json that extends what is not there', () => {
    const root = folder({ 'main.tsx': 'export default 1', 'tsconfig.json': '{ "extends": "./none.json" }' })
    expect(openingOf(root, 'main.tsx')).toMatch(/^Error: cannot read the tsconfig.json above .*none.json/)
  })
})
