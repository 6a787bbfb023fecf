/**
 * Modules in files that the program wrote, moved, linked or removed. Every program runs in norn's
 * loader over the overlay, in all builds, and then in stock Node over the disk, in the same folder.
 */
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { world } from '../world/files/world.ts'
import { BUILDS, type Build, type Files, folder, newLoader, run, runNatively } from './programs.ts'

/** What every program here has: its folder, ways to write, and what a step came to. */
const PROLOGUE = `import fs from 'node:fs'
import { copyFile, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
const here = import.meta.dirname, require = createRequire(import.meta.url), seen = []
const write = (name, text) => { fs.mkdirSync(join(here, name, '..'), { recursive: true }); fs.writeFileSync(join(here, name), text) }
const step = async (act) => {
  try { seen.push(await act()) } catch (error) { seen.push([error.name, error.code, error.message.split('\\n')[0]]) }
}
export default seen
`

const programs: Record<string, Record<string, { readonly does: string; readonly files?: Files }>> = {
  'written and imported': {
    'by writeFileSync': { does: `write('m.mjs', 'export const v = 1'); await step(() => import('./m.mjs'))` },
    'by fs.promises': {
      does: `await writeFile(join(here, 'm.mjs'), 'export const v = 1'); await step(() => import('./m.mjs'))`,
    },
    'by a stream': {
      does: `await new Promise((ok) => fs.createWriteStream(join(here, 'm.mjs')).on('close', ok).end('export const v = 1'))
        await step(() => import('./m.mjs'))`,
    },
    'through a descriptor': {
      does: `const fd = fs.openSync(join(here, 'm.mjs'), 'w'); fs.writeSync(fd, 'export const v'); fs.writeSync(fd, ' = 1')
        fs.closeSync(fd); await step(() => import('./m.mjs'))`,
    },
    'in a folder of mkdtemp': {
      does: `const made = await mkdtemp(join(here, 'made-')); await writeFile(join(made, 'm.mjs'), 'export const v = import.meta.filename')
        await step(async () => relative(made, (await import(join(made, 'm.mjs'))).v))
        await step(async () => relative(made, (await import(pathToFileURL(join(made, 'm.mjs')))).v))`,
    },
    'copied, renamed, linked': {
      files: { 'real.mjs': 'export const from = import.meta.url.slice(-8)' },
      does: `await copyFile(join(here, 'real.mjs'), join(here, 'copy.mjs')); await step(() => import('./copy.mjs'))
        await rename(join(here, 'copy.mjs'), join(here, 'kept.mjs')); await step(() => import('./kept.mjs'))
        await step(() => import('./copy.mjs')); fs.linkSync(join(here, 'real.mjs'), join(here, 'hard.mjs'))
        await step(() => import('./hard.mjs')); await symlink('real.mjs', join(here, 'soft.mjs'))
        await step(() => import('./soft.mjs')); await step(async () => await import('./soft.mjs') === await import('./real.mjs'))
        await step(() => relative(here, require.resolve('./soft.mjs')))`,
    },
    'in a folder that is renamed and linked': {
      does: `write('a/m.mjs', 'export const url = import.meta.url.slice(-7)'); await step(() => import('./a/m.mjs'))
        fs.renameSync(join(here, 'a'), join(here, 'b')); await step(() => import('./b/m.mjs'))
        fs.symlinkSync('b', join(here, 'c')); await step(() => import('./c/m.mjs'))
        await step(async () => await import('./b/m.mjs') === await import('./c/m.mjs'))`,
    },
    'every kind of file': {
      does: `write('m.mjs', 'export default 1'); write('c.cjs', 'exports.x = 2; exports.name = __filename.slice(-5)')
        write('t.mts', 'export const t: number = 3; enum E { A }; export const e = E.A'.replace(/enum.*/, ''))
        write('u.cts', 'const u: number = 4; module.exports = { u }'); write('j.json', '{ "j": 5 }')
        for (const each of ['m.mjs', 'c.cjs', 't.mts', 'u.cts']) { await step(() => import('./' + each)); await step(() => require('./' + each)) }
        await step(() => import('./j.json', { with: { type: 'json' } })); await step(() => import('./j.json'))
        await step(() => require('./j.json')); await step(() => require('./j')); await step(() => require('./c'))
        write('no.xyz', ''); await step(() => import('./no.xyz')); await step(() => require('./no.xyz'))`,
    },
    'what import.meta has': {
      does: `write('deep/m.mjs', \`export const meta = [import.meta.url, import.meta.dirname, import.meta.filename,
          import.meta.resolve('./n.mjs'), import.meta.resolve('node:fs')]; export default import.meta.resolve\`)
        await step(() => import('./deep/m.mjs')); await step(() => import('./deep/m.mjs?q#h'))
        await step(async () => (await import('./deep/m.mjs')).default('bare'))`,
    },
    'with imports of written and of real files': {
      files: { 'real.mjs': `import { w } from './written.mjs'; export const r = w + 1` },
      does: `await step(() => import('./real.mjs')); write('written.mjs', \`import './real.mjs'; export const w = 1; import * as me from './written.mjs'; export const isMe = (other) => other === me\`)
        await step(() => import('./real.mjs')); await step(() => import('./written.mjs'))
        await step(async () => (await import('./written.mjs')).isMe(await import('./written.mjs')))`,
    },
    'with top-level await, cycles and errors': {
      does: `write('a.mjs', \`import { b } from './b.mjs'; export const a = await Promise.resolve('a'); export const seen = () => b\`)
        write('b.mjs', \`import './a.mjs'; export const b = 'b'\`); await step(async () => (await import('./a.mjs')).seen())
        await step(() => require('./a.mjs')); write('bad.mjs', 'export const = 1'); await step(async () => { try { await import('./bad.mjs') } catch (e) { return e.name } })
        write('bad.cjs', 'const = 1'); await step(() => { try { require('./bad.cjs') } catch (e) { return e.name } })
        write('bad.json', '{'); await step(() => { try { require('./bad.json') } catch (e) { return e.name } })
        write('throws.mjs', 'throw new TypeError("at once")'); await step(() => import('./throws.mjs')); await step(() => import('./throws.mjs'))
        write('lacks.mjs', \`import { none } from './b.mjs'\`); await step(() => import('./lacks.mjs'))`,
    },
  },
  'changed after it was loaded': {
    'a module stays, a query loads it anew': {
      does: `write('m.mjs', 'export const v = 1'); await step(() => import('./m.mjs')); write('m.mjs', 'export const v = 2')
        await step(() => import('./m.mjs')); await step(() => import('./m.mjs?2')); write('m.mjs', 'export const v = 3')
        await step(() => import('./m.mjs?2')); await step(() => import('./m.mjs#3')); await step(() => require('./m.mjs'))`,
    },
    'a module of the disk': {
      files: { 'm.mjs': 'export const v = 1', 'n.mjs': 'export const v = 1', 'user.mjs': `export * from './n.mjs'` },
      does: `await step(() => import('./m.mjs')); write('m.mjs', 'export const v = 2'); await step(() => import('./m.mjs'))
        await step(() => import('./m.mjs?2')); write('n.mjs', 'export const v = 2'); await step(() => import('./user.mjs'))
        fs.appendFileSync(join(here, 'n.mjs'), '; export const more = 1'); await step(() => import('./n.mjs')); await step(() => import('./n.mjs?'))
        fs.truncateSync(join(here, 'user.mjs'), 0); await step(() => import('./user.mjs?')); `,
    },
    'a module that is removed': {
      files: { 'm.mjs': 'export const v = 1', 'n.mjs': 'export const v = 1', 'c.cjs': 'module.exports = 1' },
      does: `await step(() => import('./m.mjs')); await unlink(join(here, 'm.mjs')); await step(() => import('./m.mjs')); await step(() => import('./m.mjs?2'))
        await unlink(join(here, 'n.mjs')); await step(() => import('./n.mjs')); await step(() => require('./c.cjs'))
        await rm(join(here, 'c.cjs')); await step(() => require('./c.cjs')); delete require.cache[join(here, 'c.cjs')]
        await step(() => { try { return require('./c.cjs') } catch (e) { return e.code } }); await step(() => import.meta.resolve('./n.mjs').slice(-5))`,
    },
    'a CommonJS module, by its cache': {
      does: `write('c.cjs', 'module.exports = { n: 1 }'); await step(() => require('./c.cjs')); write('c.cjs', 'module.exports = { n: 2 }')
        await step(() => require('./c.cjs')); delete require.cache[require.resolve('./c.cjs')]; await step(() => require('./c.cjs'))
        await step(() => import('./c.cjs')); write('c.cjs', 'exports.n = 3'); await step(async () => (await import('./c.cjs?3')).default)
        await step(() => Object.keys(require.cache).map((each) => relative(here, each)).filter((each) => each[0] !== '.'))`,
    },
    JSON: {
      does: `const json = { with: { type: 'json' } }; write('j.json', '1'); await step(() => require('./j.json')); write('j.json', '2')
        await step(() => require('./j.json')); delete require.cache[join(here, 'j.json')]; await step(() => require('./j.json'))
        write('k.json', '1'); await step(() => import('./k.json', json)); write('k.json', '2'); await step(() => import('./k.json', json))
        await step(() => import('./k.json?2', json)); await step(() => require('./k.json'))`,
    },
    'an attempt that failed': {
      does: `await step(() => import('./m.mjs')); await step(() => require('./c.cjs')); write('m.mjs', 'export default 1'); write('c.cjs', 'exports.x = 1')
        await step(() => import('./m.mjs')); await step(() => require('./c.cjs')); write('bad.cjs', 'throw new Error("first")')
        await step(() => require('./bad.cjs')); write('bad.cjs', 'module.exports = "second"'); await step(() => require('./bad.cjs'))`,
    },
  },
  packages: {
    'a folder with a package.json': {
      does: `write('lib/package.json', '{ "main": "start" }'); write('lib/start.js', 'module.exports = __filename.slice(-8)')
        await step(() => require('./lib')); await step(() => import('./lib')); write('lib2/index.js', 'exports.i = 1')
        await step(() => require('./lib2')); write('lib3/package.json', '{ "main": "none" }'); await step(() => require('./lib3'))`,
    },
    'in node_modules, with exports and without': {
      does: `write('node_modules/old/package.json', '{ "main": "lib/m" }'); write('node_modules/old/lib/m.js', 'exports.old = 1'); write('node_modules/old/x.js', 'exports.x = 1')
        await step(() => import('old')); await step(() => require('old')); await step(() => import('old/x.js')); await step(() => require('old/x')); await step(() => import('old/x'))
        write('node_modules/@s/new/package.json', '{ "name": "@s/new", "exports": { ".": { "import": "./i.mjs", "require": "./r.cjs" }, "./sub/*": "./sub/*.mjs" } }')
        write('node_modules/@s/new/i.mjs', 'export * from "@s/new/sub/one"; export const i = 1'); write('node_modules/@s/new/r.cjs', 'exports.r = 1'); write('node_modules/@s/new/sub/one.mjs', 'export const one = 1')
        await step(() => import('@s/new')); await step(() => require('@s/new')); await step(() => import('@s/new/sub/one')); await step(() => import('@s/new/none')); await step(() => require('@s/new/none'))
        write('node_modules/bare/index.js', 'exports.bare = 1'); await step(() => import('bare')); await step(() => require('bare'))
        await step(() => import('nowhere')); await step(() => require('nowhere')); await step(() => require.resolve('old/lib/m.js').slice(-8))`,
    },
    'with imports of its own': {
      does: `write('pkg/package.json', '{ "type": "module", "imports": { "#a": "./a.js", "#b": "./node_modules/b/index.js" } }'); write('pkg/a.js', 'export const a = import.meta.url.slice(-8)')
        write('pkg/m.js', 'export * from "#a"'); await step(() => import('./pkg/m.js')); write('pkg/n.js', 'export * from "#none"'); await step(() => import('./pkg/n.js'))
        write('pkg/r.cjs', 'module.exports = require("#a")'); await step(() => require('./pkg/r.cjs'))`,
    },
    'whose type decides the format': {
      does: `write('esm/package.json', '{ "type": "module" }'); write('esm/m.js', 'export const kind = typeof require'); await step(() => import('./esm/m.js'))
        write('cjs/package.json', '{ "type": "commonjs" }'); write('cjs/c.js', 'exports.kind = typeof require'); await step(() => import('./cjs/c.js')); await step(() => require('./cjs/c.js'))
        write('none/d.js', 'export const detected = 1'); await step(() => import('./none/d.js'))`,
    },
    'that were read before they changed': {
      files: { 'package.json': '{ "type": "module" }', 'a.js': 'export const a = typeof require' },
      does: `await step(() => import('./a.js')); write('package.json', '{ "type": "commonjs" }'); write('b.js', 'export const b = typeof require'); await step(() => import('./b.js'))`,
    },
    'that are broken': {
      does: `write('broken/package.json', '{'); write('broken/m.js', ''); await step(async () => { try { await import('./broken/m.js') } catch (e) { return e.code } })`,
    },
  },
  'ways to ask': {
    'createRequire, require.resolve, paths': {
      does: `write('deep/er/c.cjs', 'exports.c = 1'); write('deep/c.cjs', 'module.exports = module.parent?.id ?? null'); const deep = createRequire(join(here, 'deep/er/'))
        await step(() => deep('./c.cjs')); await step(() => relative(here, deep.resolve('../c.cjs'))); await step(() => relative(here, require.resolve('./c.cjs', { paths: [join(here, 'deep')] })))
        await step(() => require.resolve('./none.cjs')); await step(() => createRequire(pathToFileURL(join(here, 'deep/x.js')))('./er/c.cjs')); await step(() => require(join(here, 'deep/er/c.cjs')))`,
    },
    'module.constructor and findPackageJSON': {
      files: {
        'own.cjs': `exports.Class = module.constructor; exports.load = (name) => module.constructor._load(name, module)`,
      },
      does: `write('w.cjs', 'exports.w = 1'); write('pkg/package.json', '{ "name": "pkg" }'); write('pkg/deep/x.js', '')
        const { Class, load } = require('./own.cjs'), Module = require('module'); await step(() => [Class === Module, load('./w.cjs') === require('./w.cjs'), Class.createRequire(import.meta.url)('./w.cjs') === require('./w.cjs')])
        await step(() => relative(here, Module.findPackageJSON(pathToFileURL(join(here, 'pkg/deep/x.js')))))`,
    },
    'from CommonJS': {
      files: {
        'start.cjs': `module.exports = async (write) => { write('w.mjs', 'export const w = 1'); return [require('./w.mjs').w, (await import('./w.mjs')).w] }`,
      },
      does: `await step(() => require('./start.cjs')(write))`,
    },
    'from evaluated code': {
      does: `write('w.mjs', 'export const w = 1'); await step(() => (0, eval)("import('./w.mjs')")); await step(() => new Function("return import('./w.mjs')")()); await step(() => eval("import('./none.mjs')"))`,
    },
    'from a written module': {
      does: `write('a.mjs', \`export default (name) => import(name); export const evaluated = () => (0, eval)("import('./b.mjs')")\`); write('b.mjs', 'export const b = 1')
        const { default: load, evaluated } = await import('./a.mjs'); await step(() => load('./b.mjs')); await step(evaluated); await step(() => load('./c.mjs'))`,
    },
    'a file that is no module': {
      does: `await step(() => import('./none.mjs')); await step(() => import('./')); fs.mkdirSync(join(here, 'empty')); await step(() => import('./empty')); await step(() => require('./empty'))
        await symlink('nowhere.mjs', join(here, 'dangling.mjs')); await step(() => import('./dangling.mjs'))`,
    },
  },
}

