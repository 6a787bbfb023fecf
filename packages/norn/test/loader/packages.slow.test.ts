/**
 * Published packages, loaded by us and by stock Node, do the same.
 */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILDS, folder, linkPackages, loaderOf, run, runNatively } from './programs.ts'

/** Gives the shape of a module: what it exports, of which types. */
const shape = `const shape = (o) => Object.fromEntries(Reflect.ownKeys(o).filter((k) => typeof k === 'string').sort().map((k) => [k, typeof o[k] + ' ' + (o[k]?.name ?? '')]))\n`

const shapes = [
  'fast-check',
  'acorn',
  'magic-string',
  'eslint-scope',
  'estree-walker',
  'picomatch',
  'postcss',
  'nanoid',
  'picocolors',
  'chai',
  'commander',
  'graceful-fs',
  'source-map-js',
  'tinyglobby',
  'fdir',
  'devalue',
  'cjs-module-lexer',
  'slide',
  'generic-pool-buggy',
  'write-file-atomic-buggy',
  'sonic-boom-buggy',
  'rotating-file-stream-buggy',
  'p-queue-buggy',
  'fastq-buggy',
  'lockfile-buggy',
  'steno-buggy',
  'mkdirp-buggy',
  'cinovo-logger-file-buggy',
]

const programs: Record<string, string> = {
  ...Object.fromEntries(
    shapes.map((name) => [
      `the exports of ${name}`,
      `import * as ns from '${name}'; import { createRequire } from 'module'\n${shape}
       let required; try { required = createRequire(import.meta.url)('${name}') } catch (e) { required = { error: e.code } }
       export default [shape(ns), typeof required, shape(Object(required)), ns.default ? shape(Object(ns.default)) : 0]`,
    ]),
  ),
  'fast-check finds and shrinks': `import fc from 'fast-check'
    const out = fc.check(fc.property(fc.array(fc.nat()), (a) => a.length < 4), { seed: 42 }); export default [out.counterexample, out.numShrinks, fc.sample(fc.record({ a: fc.string(), d: fc.date() }), { seed: 3, numRuns: 4 })]`,
  'acorn parses': `import { parse } from 'acorn'; export default parse('const a = async (x) => await x?.y ?? 1n', { ecmaVersion: 'latest' }).body.length`,
  'magic-string edits': `import MagicString from 'magic-string'; const s = new MagicString('let x = 1'); s.overwrite(4, 5, 'yy').prepend(';'); export default [s.toString(), s.generateMap({ hires: true }).mappings]`,
  'eslint-scope analyses': `import { analyze } from 'eslint-scope'; import { parse } from 'acorn'
    const scopes = analyze(parse('let a; { let b = a }', { ecmaVersion: 2022, ranges: true }), { ecmaVersion: 2022 }).scopes; export default scopes.map((s) => [s.type, s.variables.map((v) => v.name)])`,
  'postcss parses': `import postcss from 'postcss'; export default postcss([(root) => root.walkDecls((d) => { d.value = 'x' })]).process('a { b: c }', { from: undefined }).css`,
  'picomatch matches': `import picomatch from 'picomatch'; export default ['a.js', 'a.ts', 'b/c.js'].map(picomatch('**/*.js'))`,
  'generic-pool lends': `import pools from 'generic-pool-buggy'; let n = 0
    const pool = pools.createPool({ create: async () => ({ n: ++n }), destroy: async () => {} }, { max: 2 }); const a = await pool.acquire(), b = await pool.acquire(); await pool.release(a); const c = await pool.acquire()
    export default [a, b, c, pool.size, pool.borrowed]; await pool.release(b); await pool.release(c); await pool.drain(); await pool.clear()`,
  'write-file-atomic writes': `import write from 'write-file-atomic-buggy'; import fs from 'fs'; const file = import.meta.dirname + '/w-' + process.pid + Math.random()
    await new Promise((ok, fail) => write(file, 'hello', (e) => e ? fail(e) : ok())); export default fs.readFileSync(file, 'utf8')`,
  'sonic-boom writes': `import SonicBoom from 'sonic-boom-buggy'; import fs from 'fs'; const file = import.meta.dirname + '/s-' + process.pid + Math.random()
    const s = new SonicBoom(file); s.write('a\\n'); s.write('b\\n'); await new Promise((ok) => { s.on('finish', ok); s.end() }); export default fs.readFileSync(file, 'utf8')`,
  'rotating-file-stream writes': `import { createStream } from 'rotating-file-stream-buggy'; import fs from 'fs'; const dir = import.meta.dirname + '/r-' + process.pid + Math.random()
    const s = createStream('x.log', { path: dir, size: '10B' }); s.write('hello\\n'); await new Promise((ok) => s.end(ok)); export default fs.readFileSync(dir + '/x.log', 'utf8')`,
  'p-queue queues': `import PQueue from 'p-queue-buggy'; const q = new PQueue({ concurrency: 1 }); const out = []; q.add(async () => out.push(1)); q.add(async () => out.push(2), { priority: 1 }); q.add(() => Promise.resolve(out.push(3)), { priority: 5 }); await q.onIdle(); export default out`,
  'fastq queues': `import fastq from 'fastq-buggy'; const q = fastq.promise(async (x) => x * 2, 1); export default await Promise.all([q.push(1), q.push(2), q.unshift(3)])`,
  'lockfile locks': `import lock from 'lockfile-buggy'; const file = import.meta.dirname + '/l-' + process.pid + Math.random(); lock.lockSync(file); export default [lock.checkSync(file), lock.unlockSync(file), lock.checkSync(file)]`,
  'steno writes': `import steno from 'steno-buggy'; import fs from 'fs'; const dir = import.meta.dirname + '/m-' + process.pid + Math.random()
    fs.mkdirSync(dir); await new Promise((ok) => steno.writeFile(dir + '/f', 'x', ok)); export default fs.readFileSync(dir + '/f', 'utf8')`,
}

let root = ''
let expected: string[] = []
const names = Object.keys(programs)
const fileOf = (name: string) => join(root, `${names.indexOf(name)}.mjs`)

beforeAll(() => {
  root = folder(Object.fromEntries(names.map((name, index) => [`${index}.mjs`, programs[name]!])))
  linkPackages(root, shapes)
  expected = runNatively(names.map(fileOf))
})

describe('published packages', () => {
  describe.each(BUILDS)('%s', (build) => {
    const loader = loaderOf(build)
    test.each(names)('%s', async (name) => {
      const native = JSON.parse(expected[names.indexOf(name)]!)
      expect(await run(fileOf(name), loader, build)).toEqual(native)
      expect(await run(fileOf(name), loader, build)).toEqual(native)
    })
  })
})
