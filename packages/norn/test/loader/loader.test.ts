/**
 * What the loader adds to Node: fresh state, shared modules, aliases, refusals, and all disk work
 * `outside`.
 */
import { channel } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostRequire } from '../../src/loader/internals.ts'
import { folder, linkPackages, newLoader } from './programs.ts'

type Counter = { next: () => number; default: () => number[] }

/**
 * Stands for the controlled world: inside it, every function of the bindings that reach files
 * throws.
 */
function brokenFileSystem() {
  type Binding = Record<string, unknown>
  const { internalBinding } = createRequire(import.meta.url)('internal/test/binding') as {
    internalBinding(name: string): Binding
  }
  const bindings = [internalBinding('fs'), internalBinding('modules')]
  const real = bindings.map((each) => ({ ...each }))
  const remove = () => {
    for (const [index, each] of bindings.entries()) Object.assign(each, real[index])
  }
  const install = () => {
    for (const each of bindings) {
      for (const [name, value] of Object.entries(each)) {
        if (typeof value !== 'function' || /^[A-Z]/.test(name)) continue
        each[name] = () => {
          throw new Error(`${name} was called inside the world`)
        }
      }
    }
  }
  const outside = <T>(action: () => T): T => {
    remove()
    try {
      return action()
    } finally {
      install()
    }
  }
  return { install, remove, outside }
}

describe('every instance is fresh', () => {
  const counter = 'let n = 0; const next = () => ++n'
  const files = {
    'main.ts': `import { next as a } from './a.mjs'; import { next as b } from './b.cjs'; import { next as c } from 'pack'
      import { next as d } from './d.ts'; import e from './e.json' with { type: 'json' }; import { next as f } from 'sub'
      export default () => [a(), b(), c(), d(), e.n++, f()] satisfies number[]`,
    'a.mjs': `${counter}; export { next }`,
    'b.cjs': `${counter}; exports.next = next`,
    'd.ts': `let n: number = 0; export function next(): number { return ++n }`,
    'e.json': '{"n": 1}',
    'package.json': '{"type": "module"}',
    'node_modules/pack/package.json': '{"name": "pack", "main": "index.js"}',
    'node_modules/pack/index.js': `exports.next = require('sub').next`,
    'node_modules/sub/package.json': '{"name": "sub"}',
    'node_modules/sub/index.js': `${counter}; exports.next = next`,
  }

  test('ES modules, CommonJS, packages, TypeScript and JSON', () => {
    const main = join(folder(files), 'main.ts')
    const loader = newLoader()
    const [first, second] = [loader.instantiate(), loader.instantiate()].map((each) => each.import(main) as Counter)
    expect(first!.default()).toEqual([1, 1, 1, 1, 1, 2])
    expect(first!.default()).toEqual([2, 2, 3, 2, 2, 4])
    expect(second!.default()).toEqual([1, 1, 1, 1, 1, 2])
  })

  test('within one instance a module is evaluated once', () => {
    const main = join(folder(files), 'main.ts')
    const instance = newLoader().instantiate()
    expect(instance.import(main)).toBe(instance.import(main))
  })

  test('also after a failure, which stays the same within one instance', () => {
    const main = join(
      folder({ 'main.mjs': 'throw { at: globalThis.failures = (globalThis.failures ?? 0) + 1 }' }),
      'main.mjs',
    )
    const loader = newLoader()
    const failure = (instance: { import(path: string): unknown }) => {
      try {
        instance.import(main)
      } catch (error) {
        return error
      }
    }
    const [a, b] = [loader.instantiate(), loader.instantiate()]
    expect(failure(a)).toEqual({ at: 1 })
    expect(failure(a)).toBe(failure(a))
    expect(failure(b)).toEqual({ at: 2 })
  })

  test('what is assigned to Module, require.cache and require.extensions is gone', () => {
    const main = join(
      folder({
        'main.cjs': `const Module = require('module'); const seen = [Module.mine, Module.prototype.mine, Object.keys(require.cache).length, '.mine' in require.extensions]
          require.extensions['.mine'] = () => {}; Module.mine = Module.prototype.mine = 1; Module._load = () => 'patched'; require.cache.mine = {}; module.exports = seen`,
      }),
      'main.cjs',
    )
    const loader = newLoader()
    for (let n = 0; n < 2; n++) {
      expect(loader.instantiate().import(main)).toMatchObject({ default: [undefined, undefined, 1, false] })
    }
  })

  test('errors of resolution are new objects each time', () => {
    const main = join(
      folder({
        'main.cjs': `try { require('./none') } catch (e) { e.seen = (e.seen ?? 0) + 1; module.exports = [e.seen, e.message.split('\\n').length, e.stack.split('\\n')[0]] }`,
      }),
      'main.cjs',
    )
    const loader = newLoader()
    const seen = () => loader.instantiate().import(main) as { default: unknown }
    expect(seen().default).toEqual([1, 3, "Error: Cannot find module './none'"])
    expect(seen().default).toEqual([1, 3, "Error: Cannot find module './none'"])
  })
})

