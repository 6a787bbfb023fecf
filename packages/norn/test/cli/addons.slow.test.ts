/** A package whose native addon has a fallback in JavaScript, as `ssh2` has. */
import { globSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { project } from './project.ts'

const FILES = {
  'fast.node': '',
  'add.cjs': `let add
try {
  add = require('./fast.node').add
} catch (error) {
  add = (a, b) => a + b
  exports.why = error.code
}
exports.add = add
`,
  'add.fuzz.ts': `import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { add, why } from './add.cjs'

fuzz('adds', {}, () => {
  assert.deepEqual([add(1, 2), why], [3, 'ERR_DLOPEN_DISABLED'])
})
`,
}

afterEach(() => {
  delete process.env.NODE_OPTIONS
})

it('throws at load as if it had not been built, and is named', async () => {
  const { status, stdout } = await project({
    ...FILES,
    'add.fuzz.ts': FILES['add.fuzz.ts'].replace('ERR_DLOPEN_DISABLED', 'ERR_DLOPEN_FAILED'),
  }).call('fuzz', 'add.fuzz.ts', '--runs', '25')
  expect([status, stdout]).toEqual([0, expect.stringContaining('25 executions')])
  expect(stdout).toContain('the native addon fast.node was not loaded: what needs it uses its fallback')
})

it('is inconclusive by name where nobody catches that, and says what to do', async () => {
  const files = {
    'fast.node': '',
    'uses.fuzz.ts': `import { createRequire } from 'node:module'
import { fuzz } from 'norn'

const require = createRequire(import.meta.url)
fuzz('needs it', {}, () => require('./fast.node'))
fuzz('wraps the error', {}, async () => {
  try {
    require('./fast.node')
  } catch (cause) {
    throw new Error('cannot add', { cause })
  }
})
fuzz('fails otherwise', {}, () => {
  try {
    require('./fast.node')
  } catch {}
  throw new Error('of its own')
})
`,
    'imports.fuzz.ts': `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('./fast.node')\n`,
  }
  const { status, stdout, stderr } = await project(files).call('fuzz', '--runs', '20', '--seed', '1')
  expect(status).toBe(1)
  for (const name of ['needs it', 'wraps the error'])
    expect(stdout).toContain(`? ${name}: inconclusive (10 of 10 executions)`)
  expect(stdout).toContain('native addon fast.node, which norn cannot control: if it does all its work before its')
  expect(stdout).toContain('✗ fails otherwise')
  expect(stderr).toContain("inconclusive: loading imports.fuzz.ts leaves norn's control")
})

it('runs without the addon where Node is told so', async () => {
  process.env.NODE_OPTIONS = '--no-addons'
  const { status, stdout } = await project(FILES).call('fuzz', 'add.fuzz.ts', '--runs', '5')
  expect([status, stdout]).toEqual([0, expect.stringContaining('5 executions')])
})

/** One that is there anyway: norn resolves with it. */
const REAL = globSync(resolve(import.meta.dirname, '../../../../node_modules/@oxc-resolver/binding-*/*.node'))[0]!

it('loads where it is allowed by its name, in every execution', async () => {
  const { call } = project({
    'real.fuzz.ts': `import { createRequire } from 'node:module'
import { fuzz } from 'norn'

const { ResolverFactory } = createRequire(import.meta.url)(${JSON.stringify(REAL)})
fuzz('resolves', {}, () => {
  if (new ResolverFactory().sync('/', './none').error === undefined) throw new Error('found')
})
`,
  })
  const { stderr } = await call('fuzz', '--runs', '5')
  const addon = `@oxc-resolver/${basename(dirname(REAL))}`
  expect(stderr).toContain(`--allow-addon ${addon} loads it`)
  const { status, stdout } = await call('fuzz', '--runs', '5', '--seed', '1', '--allow-addon', addon)
  expect([status, stdout]).toEqual([0, expect.stringContaining('5 executions')])
})
