/**
 * The core in environments without Node: what it imports, and what a bundle of it does in a bare
 * context.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { MODULE_TEXTS } from '../src/node/module-texts.ts'

const PACKAGE = resolve(import.meta.dirname, '..')
const MODELS = resolve(PACKAGE, '../../models')
const IMPORT = /(?:^(?:import|export)\b[^'\n]*\bfrom|^\} from|^import) '([^']+)'$|\bimport\('([^']+)'\)/gm

/**
 * The imports that are not relative, of a module and all that it imports, with the file that has
 * each.
 */
function outerImports(entry: string): readonly string[] {
  const found: string[] = []
  const files = [entry]
  for (const file of files) {
    for (const [, named, lazy] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const specifier = named ?? lazy!
      const target = resolve(dirname(file), specifier)
      if (!specifier.startsWith('.')) found.push(`${specifier} in ${relative(PACKAGE, file)}`)
      else if (!files.includes(target)) files.push(target)
    }
  }
  expect(files.length).toBeGreaterThan(50)
  return found
}

test.each(['index.ts', 'engine.ts'])('%s reaches no builtin of Node and no other package', (entry) => {
  const outer = outerImports(join(PACKAGE, 'src', entry)).filter((found) => !/^#shared\/[a-z-]+ in /.test(found))
  expect(outer).toEqual(['#module-texts in src/library/modules.ts'])
})

test('no file of the package imports norn', () => {
  const files = readdirSync(join(PACKAGE, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => name.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(100)
  for (const name of sources) {
    expect(readFileSync(join(PACKAGE, 'src', name), 'utf8'), name).not.toMatch(/from '(?:norn['/]|.*packages\/norn)/)
  }
})

/** The bundle of an entry for browsers, as an expression of its exports. */
async function bundled(entry: string): Promise<string> {
  const result = await build({
    stdin: { contents: entry, resolveDir: PACKAGE, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    logLevel: 'silent',
    conditions: ['norn-source'],
    plugins: [
      {
        name: 'module-texts',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^#module-texts$/ }, () => ({ path: 'module-texts', namespace: 'texts' }))
          onLoad({ filter: /.*/, namespace: 'texts' }, () => ({
            contents: `export const MODULE_TEXTS = new Map(${JSON.stringify([...MODULE_TEXTS])})`,
          }))
        },
      },
    ],
  })
  return result.outputFiles[0]!.text
}

test('a bundle for browsers checks a specification in a context without any global of Node', async () => {
  const code = await bundled("export * from './src/index.ts'")
  // Those that browsers have.
  const context = createContext({ performance: { now: () => 0 }, console: { log: () => {} } })
  runInContext(code, context)
  const read = (name: string) => readFileSync(join(MODELS, name), 'utf8')
  const texts = {
    module: read('TwoPhaseCommit.tla'),
    modules: { Transaction: read('Transaction.tla') },
    configuration: read('TwoPhaseCommit.cfg'),
  }
  const checked = runInContext(`bundle.checkSpecification(${JSON.stringify(texts)})`, context)
  expect(checked).toMatchObject({ result: 'passed', distinct: 288, generated: 1146, depth: 11 })
  const simulated = runInContext(`bundle.checkSpecification(${JSON.stringify(texts)}, { simulate: 5 })`, context)
  expect(simulated).toMatchObject({ result: 'passed', behaviours: 5 })
  const parsed = runInContext(`bundle.parseSpecification(${JSON.stringify(texts)})`, context)
  expect(parsed.variables).toEqual(['resource', 'coordinator', 'ready', 'messages'])
})
