/**
 * Every program here is run by stock Node and by our loader, in all builds of its files, and must
 * come to the same.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILDS, type Files, folder, loaderOf, run, runNatively } from './programs.ts'

/** A text of the bytes of a section, after its length; all are ASCII. */
const section = (id: number, content: string): string => String.fromCharCode(id, content.length) + content
const counted = (text: string): string => String.fromCharCode(text.length) + text
const HEAD = '\0asm\x01\0\0\0'
/** Exports `add` of two numbers. */
const ADD = `${HEAD}${section(1, '\x01\x60\x02\x7f\x7f\x01\x7f')}${section(3, '\x01\0')}${section(7, '\x01\x03add\0\0')}${section(10, '\x01\x07\0\x20\0\x20\x01\x6a\x0b')}`
/** Exports `g`, which calls `f` of ./env.mjs, and the global `c`, which is 7. */
const FIRST = `${HEAD}${section(1, '\x01\x60\x01\x7f\x01\x7f')}${section(2, `\x01${counted('./env.mjs')}\x01f\0\0`)}${section(3, '\x01\0')}${section(6, '\x01\x7f\0\x41\x07\x0b')}${section(7, '\x02\x01g\0\x01\x01c\x03\0')}${section(10, '\x01\x06\0\x20\0\x10\0\x0b')}`
/** Exports the global `c` of ./first.wasm as `d`. */
const SECOND = `${HEAD}${section(2, `\x01${counted('./first.wasm')}\x01c\x03\x7f\0`)}${section(7, '\x01\x01d\x03\0')}`