describe('options', () => {
  test('shared modules are the very objects, by import and require, from packages too', () => {
    const main = join(
      folder({
        'main.mjs': `import d, { x } from 'shared'; import * as ns from 'shared'; import fromPackage from 'pack'; import { createRequire } from 'module'
          export default { d, x, ns, fromPackage, required: createRequire(import.meta.url)('shared') }; export const dynamic = import('shared')`,
        'node_modules/pack/index.js': `module.exports = require('shared')`,
      }),
      'main.mjs',
    )
    const shared = Object.freeze({ x: {}, default: {} })
    const loader = newLoader({ shared: new Map([['shared', shared]]) })
    const { default: seen } = loader.instantiate().import(main) as { default: Record<string, unknown> }
    expect(seen.d).toBe(shared.default)
    expect(seen.x).toBe(shared.x)
    expect({ ...(seen.ns as object) }).toEqual(shared)
    expect(seen.fromPackage).toBe(shared)
    expect(seen.required).toBe(shared)
  })

  test('the gate of builtins is asked in each instance, however a module gets one', async () => {
    const root = folder({
      'main.ts': `import 'node:repl'; import './side.mjs'; import './common.cjs'; export { Domain } from 'domain'
        export default import('node:wasi')`,
      'side.mjs': `import * as tty from 'tty'; export default tty`,
      'common.cjs': `require('node:os')`,
    })
    const asked: string[] = []
    const unused = () => undefined
    const builtins = { prepare: unused, provide: unused, replacement: unused, graphs: unused }
    const loader = newLoader({ builtins: { ...builtins, admit: (id) => void asked.push(id) } })
    for (let instance = 0; instance < 2; instance++) {
      const { default: later } = (await loader.instantiate().import(join(root, 'main.ts'))) as { default: unknown }
      await later
      expect(asked.splice(0).toSorted()).toEqual(['domain', 'os', 'repl', 'tty', 'wasi'])
    }
  })

  test('a builtin can be replaced by a shared module', () => {
    const main = join(
      folder({ 'main.mjs': `import { x } from 'node:fs'; import fs from 'fs'; export default [x, fs.x]` }),
      'main.mjs',
    )
    const loader = newLoader({ shared: new Map([['fs', { x: 1 }]]) })
    expect(loader.instantiate().import(main)).toMatchObject({ default: [1, 1] })
  })

  test('an alias stands for a package and its subpaths, from every importer', () => {
    const root = folder({
      'main.mjs': `import a from 'old'; import b from 'old/sub.js'; import c from 'user'; import d from '@s/old/sub.js'; import e from 'older'; export default [a, b, c, d, e]`,
      'node_modules/new/index.js': `module.exports = 'new'`,
      'node_modules/new/sub.js': `module.exports = 'new/sub'`,
      'node_modules/older/index.js': `module.exports = 'older'`,
      'node_modules/user/index.js': `module.exports = [require('old'), require('old/sub')]`,
    })
    const aliases = new Map([
      ['old', 'new'],
      ['@s/old', join(root, 'node_modules/new')],
    ])
    expect(newLoader({ aliases }).instantiate().import(join(root, 'main.mjs'))).toMatchObject({
      default: ['new', 'new/sub', ['new', 'new/sub'], 'new/sub', 'older'],
    })
  })

  test('a file in the place of a package leaves its subpaths alone, so that it can wrap them', () => {
    const root = folder({
      'main.mjs': `import a from 'old'; export default a`,
      'wrapper.ts': `import old from 'old/index.js'; export default ['wrapped', old]`,
      'node_modules/old/index.js': `module.exports = 'old'`,
      'package.json': '{"type": "module"}',
    })
    const aliases = new Map([['old', join(root, 'wrapper.ts')]])
    expect(newLoader({ aliases }).instantiate().import(join(root, 'main.mjs'))).toMatchObject({
      default: ['wrapped', 'old'],
    })
  })

  test('a native addon is refused by name', () => {
    const root = folder({ 'a.cjs': `require('./x.node')`, 'x.node': '' })
    expect(() => newLoader().instantiate().import(join(root, 'a.cjs'))).toThrow(
      `refused native addon ${join(root, 'x.node')}`,
    )
  })

  test('once prepared and run, nothing is done outside again', () => {
    const root = folder({
      'main.mjs': `import { b } from './b.mjs'; import c from './c.cjs'; export default [b, c]`,
      'b.mjs': `export const b = 1`,
      'c.cjs': `module.exports = [require('./d'), require('fs').constants.F_OK]; try { require('./none') } catch {}`,
      'd.js': `module.exports = 2`,
    })
    const main = join(root, 'main.mjs')
    let outside = 0
    const loader = newLoader({
      outside(action) {
        outside++
        return action()
      },
    })
    loader.prepare(main)
    expect(outside).toBeGreaterThan(0)
    loader.instantiate().import(main)
    outside = 0
    expect(loader.instantiate().import(main)).toMatchObject({ default: [1, [2, 0]] })
    expect(outside).toBe(0)
  })

  test('all disk work is done outside: with every file function of Node broken, a program still loads', () => {
    const root = folder({
      'main.mts': `import { b } from './b.mjs'; import c from './c.cjs'; import j from './j.json' with { type: 'json' }; import p from 'pack'
        import { join } from 'node:path'; const n: number = 1; export default [n, b, c, j, p, join('a', 'b'), import.meta.resolve('./b.mjs').slice(-6)]`,
      'b.mjs': `export const b = 1`,
      'c.cjs': `const m = new module.constructor('x'); m.paths = []; m._compile('exports.y = 1', '/x.js')
        module.exports = [require('./d'), require('node:module').createRequire(__filename)('./d'), require.resolve('./d', { paths: [__dirname] }).slice(-4), m.exports]; try { require('./none') } catch {}`,
      'd.js': `module.exports = 2`,
      'j.json': '{}',
      'package.json': '{"type": "commonjs"}',
      'node_modules/pack/package.json': '{"exports": {"require": "./r.js", "import": "./i.mjs"}}',
      'node_modules/pack/i.mjs': `export { default } from './r.js'`,
      'node_modules/pack/r.js': `module.exports = 'pack'`,
    })
    const world = brokenFileSystem()
    const loader = newLoader({ outside: world.outside })
    const main = join(root, 'main.mts')
    world.install()
    let seen: unknown
    try {
      expect(() => newLoader().instantiate().import(main)).toThrow('was called inside the world')
      seen = loader.instantiate().import(main)
    } finally {
      world.remove()
    }
    expect(seen).toMatchObject({ default: [1, 1, [2, 2, 'd.js', { y: 1 }], {}, 'pack', 'a/b', '/b.mjs'] })
  })

  test('TypeScript finds x.ts where x.js is written, and drops imports only types use', () => {
    const root = folder({
      'main.ts': `import { x, T } from './m.js'; import def from './t.js'; const y: T = x; type D = def; export default y`,
      'm.ts': `export type T = number; export const x: T = 1`,
      't.ts': `export interface X {}`,
      'package.json': '{"type": "module"}',
    })
    expect(newLoader().instantiate().import(join(root, 'main.ts'))).toMatchObject({ default: 1 })
  })

  test.each([
    `eval("import('./x.mjs')")`,
    `new Function("return import('./x.mjs')")()`,
    `(0, eval)("import('./x.mjs')")`,
  ])('import() in evaluated code loads into the instance: %s', async (code) => {
    const root = folder({
      'main.mjs': `import './x.mjs'; export default () => ${code}`,
      'x.mjs': 'export const own = {}',
    })
    const instance = newLoader().instantiate()
    const { default: evaluated } = instance.import(join(root, 'main.mjs')) as { default: () => Promise<unknown> }
    expect(await evaluated()).toBe(instance.import(join(root, 'x.mjs')))
  })
})

describe('packages as subjects', () => {
  test('fast-check itself is instantiated anew', () => {
    const root = folder({
      'main.mjs': `import fc from 'fast-check'; fc.configureGlobal({ numRuns: 7 }); export default fc`,
    })
    linkPackages(root, ['fast-check', 'pure-rand'])
    const loader = newLoader()
    type FastCheck = typeof import('fast-check').default
    const load = () => (loader.instantiate().import(join(root, 'main.mjs')) as { default: FastCheck }).default
    const [a, b] = [load(), load()]
    expect(a).not.toBe(b)
    expect(a.readConfigureGlobal()).toEqual({ numRuns: 7 })
    expect(a.sample(a.integer(), { seed: 1, numRuns: 3 })).toEqual(b.sample(b.integer(), { seed: 1, numRuns: 3 }))
  })
})

test('what norn requires for itself is heard on no channel', () => {
  const heard: unknown[] = []
  const note = (event: unknown) => void heard.push((event as { id: string }).id)
  const calls = channel('tracing:module.require:start')
  calls.subscribe(note)
  hostRequire('node:fs')
  createRequire(import.meta.url)('node:fs')
  calls.unsubscribe(note)
  expect(heard).toEqual(['node:fs'])
})
