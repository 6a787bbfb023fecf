/**
 * Assertions without a message, whose errors quote the program: in the loader, in all builds, they
 * quote the text that stock Node quotes.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILDS, folder, repository } from './programs.ts'

/** Assertions that fail; in TypeScript, and in CommonJS without types. */
const assertions = (typed: boolean): string => `
const a${typed ? ': number' : ''} = 1, b${typed ? ': number' : ''} = 1, o = { assert, deep: { ok } }, seen${typed ? ': string[]' : ''} = []
const said = (act${typed ? ': () => void' : ''}) => { try { act() } catch (error) { seen.push(${typed ? '(error as Error)' : 'error'}.message) } }
said(() => { assert.ok(a !== b && a > 3) })
said(() => { assert(a !== b) })
said(() => ok(a !== b, undefined)); said(() => strict(a !== b)); said(() => strict.ok(a !== b))
said(() => (a === b) && strictly(a !== b))
said(() => assert['ok'](a > 3 ? a : false)); said(() => o.assert(a < b)); said(() => o.deep.ok(a < b || b < a))
said(() => assert?.ok(!a)); said(() => assert (!a)); said(() => (0, assert)(!a))
said(() => assert.ok(
  a !== b,
  undefined
))
said(() => { if (a !== b) assert.equal(a, 2); else assert(a${typed ? ' as number' : ''} === 3) })
said(() => assert.ok([1, 2].includes(a + 3)))
said(() => assert(new Map([[1, 2]]).has(a + 1) || \`x\${a}\` === 'y')); said(() => assert.ok())
said(() => { switch (a) { case b: assert(false) } })
said(() => assert.ok(typeof a === 'string', null)); said(() => assert(a === 2, 'mine')); said(() => assert.equal(a, 2))
said(() => { for (const each of [a]) assert.ok(each ?? b ? [].length : 0) })
const imported = () => import('node:fs'); said(() => assert(!imported))
`
const IMPORTS = `import assert, { ok, strict } from 'node:assert'\nimport strictly from 'node:assert/strict'`
const REQUIRES = `const assert = require('assert'), { ok, strict } = assert, strictly = require('node:assert/strict')`

const programs = {
  'main.mjs': `${IMPORTS}${assertions(false)}export default seen`,
  'main.ts': `${IMPORTS}\ninterface Unused { x: string }${assertions(true)}export default seen`,
  'main.cjs': `${REQUIRES}${assertions(false)}module.exports = seen`,
}

const root = folder(programs)

function messages(options: readonly string[], script: string): string[] {
  const runner = join(folder({ 'runner.mjs': script }), 'runner.mjs')
  return JSON.parse(execFileSync(process.execPath, ['--no-warnings', ...options, runner], { encoding: 'utf8' }))
}

let natively: Record<string, string[]>
let loaded: Record<string, string[]>

beforeAll(() => {
  const paths = JSON.stringify(Object.keys(programs).map((name) => join(root, name)))
  natively = messages(
    ['--experimental-strip-types'],
    `const seen = {}; for (const path of ${paths}) seen[path] = (await import(path)).default
    console.log(JSON.stringify(seen))`,
  ) as never
  loaded = messages(
    ['--experimental-strip-types', '--expose-internals', '--conditions=norn-source'],
    `
    const { Loader } = await import('${repository}/packages/norn/src/loader/loader.ts'), seen = {}
    const { World } = await import('${repository}/packages/norn/src/world/world.ts')
    World.install({ root: '/' })
    for (const build of ${JSON.stringify(BUILDS)}) {
      const coverage = build === 'plain' ? {} : { coverage: { include: () => true } }
      const loader = new Loader({ shared: new Map(), aliases: new Map(), refuse() {}, ...coverage })
      for (const path of ${paths}) seen[build + path] = (await loader.instantiate({ trace: build === 'traced' }).import(path)).default
    }
    console.log(JSON.stringify(seen))`,
  ) as never
})

describe.each(Object.keys(programs))('%s', (name) => {
  test.each(BUILDS)('%s', (build) => {
    const path = join(root, name)
    expect(natively[path]).toHaveLength(23)
    expect(natively[path]![1]).toBe('The expression evaluated to a falsy value:\n\n  assert(a !== b)\n')
    expect(loaded[build + path]).toEqual(natively[path])
  })
})