const programs: Record<string, Record<string, Files>> = {
  'code without semicolons': {
    'in which imported names begin statements': {
      'main.mjs': `import made, { list } from './c.cjs'
        import * as all from './m.mjs'
        import { own } from './m.mjs'
        import { inspect } from 'node:util'
        import 'node:util'
        const seen = String(1)
        made.list.push(seen)
        const two = String(2)
        list.push(two)
        const three = Symbol('3')
        all.own.push(three.description)
        const four = String(4)
        own.push(four)
        const five = list.slice
        inspect.custom
        const six = list.concat
        import.meta.url
        export default [made.list, all.own, five === six]`,
      'c.cjs': `exports.list = []`,
      'm.mjs': `export const own = []`,
    },
  },
  'loads that channels of diagnostics hear of': {
    'by require and by import(), also where they fail': {
      'main.mjs': `import channels from 'node:diagnostics_channel'
        import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url), seen = []
        const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
        for (const kind of ['module.require', 'module.import']) channels.tracingChannel(kind).subscribe(Object.fromEntries(
          names.map((name) => [name, (event) => seen.push([kind, name, Object.getPrototypeOf(event), event.error?.code, ...Object.entries(event).filter(([key]) => key !== 'error' && key !== 'result').flatMap(([key, value]) => [key, \`\${value}\`.replace(/.*[/]/, '')]), event.result?.x])])))
        const failed = []
        for (const id of ['./c.cjs', './none.cjs', './throws.cjs', '', 1]) try { require(id) } catch (error) { failed.push(error.code ?? error.message) }
        for (const load of [() => import('./m.mjs'), () => import('./none.mjs'), () => import('./c.cjs')]) {
          const loaded = load()
          seen.push('called')
          await loaded.catch(() => seen.push('caught'))
        }
        export default [seen, failed]`,
      'c.cjs': `exports.x = require('./d.cjs').x`,
      'd.cjs': `exports.x = 1`,
      'throws.cjs': `throw Error('mine')`,
      'm.mjs': `export { x } from './c.cjs'`,
    },
  },
  'what Node does not find': {
    'errors of require, require.resolve and import()': {
      'main.cjs': `const said = (error) => [error.constructor.name, error.name, error.code, error.message.replaceAll(__dirname, ''), String(error).replaceAll(__dirname, ''), Object.keys(error), error.requireStack?.length]
        const names = ['./none', './sub', './none.js', 'none', 'none/x', '#none', '@x', 'node:none', 'node:test/none', 'internal/errors', 'node:internal/errors', 'internal/none', 'test', 'FS', 'http://a/b', 'bad:x', './x%2fy.js', 'none\\\\x', '', 1, null, undefined, {}]
        const tried = (f) => { try { return f() } catch (error) { return said(error) } }
        const found = names.map((name) => [name, tried(() => require(name)), tried(() => require.resolve(name)), tried(() => require.resolve.paths(name)?.length)])
        module.exports = (async () => {
          for (const name of names) if (typeof name === 'string' && name !== '') found.push([name, await import(name).catch(said)])
          found.push([await import(require('url').pathToFileURL(__dirname + '/sub').href).catch(said)])
          return found
        })()`,
      'sub/none.txt': ``,
    },
    'stacks with the modules that led there': {
      'main.cjs': `const { inspect } = require('util')
        const headOf = (text) => text.split('\\n    at ')[0].replaceAll(__dirname, '').split('\\n')
        const tried = (id) => { try { return require(id) } catch (error) { return [headOf(error.stack), headOf(inspect(error)), Object.keys(error)] } }
        module.exports = ['./a.cjs', './a.cjs', 'none', '$&none'].map((id) => tried(id).map((lines) => lines.slice(0, 4)))`,
      'a.cjs': `require('./b.cjs')`,
      'b.cjs': `require('./none')`,
    },
    'internal modules': {
      'main.mjs': `import module, { builtinModules, isBuiltin } from 'node:module'
        const names = ['internal/errors', 'node:internal/errors', 'fs', 'node:fs', 'test', 'node:test', 1]
        export default [builtinModules, module.builtinModules === builtinModules, names.map(isBuiltin), Object.isFrozen(builtinModules)]`,
    },
    'a package by the name of an internal module': {
      'main.cjs': `module.exports = [require('internal/errors'), require.resolve('internal/errors') === __dirname + '/node_modules/internal/errors.js']`,
      'node_modules/internal/errors.js': `module.exports = 'of a package'`,
    },
    'what createRequire takes for no path': {
      'main.mjs': `import { createRequire } from 'node:module'
        const tried = (from) => { try { return typeof createRequire(from) } catch (error) { return [error.code, error.message] } }
        export default ['../', 'https://a/b', 'file://host/x', {}, 1, undefined, null, new URL('https://a/b'), '/x', 'file:///x/', { href: 'file:///x', protocol: 'file:' }].map(tried)`,
    },
  },
  'modules that are required while they load': {
    'warn of what they do not have yet': {
      'main.cjs': `const warnings = []
        const note = ({ name, message }) => /missing|mine/.test(message) && warnings.push([name, message])
        process.on('warning', note)
        const all = ['plain', 'replaced', 'class', 'compiled', 'none'].map((name) => require('./a.cjs')(name))
        module.exports = new Promise((resolve) => setImmediate(() => {
          process.off('warning', note)
          resolve([all, warnings])
        }))`,
      'a.cjs': `module.exports = (name) => { const a = require('./' + name + '.cjs'); return [a.seen, a.mine, typeof a === 'object' && Object.getPrototypeOf(a) === Object.prototype] }`,
      'plain.cjs': `exports.early = 1; exports.seen = require('./seen.cjs')(__filename); exports.mine = 2`,
      'replaced.cjs': `module.exports = { early: 1 }; module.exports.seen = require('./seen.cjs')(__filename)`,
      'class.cjs': `module.exports = class { static early = 1 }; module.exports.seen = require('./seen.cjs')(__filename)`,
      'compiled.cjs': `Object.defineProperty(exports, '__esModule', { value: true }); exports.seen = require('./seen.cjs')(__filename)`,
      'none.cjs': `module.exports = Object.create(null); module.exports.seen = require('./seen.cjs')(__filename)`,
      'seen.cjs': `module.exports = (path) => { const a = require(path); return [a.early, a.__esModule, a.missing, a[Symbol('mine')], Object.keys(a), 'mine' in a] }`,
    },
  },
  'what a program adds to require': {
    'an extension, by which files are found': {
      'main.cjs': `const tried = (id) => { try { return require(id) } catch (error) { return error.code } }
        const seen = [tried('./x'), tried('./sub')]
        require.extensions['.foo.bar'] = (module, path) => { module.exports = path.slice(__dirname.length) }
        seen.push(tried('./x'), tried('./sub'), tried('./x.foo'), require.resolve('./x').slice(__dirname.length))
        delete require.extensions['.foo.bar']
        module.exports = seen`,
      'x.foo.bar': ``,
      'sub/index.foo.bar': ``,
    },
    'a module in place of a builtin': {
      'main.cjs': `const mine = {}, fs = require('fs')
        require.cache.fs = { exports: mine, loaded: true }
        module.exports = [require('fs') === mine, require('node:fs') === fs]
        delete require.cache.fs`,
    },
  },
  'data: modules': {
    'of every type': {
      'main.mjs': `import one from 'data:text/javascript,export default 1'; import * as two from 'data:text/javascript;base64,ZXhwb3J0IGNvbnN0IHR3byA9IDI='
        import json from 'data:application/json,%7B%22a%22:1%7D' with { type: 'json' }
        const again = await import('data:application/json,%7B%22a%22:1%7D', { with: { type: 'json' } })
        export default [one, two, json, again.default === json, await import('data:text/javascript;charset=utf-8,export default "caf%C3%A9"')]`,
    },
    'which exist once, unless they differ': {
      'main.mjs': `const load = () => import('data:text/javascript,export default {}')
        export default [(await load()).default === (await load()).default, (await import('data:text/javascript,export default {}//')).default === (await load()).default]`,
    },
    'that import': {
      'main.mjs': `const url = new URL('./m.mjs', import.meta.url).href
        export default [await import('data:text/javascript,export { sep } from "node:path"'), await import('data:text/javascript,' + encodeURIComponent('export * from "' + url + '"')),
          await (await import('data:text/javascript,export default () => import("data:text/javascript,export default 2")')).default()]`,
      'm.mjs': `export const x = 1`,
    },
    'what import.meta has': {
      'main.mjs': `const { default: meta } = await import('data:text/javascript,export default import.meta')
        export default [meta.url, meta.dirname, meta.filename, meta.resolve('node:fs')]`,
    },
    ...Object.fromEntries(
      [
        'data:text/plain,x',
        'data:,x',
        'data:text/javascript,import "./m.mjs"',
        'data:text/javascript,import "acorn"',
        'data:application/json,1',
        'data:text/javascript,throw new RangeError("at once")',
        'data:text/javascript,await 0;export default import.meta.resolve("./x.mjs")',
        'https://example.org/x.mjs',
      ].map((url) => [
        `refused: ${url}`,
        { 'main.mjs': `export default (await import(${JSON.stringify(url)})).default` },
      ]),
    ),
    'JSON with the type of another format, and the reverse': {
      'main.mjs': `const tried = async (url, options) => { try { return (await import(url, options)).default } catch (error) { return [error.name, error.code] } }
        export default [await tried('data:text/javascript,export default 1', { with: { type: 'json' } }), await tried('./j.json', { with: { type: 'css' } }),
          await tried('./j.json', { with: { kind: 'json' } }), await tried('./j.json?1', { with: { type: 'json' } })]`,
      'j.json': '{"j":1}',
    },
  },
  'WebAssembly modules': {
    'by name, whole, dynamic, from CommonJS': {
      'main.mjs': `import { add } from './add.wasm'; import * as all from './add.wasm'; import { createRequire } from 'node:module'
        const again = await import('./add.wasm'), other = await import('./add.wasm?2')
        export default [add(1, 2), Object.keys(all), again === all, other === all, other.add(3, 4), createRequire(import.meta.url)('./user.mjs').add(1, 1)]`,
      'user.mjs': `export * from './add.wasm'`,
      'add.wasm': ADD,
    },
    'that import JavaScript, and globals of each other': {
      'main.mjs': `import { g, c } from './first.wasm'; import { d } from './second.wasm'; export default [g(20), c, d]`,
      'env.mjs': `import { c } from './first.wasm'; export const f = (x) => { try { return x + c } catch (error) { return error.name } }`,
      'first.wasm': FIRST,
      'second.wasm': SECOND,
    },
    'that cannot be linked, or compiled': {
      'main.mjs': `const tried = async (name) => { try { return await import(name) } catch (error) { return [error.name, error.code, error.message.replace(import.meta.dirname, '')] } }
        export default [await tried('./first.wasm'), await tried('./bad.wasm'), await tried('./second.wasm'), await tried('data:application/wasm,x'),
          await import('./add.wasm', { with: { type: 'wasm' } }).catch((error) => error.code)]`,
      'env.mjs': `export const f = 1`,
      'first.wasm': FIRST,
      'second.wasm': SECOND.replace('first', 'other'),
      'add.wasm': ADD,
      'bad.wasm': 'x',
    },
    'by their source': {
      'main.mjs': `import source first from './add.wasm'; import /**/ source
          second from './add.wasm'; import instance from './user.mjs'
        const third = await import.source('./add.wasm'), { exports } = new WebAssembly.Instance(first)
        export default [first === second, second === third, first instanceof WebAssembly.Module, exports.add(1, 2), instance, (await import
          . source ('./add.wasm')) === first, await (0, eval)("import.source('./add.wasm')") === first, import.meta.url.length > 0]`.replace(
        '/**/ ',
        '',
      ),
      'user.mjs': `const source = 1; export default source`,
      'add.wasm': ADD,
    },
    'whose source does not run what they import': {
      'main.mjs': `import source first from './first.wasm'; import { seen } from './seen.mjs'; export default [WebAssembly.Module.imports(first), seen]`,
      'seen.mjs': `export const seen = []`,
      'env.mjs': `import { seen } from './seen.mjs'; seen.push('env')`,
      'first.wasm': FIRST,
    },
    'the source of JavaScript': {
      'main.mjs': `export default [await import('./static.mjs').catch((error) => [error.name, error.code]), await import.source('./m.mjs').catch((error) => [error.name, error.code]), await import.source('node:fs').catch((error) => [error.name, error.code]), await import.source('./none.wasm').catch((error) => error.code)]`,
      'static.mjs': `import source m from './m.mjs'; export default m`,
      'm.mjs': `export const x = 1`,
    },
    'the source, in CommonJS': {
      'main.mjs': `import { seen } from './c.cjs'; export default await seen`,
      'c.cjs': `exports.seen = import.source('./add.wasm').then((source) => WebAssembly.Module.exports(source))`,
      'add.wasm': ADD,
    },
  },
  'evaluated code': {
    'import() by eval, new Function and vm': {
      'main.mjs': `import vm from 'node:vm'
        const default_ = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER, filename = import.meta.filename
        const tried = async (act) => { try { return (await act()).x } catch (error) { return [error.name, error.code] } }
        export default [await tried(() => eval("import('./m.mjs')")), await tried(() => (0, eval)("import('./m.mjs')")), await tried(() => new Function("return import('./m.mjs')")()),
          await tried(() => (0, eval)('eval(' + JSON.stringify("import('./m.mjs')") + ')')), await tried(() => new (async () => {}).constructor("return await import('./m.mjs')")()),
          await tried(() => new vm.Script("import('./m.mjs')", { filename, importModuleDynamically: default_ }).runInThisContext()),
          await tried(() => vm.runInNewContext("import('./m.mjs')", {}, { filename, importModuleDynamically: default_ })),
          await tried(() => vm.compileFunction("return import('./m.mjs')", [], { filename, importModuleDynamically: default_ })()),
          await tried(() => vm.runInThisContext("import('./m.mjs')")), await tried(() => new vm.Script("import('./m.mjs')", { importModuleDynamically: (s) => import(s) }).runInThisContext()),
          await tried(() => eval("import('./none.mjs')")), await tried(() => (0, eval)("import('./j.json', { with: { type: 'json' } })")),
          await eval("import('./m.mjs')") === await import('./m.mjs')]`,
      'm.mjs': `export const x = 1`,
      'j.json': '{}',
    },
    'imported names in a direct eval': {
      'main.mjs': `import one, { two, set as change } from './m.mjs'; import * as all from './m.mjs'; import { unused } from './m.mjs'
        const own = 5, tried = (act) => { try { return act() } catch (error) { return error.name } }
        const seen = [eval('one + two'), eval('unused'), eval('all.two'), eval('own'), (() => { const two = 'inner'; return eval('two') })()]
        eval('change(7)'); export default [...seen, eval('two'), tried(() => eval('two = 1')), tried(() => eval('none')), typeof this, (0, eval)('typeof one'), eval('var two = 3; two'), two,
          await eval('import("./m.mjs")') === all, (function () { return eval('typeof this') })()]`,
      'm.mjs': `export default 1; export let two = 2; export const unused = 3, set = (to) => { two = to }`,
    },
    'imported names in a direct eval, without await': {
      'main.mjs': `import { x } from './m.mjs'; export function early() { return eval('x') } export default [early(), eval('typeof early'), eval('x')]`,
      'm.mjs': `import { early } from './main.mjs'; export let x; try { early() } catch (error) { x = error.name } `,
    },
    'import() by eval in CommonJS': {
      'main.cjs': `exports.seen = (async () => [(await eval("import('./m.mjs')")).x, (await (0, eval)("import('./m.mjs')")).x, (await new Function("return import('./m.mjs')")()).x])()`,
      'main.mjs': `import { seen } from './main.cjs'; export default seen`,
      'm.mjs': `export const x = 1`,
    },
  },
  'imports and exports': {
    'named, default, namespace, renamed': {
      'main.mjs': `import d, { a, b as c } from './m.mjs'; import * as ns from './m.mjs'
        export default [d, a, c, ns.a, ns.default, Object.keys(ns), typeof a]`,
      'm.mjs': `export const a = 1; const b = 2; export { b }; export default 3`,
    },
    'live bindings': {
      'main.mjs': `import { n, inc } from './m.mjs'; import * as ns from './m.mjs'; import { again } from './r.mjs'
        const seen = [n, ns.n, again]; inc(); export default [...seen, n, ns.n, again]`,
      'm.mjs': `export let n = 1; export function inc() { n++ }`,
      'r.mjs': `export { n as again } from './m.mjs'`,
    },
    'export let without a value, set later': {
      'main.mjs': `import { x, set } from './m.mjs'; const before = x; set(); export default [before, x]`,
      'm.mjs': `export let x; export function set() { x = { a: 1 } }`,
    },
    'destructured exports': {
      'main.mjs': `import { a, b, c, rest, d, e } from './m.mjs'; export default [a, b, c, rest, d, e]`,
      'm.mjs': `export const { a, x: { b = 5 } = {}, ...rest } = { a: 1, y: 2, z: 3 }; export const [c, , d = 9, ...e] = [1, 2]`,
    },
    're-exports: names, defaults, namespaces, strings': {
      'main.mjs': `import { x, z as zz, ns, 'a-b' as ab } from './r.mjs'; import y from './r.mjs'; import * as all from './r.mjs'
        export default [x, y, zz, ns.x, ab, Object.keys(all), all['a-b']]`,
      'r.mjs': `export { x, x as default } from './m.mjs'; export * as ns from './m.mjs'
        import { z } from './m.mjs'; export { z, z as 'a-b' }`,
      'm.mjs': `export const x = 1, z = 2; export default 7`,
    },
    'export * through cycles, local names first, no default': {
      'main.mjs': `import * as all from './a.mjs'; export default [Object.keys(all), { ...all }]`,
      'a.mjs': `export * from './b.mjs'; export const x = 'a'`,
      'b.mjs': `export * from './a.mjs'; export * from './c.mjs'; export const x = 'b', y = 'b'; export default 1`,
      'c.mjs': `export const z = 'c', y = 'c'`,
    },
    'export * of the same binding twice is not ambiguous': {
      'main.mjs': `import { x } from './both.mjs'; export default x`,
      'both.mjs': `export * from './a.mjs'; export * from './b.mjs'`,
      'a.mjs': `export { x } from './m.mjs'`,
      'b.mjs': `export { x } from './m.mjs'`,
      'm.mjs': `export const x = 4`,
    },
    'an ambiguous name is left out of the namespace': {
      'main.mjs': `import * as all from './both.mjs'; export default [Object.keys(all), 'x' in all]`,
      'both.mjs': `export * from './a.mjs'; export * from './b.mjs'`,
      'a.mjs': `export const x = 1, a = 1`,
      'b.mjs': `export const x = 2, b = 2`,
    },
    'an ambiguous name cannot be imported': {
      'main.mjs': `import { x } from './both.mjs'; export default x`,
      'both.mjs': `export * from './a.mjs'; export * from './b.mjs'`,
      'a.mjs': `export const x = 1`,
      'b.mjs': `export const x = 2`,
    },
    'a missing name': {
      'main.mjs': `import { nope } from './m.mjs'; export default nope`,
      'm.mjs': `export const x = 1`,
    },
    'a missing default': { 'main.mjs': `import d from './m.mjs'; export default d`, 'm.mjs': `export const x = 1` },
    'a re-exported name that is missing': {
      'main.mjs': `import { x } from './r.mjs'; export default x`,
      'r.mjs': `export { nope as x } from './m.mjs'`,
      'm.mjs': `export const x = 1`,
    },
    'names given to default exports': {
      'main.mjs': `import f from './f.mjs'; import c from './c.mjs'; import a from './a.mjs'; import n from './n.mjs'
        import g from './g.mjs'; import s from './s.mjs'; import e from './e.mjs'; import p from './p.mjs'
        export default [f.name, f(), c.name, a.name, a(2), n.name, g.name, [...g()], s.name, e, p.name]`,
      'f.mjs': `export default function () { return 1 }`,
      'c.mjs': `export default class {}`,
      'a.mjs': `export default async => async + 1`,
      'n.mjs': `export default function named() {}`,
      'g.mjs': `export default function* () { yield 1 }`,
      's.mjs': `export default class { static name = 'own' }`,
      'e.mjs': `export default (1, [2, 3])\nfunction x() {}`,
      'p.mjs': `export default (function () {});`,
    },
    'default exports of all forms': {
      'main.mjs': `import * as all from './all.mjs'; const out = []
        for (const [k, v] of Object.entries(all)) out.push([k, typeof v, v?.name, typeof v === 'function' && !/^class/.test(v) ? await v(2) : v?.n]); export default out`,
      'all.mjs': [...'abcdefghijk'].map((n) => `export { default as ${n} } from './${n}.mjs';`).join(' '),
      'x.mjs': `export class X { static n = 1 }; export const f = (v) => v; export const s = 's'`,
      'a.mjs': `import { X } from './x.mjs'; export default class extends X {}`,
      'b.mjs': `export default async function () { return 1 }`,
      'c.mjs': `export default async (x) => x`,
      'd.mjs': `import { f } from './x.mjs'; export default f`,
      'e.mjs': `import { f } from './x.mjs'\nexport default f\n(5)`,
      'f.mjs': `import { s } from './x.mjs'; export default { s, n: s }`,
      'g.mjs': `export default class Named { static n = Named.name }`,
      'h.mjs': `export default function (a, b = () => a) { return b() } // a comment`,
      'i.mjs': `export default\n  // a comment\n  (x) => x // another`,
      'j.mjs': `export default function*(x) { yield x }\n;[1].length`,
      'k.mjs': `let n = 1; export default n; n = 2`,
    },
    'a namespace object': {
      'main.mjs': `import * as ns from './m.mjs'
        const fails = (f) => { try { f(); return 'no' } catch (e) { return e.constructor.name } }
        export default [Object.getPrototypeOf(ns), ns[Symbol.toStringTag], String(ns[Symbol.toStringTag]), Object.keys(ns),
          Object.isExtensible(ns), fails(() => { ns.a = 1 }), fails(() => { ns.q = 1 }), fails(() => { delete ns.a }),
          'a' in ns, 'q' in ns, ns.q, { ...ns }, JSON.stringify(ns), Object.prototype.toString.call(ns), ns.hasOwnProperty]`,
      'm.mjs': `export const b = 1, a = 2, B = 3, $ = 4, default_ = 5; export default 6`,
    },
    'a module that imports itself': {
      'main.mjs': `import * as self from './main.mjs'; import { f as g } from './main.mjs'
        export function f() { return 1 }; export const x = 2; export default Promise.resolve().then(() => [Object.keys(self), self.x, g()])`,
    },
    'the same module by several specifiers is one': {
      'main.mjs': `import { o } from './m.mjs'; import { o as p } from './sub/../m.mjs'; import { o as q } from './m.mjs?x'
        export default [o === p, o === q]`,
      'm.mjs': `export const o = {}`,
    },
  },
  'uses of imported names': {
    'this is undefined in a call, not in a method': {
      'main.mjs': `import { f, o } from './m.mjs'; import * as ns from './m.mjs'
        export default [f() === undefined, o.m() === o, ns.f() === ns, f?.() === undefined, (f)() === undefined, f\`\` === undefined]`,
      'm.mjs': `export function f() { return this }; export const o = { m() { return this } }`,
    },
    'shadowed in parameters, blocks, catch, loops, classes, labels': {
      'main.mjs': `import { x, y } from './m.mjs'
        const a = ((x) => x)(5); let b; { let x = 6; b = x }
        let c; try { throw 7 } catch (x) { c = x }
        const d = []; for (const x of [8]) d.push(x); for (let x = 0; x < 1; x++) d.push(x)
        const e = function x() { return typeof x }; const g = class x { static me = x.name }
        x: for (;;) { break x }
        const h = { x: 1, y() { return y }, get z() { return x }, [x]: 2 }
        function v() { var y = 3; return y } function u(y = x, { x: z = y } = {}) { return [y, z] }
        export default [a, b, c, d, e(), g.me, x, h, h.y(), h.z, v(), u(), u(1), ((x = y) => x)()]`,
      'm.mjs': `export const x = 'x', y = 'y'`,
    },
    'shorthand, destructuring, defaults, computed keys, templates, spread, new, extends, typeof': {
      'main.mjs': `import { x, C, o, t, arr } from './m.mjs'
        const { a = x, [x]: q = 3, ...r } = o; const [z = x] = []; const s = { x, C: C.name }
        class D extends C { static n = x; #p = x; p() { return this.#p } }
        export default [a, q, r, z, s, new C().v, new C, new C(4).v, new o.K().k, new (o.K)().k, new D().p(), D.n, \`<\${x}>\`, t\`a\${x}b\`,
          [...arr, x], typeof x, typeof C, x in { x: 1 }, !x, void x, (x, 2), x ? x : 0, new C()instanceof C, x?.length, arr?.[0]]`,
      'm.mjs': `export const x = 'x'; export class C { constructor(v = 1) { this.v = v } }
        export const o = { y: 1, K: class { k = 2 } }; export const t = (s, ...v) => [...s, ...v]; export const arr = [1]`,
    },
    'without semicolons': {
      'main.mjs': `import { f, x } from './m.mjs'
const a = x
export { a }
;[1].map(f)
const b = f
f(1)
export const c = x
export default [a, b(2), c]
;(() => {})()`,
      'm.mjs': `export const x = 1\nexport const f = (v) => v`,
    },
    'assignments throw after the right side has run': {
      'main.mjs': `import { x, o } from './m.mjs'; import * as ns from './m.mjs'; const log = []
        const fails = (f) => { try { f(); return 'no' } catch (e) { return [e.constructor.name, e.message] } }
        o.set = 1
        export default [fails(() => { x = log.push(1) }), fails(() => { x++ }), fails(() => { [x] = [1] }), fails(() => { ({ x } = { x: 1 }) }),
          fails(() => { ({ x = 2 } = {}) }), fails(() => { for (x of [1]); }), fails(() => { ns = 1 }), log, x, o]`,
      'm.mjs': `export let x = 'x'; export const o = {}`,
    },
    'strict mode, no this, no arguments of ours': {
      'main.mjs': `const fails = (f) => { try { return f() } catch (e) { return e.constructor.name } }
        export default [String(this), fails(() => { undeclared = 1 }), (function () { return this === undefined })(), typeof require, typeof module, typeof exports, typeof __filename]`,
    },
    'names like ours': {
      'main.mjs': `import { _norn_ } from './m.mjs'; const _norn_self = 1; export const $a = 2; const self = 3
        export default [_norn_, _norn_self, $a, self, import.meta.main, (await import('./m.mjs'))._norn_]`,
      'm.mjs': `export const _norn_ = 'mine', constructor = 1, __proto__ = 2, namespace = 3, $x = 4`,
    },
    'odd export names': {
      'main.mjs': `import * as ns from './m.mjs'; import { constructor as c, __proto__ as p, namespace as n, toString as t, ünï } from './m.mjs'
        export default [Object.keys(ns).length, c, p, n, t, ünï]`,
      'm.mjs': `export const constructor = 1, namespace = 3, toString = 4, ünï = 5; const q = 2; export { q as __proto__ }`,
    },
    'getters and setters named like imports': {
      'main.mjs': `import { x } from './m.mjs'; class A { get x() { return x } set x(v) { this.v = [v, x] } static x = x; x2 = x; ['x' + x]() {} }
        const a = new A(); a.x = 5; export default [a.x, a.v, A.x, a.x2, Object.getOwnPropertyNames(A.prototype)]`,
      'm.mjs': `export const x = 'X'`,
    },
    'a hashbang, a byte order mark, windows line ends': {
      'main.mjs': `#!/usr/bin/env node\r\nimport {\r\n  x\r\n} from './m.mjs'\r\nexport default x`,
      'm.mjs': `\ufeffexport const x = 1`,
    },
  },
  cycles: {
    'functions are there before any body has run': {
      'main.mjs': `import { even } from './even.mjs'; export default [even(10), even(7)]`,
      'even.mjs': `import { odd } from './odd.mjs'; export function even(n) { return n === 0 || odd(n - 1) }`,
      'odd.mjs': `import { even } from './even.mjs'; export const early = even(0); export function odd(n) { return n !== 0 && even(n - 1) }`,
    },
    'let, const and class are not': {
      'main.mjs': `import { seen } from './a.mjs'; export default seen`,
      'a.mjs': `import { seen } from './b.mjs'; export { seen }; export const c = 1; export let l = 1; export class K {}; export var v = 1`,
      'b.mjs': `import { c, l, K, v } from './a.mjs'; import * as ns from './a.mjs'
        const tried = (f) => { try { return f() } catch (e) { return [e.constructor.name, e.message] } }
        export const seen = [tried(() => c), tried(() => l), tried(() => K), tried(() => v), tried(() => typeof c), tried(() => ns.c), 'c' in ns]`,
    },
    'the order of evaluation': {
      'main.mjs': `import './a.mjs'; import './b.mjs'; import { log } from './log.mjs'; log.push('main'); export default log`,
      'a.mjs': `import './c.mjs'; import './b.mjs'; import { log } from './log.mjs'; log.push('a')`,
      'b.mjs': `import './a.mjs'; import './d.cjs'; import { log } from './log.mjs'; log.push('b')`,
      'c.mjs': `import './main.mjs'; import { log } from './log.mjs'; log.push('c')`,
      'd.cjs': `require('./log.cjs').push('d')`,
      'log.mjs': `import log from './log.cjs'; export { log }`,
      'log.cjs': `module.exports = []`,
    },
    'a default value read too early': {
      'main.mjs': `import { seen } from './a.mjs'; export default seen`,
      'a.mjs': `import { seen } from './b.mjs'; export { seen }; export default { n: 1 }`,
      'b.mjs': `import * as ns from './a.mjs'; export let seen; try { seen = ns.default } catch (e) { seen = [e.name, e.message] }`,
    },
    'a default function is hoisted': {
      'main.mjs': `import { seen } from './a.mjs'; export default seen`,
      'a.mjs': `import { seen } from './b.mjs'; export { seen }; import './c.mjs'; export default function () { return 'early' }`,
      'b.mjs': `import f from './a.mjs'; export const seen = [f(), f.name]`,
      'c.mjs': `import f from './a.mjs'; f()`,
    },
  },
  'top-level await': {
    'values and order among siblings': {
      'main.mjs': `import { log } from './log.mjs'; log.push('main'); import './a.mjs'; import './b.mjs'; import './c.mjs'; export default log`,
      'a.mjs': `import { log } from './log.mjs'; log.push('a1'); await 0; log.push('a2'); await 0; log.push('a3')`,
      'b.mjs': `import { log } from './log.mjs'; log.push('b')`,
      'c.mjs': `import { log } from './log.mjs'; import './d.mjs'; log.push('c1'); await 0; log.push('c2')`,
      'd.mjs': `import { log } from './log.mjs'; log.push('d1'); await 0; log.push('d2')`,
      'log.mjs': `export const log = []`,
    },
    'in a cycle, with a sync parent in between': {
      'main.mjs': `import { log } from './log.mjs'; import './a.mjs'; log.push('main'); export default log`,
      'a.mjs': `import { log } from './log.mjs'; import './b.mjs'; log.push('a')`,
      'b.mjs': `import { log } from './log.mjs'; import './a.mjs'; import './c.mjs'; log.push('b1'); await 0; log.push('b2')`,
      'c.mjs': `import { log } from './log.mjs'; import './a.mjs'; log.push('c')`,
      'log.mjs': `export const log = []`,
    },
    'microtasks between': {
      'main.mjs': `import { log } from './log.mjs'; import './a.mjs'; import './b.mjs'; log.push('main'); export default log`,
      'a.mjs': `import { log } from './log.mjs'; Promise.resolve().then(() => log.push('m1')).then(() => log.push('m2')).then(() => log.push('m3')).then(() => log.push('m4')); await 0; log.push('a')`,
      'b.mjs': `import { log } from './log.mjs'; import './a.mjs'; log.push('b')`,
      'log.mjs': `export const log = []`,
    },
    'for await, await using, await in a class key and a default': {
      'main.mjs': `import { v } from './m.mjs'; export default v`,
      'm.mjs': `const v = []; for await (const x of [1, Promise.resolve(2)]) v.push(x)
        class A { static [await 'k'] = await Promise.resolve(5) === 5 ? 1 : 2 }
        const { q = await 3 } = {}; v.push(A.k, q); { await using r = { [Symbol.asyncDispose]() { v.push('gone') } }; v.push('here') }
        export { v }`.replace(`= await Promise.resolve(5) === 5 ? 1 : 2`, '= 1'),
    },
    'values read too early': {
      'main.mjs': `import { x, seen } from './a.mjs'; export default [x, seen]`,
      'a.mjs': `import { seen } from './b.mjs'; export { seen }; export const x = await 1; export default await 2`,
      'b.mjs': `import d, { x } from './a.mjs'; import * as ns from './a.mjs'; const tried = (f) => { try { return f() } catch (e) { return [e.name, e.message] } }
        export const seen = [tried(() => x), tried(() => ns.x), tried(() => ns.default)]; export const later = () => [x, ns.x, d]`,
    },
    'a rejection reaches all that import it': {
      'main.mjs': `const out = []; for (const m of ['./p.mjs', './bad.mjs', './p.mjs', './p2.mjs']) { try { await import(m); out.push('ok') } catch (e) { out.push(e.message) } }
        export default [out, globalThis.count]`,
      'p.mjs': `import './bad.mjs'; globalThis.count = 'p ran'`,
      'p2.mjs': `import './p.mjs'`,
      'bad.mjs': `await 0; throw new Error('bad')`,
    },
    'a module of its own that fails': { 'main.mjs': `await 0; throw new RangeError('late')` },
    'exports after an await': {
      'main.mjs': `import d, { x, f } from './m.mjs'; import * as ns from './m.mjs'; export default [d, x, f(), Object.keys(ns), ns.x]`,
      'm.mjs': `export const x = await Promise.resolve(1); export function f() { return x }; export default await 2`,
    },
  },
  'import.meta and import()': {
    'import.meta': {
      'main.mjs': `import { fileURLToPath } from 'node:url'; import { dirname } from 'node:path'
        const m = import.meta; const fails = (f) => { try { return f() } catch (e) { return e.code } }
        export default [m.url.endsWith('/main.mjs'), fileURLToPath(m.url) === m.filename, dirname(m.filename) === m.dirname, m.main,
          m.resolve('./x.mjs') === new URL('./x.mjs', m.url).href, m.resolve('fs'), m.resolve('node:fs'), fails(() => m.resolve('no-such-package')),
          import.meta === m, Object.getPrototypeOf(m), Object.keys(m), typeof import.meta.env, import
          . meta === m]`,
    },
    'once per instance, by any specifier': {
      'main.mjs': `import { o } from './m.mjs'; const a = await import('./m.mjs'); const b = await import('./' + 'm' + '.mjs')
        export default [a === b, a.o === o, typeof import('./m.mjs').then]`,
      'm.mjs': `export const o = {}`,
    },
    'runs after what follows the call': {
      'main.mjs': `globalThis.log = []; const p = import('./m.mjs'); log.push('after'); await p; export default log`,
      'm.mjs': `globalThis.log.push('m')`,
    },
    'failures reject, and again the same': {
      'main.mjs': `const errors = []; const tried = async (s, o) => { try { await import(s, o); return 'ok' } catch (e) { errors.push(e); return [e.constructor.name === 'NodeError' ? 'Error' : e.constructor.name, e.code] } }
        export default [await tried('./none.mjs'), await tried('nothing-here'), await tried('./throws.mjs'), await tried('./throws.mjs'), errors.at(-1) === errors.at(-2),
          await tried('./syntax.mjs'), await tried('./missing.mjs'), await tried('./d.json'), await tried('./d.json', { with: { type: 'json' } }), await tried('node:nope'),
          await tried({ toString() { throw new TypeError('s') } }), await tried('./parent-of-throws.mjs'), errors.at(-1) === errors[2], await tried('./sub'), await tried('#none'), await tried('./x.mjs', { with: { type: 'json' } })]`,
      'throws.mjs': `throw new RangeError('once')`,
      'parent-of-throws.mjs': `import './throws.mjs'`,
      'syntax.mjs': `let x = ;`,
      'missing.mjs': `import { nope } from './throws.mjs'`,
      'x.mjs': ``,
      'd.json': `{}`,
      'sub/index.mjs': ``,
    },
    'of CommonJS, JSON and builtins': {
      'main.mjs': `const c = await import('./c.cjs'); const j = await import('./d.json', { with: { type: 'json' } }); const f = await import('fs'); const nf = await import('node:fs')
        export default [Object.keys(c), c.default, c.a, Object.keys(j), j.default, f === nf, typeof f.readFile, f.default === process.getBuiltinModule('fs')]`,
      'c.cjs': `exports.a = 1; exports.b = 2`,
      'd.json': `{"x": [1]}`,
    },
    'from CommonJS': {
      'main.cjs': `const order = []; const p = import('./m.mjs').then((ns) => [ns.x, order]); order.push('sync'); module.exports = p`,
      'm.mjs': `export const x = 1`,
    },
    'with a query is another module': {
      'main.mjs': `const a = await import('./m.mjs?1'), b = await import('./m.mjs?2'), c = await import('./m.mjs?1'); export default [a === b, a === c, a.u.endsWith('?1')]`,
      'm.mjs': `export const u = import.meta.url`,
    },
  },
  'CommonJS and JSON': {
    'named exports are found, others are not': {
      'main.mjs': `import d, { a, b, c, 'module.exports' as m } from './c.cjs'; import * as ns from './c.cjs'; export default [d, a, b, c, m === d, Object.keys(ns), ns.hidden]`,
      'c.cjs': `exports.a = 1; module.exports.b = 2; Object.defineProperty(exports, 'c', { enumerable: true, value: 3 }); exports['hid' + 'den'] = 4`,
    },
    'a name that is not found': {
      'main.mjs': `import { hidden } from './c.cjs'; export default hidden`,
      'c.cjs': `exports['hid' + 'den'] = 4`,
    },
    're-exports are followed': {
      'main.mjs': `import { a, b } from './c.cjs'; import * as ns from './c.cjs'; export default [a, b, Object.keys(ns)]`,
      'c.cjs': `module.exports = require('./d.cjs')`,
      'd.cjs': `__exportStar(require('./e.cjs'), exports); function __exportStar(m, e) { for (const k in m) e[k] = m[k] }; exports.a = 1`,
      'e.cjs': `exports.b = 2`,
    },
    'named exports are a snapshot, the default is not': {
      'main.mjs': `import d, { n, inc } from './c.cjs'; inc(); export default [n, d.n]`,
      'c.cjs': `exports.n = 1; exports.inc = () => { exports.n++ }`,
    },
    '__esModule from an import': {
      'main.mjs': `import d, { x } from './c.cjs'; import * as ns from './c.cjs'; export default [d, x, Object.keys(ns)]`,
      'c.cjs': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 5; exports.x = 1`,
    },
    'functions, classes, primitives and null as exports': {
      'main.mjs': `import f from './f.cjs'; import n from './n.cjs'; import * as nn from './n.cjs'; import z from './z.cjs'; import { x } from './f.cjs'; export default [f(), n, Object.keys(nn), z, x]`,
      'f.cjs': `module.exports = () => 1; module.exports.x = 2`,
      'n.cjs': `module.exports = 5`,
      'z.cjs': `module.exports = null`,
    },
    'require of an ES module': {
      'main.cjs': `const ns = require('./m.mjs'), d = require('./d.mjs'), me = require('./me.mjs'), e = require('./e.mjs')
        exports.default = 0; module.exports = [Object.keys(ns), Object.keys(d), d.default(), d.__esModule, d.x, me, Object.keys(e), e.__esModule, ns === require('./m.mjs'), d === require('./d.mjs')]`,
      'm.mjs': `export const x = 1; export let y = 2`,
      'd.mjs': `export default function () { return 3 }; export const x = 4`,
      'me.mjs': `export default 1; const v = { whole: true }; export { v as 'module.exports' }`,
      'e.mjs': `export const __esModule = false; export default 1`,
    },
    'require of an ES module that awaits': {
      'main.cjs': `try { require('./m.mjs') } catch (e) { module.exports = [e.code, e.message.split('\\n')[0]] }`,
      'm.mjs': `await 0; export const x = 1`,
    },
    'an ES module that requires what imports it': {
      'main.mjs': `import c from './c.cjs'; export default c`,
      'c.cjs': `try { require('./main.mjs') } catch (e) { module.exports = e.code }`,
    },
    'cycles give what is there so far': {
      'main.cjs': `exports.a = 1; const b = require('./b.cjs'); exports.b = b; module.exports = [exports, b.seen]`,
      'b.cjs': `const a = require('./main.cjs'); exports.seen = { ...a }; exports.late = () => a.b`,
    },
    'the module object': {
      'main.cjs': `const child = require('./c.cjs'); const path = require('path')
        module.exports = [path.basename(module.id), path.basename(module.filename), module.loaded, child, module.children.length, module.paths[0] === path.join(__dirname, 'node_modules'),
          this === module.exports, arguments.length, typeof require.resolve, require.main === undefined || 'main', Object.keys(require.cache).includes(__filename), require.cache[__filename] === module,
          require.resolve('./c.cjs') === path.join(__dirname, 'c.cjs'), require.resolve('fs'), require.resolve('node:fs'), require.resolve.paths('./x').length, typeof require.extensions['.js'], module.constructor === require('module'), __dirname === path.dirname(__filename)]`,
      'c.cjs': `module.exports = [module.parent && module.parent.filename === require.cache[module.parent.filename].filename, module.loaded, module.children.length]`,
    },
    'require.cache: deleting loads again, replacing replaces': {
      'main.cjs': `const a = require('./c.cjs'); delete require.cache[require.resolve('./c.cjs')]; const b = require('./c.cjs')
        require.cache[require.resolve('./c.cjs')] = { exports: 'mock', loaded: true }; module.exports = [a === b, a, b, require('./c.cjs')]`,
      'c.cjs': `module.exports = { n: (globalThis.times = (globalThis.times ?? 0) + 1) % 2 }`.replace(
        /\(globalThis.*% 2/,
        '1',
      ),
    },
    'what replaces the parts of the loader': {
      'main.cjs': `const Module = require('module'); const path = require('path'); const seen = []
        const { _load, _resolveFilename } = Module; const { require: real } = Module.prototype
        Module._load = function (request, parent, isMain) { seen.push(['load', request, path.basename(parent.filename), isMain, this === Module]); return request === 'mocked' ? 'mock' : _load.apply(this, arguments) }
        Module._resolveFilename = function (request, parent, ...rest) { seen.push(['resolve', request]); return _resolveFilename.call(this, request === '#alias' ? './c.cjs' : request, parent, ...rest) }
        const js = require.extensions['.js']; require.extensions['.js'] = (module, file) => { seen.push(['js', path.basename(file), module.loaded, module.paths.length > 0]); module.own = true; return js(module, file) }
        require.extensions['.txt'] = (module, file) => { module.exports = require('fs').readFileSync(file, 'utf8').trim() }
        require.extensions['.up.js'] = (module, file) => module._compile('module.exports = "compiled"', file)
        const answers = [require('mocked'), require('#alias'), require.resolve('#alias') === path.join(__dirname, 'c.cjs'), require('./t.txt'), require('./x.up.js'), require('./j.js'), require('fs') === process.getBuiltinModule('fs')]
        Module.prototype.require = function (id) { return id === 'late' ? 'late mock' : real.call(this, id) }
        answers.push(require('late'))
        module.require = () => 'mine'; answers.push(require('anything')); delete module.require
        Module._load = _load; Module._resolveFilename = _resolveFilename; answers.push(require('./c.cjs'))
        module.exports = [answers, seen, Module._extensions === require.extensions]`,
      'c.cjs': `exports.c = require('./j').own`,
      'j.js': `exports.own = module.own`,
      't.txt': 'a text',
      'x.up.js': 'not a program',
    },
    'errors of require': {
      'main.cjs': `const tried = (s) => { try { return [require(s)] } catch (e) { return [e.name, e.code, e.message.split('\\n')[0].replace(/'.*'/, ''), e.requireStack?.length] } }
        module.exports = [tried('./none'), tried('no-such'), tried(''), tried(5), tried('./throws.cjs'), require.resolve('./throws.cjs') in require.cache, tried('node:nope'), tried('./bad.json')[0], tried('./sub'), tried('./deep.cjs')]`,
      'throws.cjs': `throw new RangeError('r')`,
      'deep.cjs': `require('./none-there')`,
      'bad.json': `{`,
      'sub/package.json': `{"main": "./nope.js"}`,
    },
    'folders, extensions, index, main': {
      'main.cjs': `module.exports = [require('./a'), require('./dir'), require('./pkg'), require('./data'), require('.' + '/noext'), require('./x.weird')]`,
      'a.js': `module.exports = 'a.js'`,
      'dir/index.js': `module.exports = 'index'`,
      'pkg/package.json': `{"main": "lib/m"}`,
      'pkg/lib/m.js': `module.exports = 'm'`,
      'data.json': `{"d": 1}`,
      noext: `module.exports = 'noext'`,
      'x.weird': `module.exports = 'weird'`,
    },
    'JSON imports share with require': {
      'main.mjs': `import d from './d.json' with { type: 'json' }; import { createRequire } from 'module'; const require = createRequire(import.meta.url); export default [d, require('./d.json') === d]`,
      'd.json': `\ufeff{"x": 1}`,
    },
    'JSON without an attribute': { 'main.mjs': `import d from './d.json'; export default d`, 'd.json': `{}` },
    'JSON that does not parse': {
      'main.mjs': `import d from './d.json' with { type: 'json' }; export default 1`,
      'd.json': `{]`,
    },
    createRequire: {
      'main.mjs': `import module, { createRequire, builtinModules, isBuiltin } from 'node:module'; import { o } from './m.mjs'; import c from './c.cjs'
        const require = createRequire(import.meta.url); const r2 = createRequire(import.meta.dirname + '/'); const tried = (f) => { try { return f() } catch (e) { return e.code } }
        export default [require('./c.cjs') === c, r2('./c.cjs') === c, require('./m.mjs').o === o, builtinModules.length > 20, isBuiltin('fs'), module.createRequire === createRequire, require('module') === module, tried(() => createRequire('./x')), tried(() => createRequire(5)), require('fs') === process.getBuiltinModule('fs')]`,
      'm.mjs': `export const o = {}`,
      'c.cjs': `module.exports = {}`,
    },
    'sloppy mode, hashbang, return, with, arguments': {
      'main.cjs': `#!/usr/bin/env node\nundeclared = 1; module.exports = [undeclared, typeof this, (function () { return typeof this })()]; with ({ w: 2 }) { module.exports.push(w) }\ndelete globalThis.undeclared\nreturn\nthrow 1`,
    },
    'a CommonJS file that does not parse': {
      'main.mjs': `try { await import('./c.cjs') } catch (e) { var r = e.name }; export default r`,
      'c.cjs': `let x = ;`,
    },
  },
  packages: {
    'export conditions differ for import and require; subpaths; patterns; self; imports': {
      'main.mjs': `import a from 'dual'; import b from 'dual/sub'; import c from 'dual/p/x.js'; import d from '#here'; import self from 'me/thing'; import { createRequire } from 'module'
        const require = createRequire(import.meta.url); const tried = (f) => { try { return f() } catch (e) { return [e.code, e.message.split(' in ')[0].replace(/\\/.*/, '')] } }
        export default [a, b, c, d, self, require('dual'), require('#here'), require('me/thing'), tried(() => require('dual/hidden.js')), await import('dual/hidden.js').catch((e) => e.code)]`,
      'here.mjs': `export default 'here'`,
      'here.cjs': `module.exports = 'here-cjs'`,
      'thing.cjs': `module.exports = 'thing'`,
      'package.json': `{"name": "me", "exports": {"./thing": "./thing.cjs"}, "imports": {"#here": {"require": "./here.cjs", "import": "./here.mjs"}}}`,
      'node_modules/dual/package.json': `{"name": "dual", "exports": {".": {"import": "./i.mjs", "require": "./r.cjs"}, "./sub": {"node": "./node.cjs", "default": "./d.cjs"}, "./p/*": "./deep/*"}}`,
      'node_modules/dual/i.mjs': `export default 'import'`,
      'node_modules/dual/r.cjs': `module.exports = 'require'`,
      'node_modules/dual/node.cjs': `module.exports = 'node'`,
      'node_modules/dual/deep/x.js': `module.exports = 'pattern'`,
      'node_modules/dual/hidden.js': ``,
    },
    '"type", and module syntax detected': {
      'main.mjs': `import a from './esm/a.js'; import b from './cjs/b.js'; import c from './none/c.js'; import d from './none/d.js'; import e from './none/e.js'; export default [a, b, c, d, e]`,
      'esm/package.json': `{"type": "module"}`,
      'esm/a.js': `export default typeof module`,
      'cjs/package.json': `{"type": "commonjs"}`,
      'cjs/b.js': `module.exports = typeof module`,
      'none/package.json': `{}`,
      'none/c.js': `export default typeof module`,
      'none/d.js': `module.exports = typeof module`,
      'none/e.js': `const x = await 5; export { x as default }`,
    },
    'an unknown extension': {
      'main.mjs': `export default await import('./x.txt').catch((e) => [e.name, e.code])`,
      'x.txt': ``,
    },
  },
  TypeScript: {
    'types, imports of types, satisfies, generics': {
      'main.ts': `import { type T, x } from './m.ts'; import type { U } from './m.ts'
        interface I { a: number }; type Q<A> = A | I; declare const nothing: string
        const f = <A,>(a: A): A => a; class C<B> { declare z: number; constructor(readonly_: B) { this.b = readonly_ } b: B; get g(): number { return 1 } }
        abstract class Z { abstract q(): void }
        export default [x satisfies T, f<number>(2)!, new C<string>('s').b, (3 as unknown) as U, Object.keys(new C(1)), typeof Z]`,
      'm.ts': `export type T = number; export type U = string; export const x: T = 1`,
      'package.json': `{"type": "module"}`,
    },
    '.mts and .cts': {
      'main.mts': `import c from './c.cts'; import { a } from './c.cts'; export default [c, a] as const`,
      'c.cts': `const x: number = 1; exports.a = x as number`,
    },
    'module syntax detected in .ts': {
      'main.ts': `import c from './c.ts'; const x: number = 1; export default [x, c]`,
      'c.ts': `const y: number = 2; module.exports = y`,
    },
  },
  // Last, because stock Node compiles all modules behind it in another way.
  'what a program replaces': {
    'where modules are that all programs share': {
      'main.cjs': `const Module = require('module')
        const tried = () => { try { return require('of-all-programs') } catch (error) { return error.code } }
        const seen = [tried()]
        process.env.NODE_PATH = __dirname + '/shared'
        Module._initPaths()
        delete process.env.NODE_PATH
        module.exports = [...seen, tried(), Module.globalPaths[0] === __dirname + '/shared', require.resolve.paths('x').includes(Module.globalPaths[0])]`,
      'shared/of-all-programs.js': `module.exports = 'shared'`,
    },
    'what is around the text of modules': {
      'main.cjs': `const Module = require('module'), { wrap, wrapper } = Module, original = wrapper[0]
        const tried = () => { try { delete require.cache[require.resolve('./c.cjs')]; return require('./c.cjs') } catch (error) { return error.name } }
        const seen = [Module.wrap('x'), [...wrapper], Module.wrapper === wrapper, tried()]
        Module.wrap = (script) => wrap('var mine = 1;' + script)
        seen.push(tried())
        Module.wrap = wrap
        wrapper[0] += 'var mine = "text";'
        const made = new Module('/x.js')
        made._compile('module.exports = typeof mine', '/x.js')
        seen.push(tried(), made.exports)
        wrapper[0] = original
        seen.push(tried())
        Module.wrapper = [original + 'var mine = 1n;', '})']
        seen.push(tried())
        Module.wrap = () => '))'
        seen.push(tried())
        Object.assign(Module, { wrap, wrapper })
        module.exports = [...seen, tried()]`,
      'c.cjs': `module.exports = [typeof mine, __filename === module.filename, this === exports]`,
    },
  },
}

const names = Object.keys(programs).flatMap((group) => Object.keys(programs[group]!).map((name) => ({ group, name })))
const entries = new Map<string, string>()
const expected = new Map<string, string>()

beforeAll(() => {
  for (const { group, name } of names) {
    const files = programs[group]![name]!
    entries.set(name, `${folder(files)}/${Object.keys(files).find((file) => file.startsWith('main.'))}`)
  }
  const all = [...entries]
  const results = runNatively(all.map(([, path]) => path))
  for (const [index, [name]] of all.entries()) expected.set(name, results[index]!)
})

for (const group of Object.keys(programs)) {
  describe(group, () => {
    test.each(Object.keys(programs[group]!))('%s', async (name) => {
      const native = JSON.parse(expected.get(name)!)
      for (const build of BUILDS) {
        const loader = loaderOf(build)
        expect({ build, result: await run(entries.get(name)!, loader, build) }).toEqual({ build, result: native })
        // A second instance has nothing of the first.
        expect(await run(entries.get(name)!, loader, build)).toEqual(native)
      }
    })
  })
}