function runOverlaid(path: string, build: Build): Promise<unknown> {
  const { files, outside, run: within } = world()
  const coverage = build === 'plain' ? {} : { coverage: { include: () => true } }
  return within(() => run(path, newLoader({ files: files.program, outside, ...coverage }), build))
}

const paths = new Map<string, string>()
const natively = new Map<string, unknown>()
const before = new Map<string, string[]>()

beforeAll(() => {
  for (const [group, each] of Object.entries(programs)) {
    for (const [name, { does, files = {} }] of Object.entries(each)) {
      const root = folder({ ...files, 'main.mjs': `${PROLOGUE}${does}\n` })
      paths.set(`${group}: ${name}`, `${root}/main.mjs`)
      before.set(`${group}: ${name}`, readdirSync(root))
    }
  }
})

/** Stock Node runs last, since it changes the disk. */
function expected(name: string): unknown {
  if (natively.size === 0) {
    const results = runNatively([...paths.values()])
    for (const [index, each] of [...paths.keys()].entries()) natively.set(each, JSON.parse(results[index]!))
  }
  return natively.get(name)
}

const overlaid = new Map<string, unknown>()
beforeAll(async () => {
  for (const [name, path] of paths) {
    for (const build of BUILDS) overlaid.set(`${name}, ${build}`, await runOverlaid(path, build))
    overlaid.set(`${name}, again`, await runOverlaid(path, 'plain'))
    expect(readdirSync(path.slice(0, -'/main.mjs'.length))).toEqual(before.get(name))
  }
})

for (const [group, each] of Object.entries(programs)) {
  describe(group, () => {
    for (const name of Object.keys(each)) {
      for (const build of [...BUILDS, 'again']) {
        test(`${name}, ${build}`, () => {
          expect(expected(`${group}: ${name}`), 'every step has a result').toBeInstanceOf(Array)
          expect(overlaid.get(`${group}: ${name}, ${build}`)).toEqual(expected(`${group}: ${name}`))
        })
      }
    }
  })
}
