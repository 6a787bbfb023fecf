/** `norn/node-test` as a user of the package has it. */
import { expect, test } from 'vitest'
import { ACCOUNT, FIXED_ACCOUNT, packageProject, snippet } from './project.ts'

const RUNS = { NORN_RUNS: '50', NORN_SEED: '1' }

const FILE = `import { describe } from 'node:test'
${snippet('account.test.ts')
  .replace("'norn/vitest'", "'norn/node-test'")
  .replace("import { expect } from 'vitest'", "import assert from 'node:assert/strict'")
  .replace(/expect\((.*)\)\.toBe\(total\)/, 'assert.equal($1, total)')}
describe('group', () => {
  fuzz('holds', { n: fc.nat() }, ({ n }) => assert.ok(n >= 0))
})
`

test('the property of the README fails readably under node --test, alone too, and passes after the fix', async () => {
  const project = packageProject({ 'account.test.ts': FILE, 'account.ts': ACCOUNT })
  for (const args of [['--test', 'account.test.ts'], ['account.test.ts']]) {
    const { status, output } = await project.call('node', args, RUNS)
    expect(output).toContain('Expected values to be strictly equal:')
    expect(output).toContain('amounts = [ 1, 1 ]')
    expect(output).toContain('> 10 │   assert.equal(await account.balance(), total)')
    expect(output).toContain('✔ holds')
    expect(status).toBe(1)
  }
  project.write('account.ts', FIXED_ACCOUNT)
  const { status, output } = await project.call('node', ['--test', 'account.test.ts'], RUNS)
  expect(output).toContain('no longer fails. Delete the file')
  expect(status).toBe(0)
})

test('options come from variables, then from the property, then from package.json', async () => {
  const project = packageProject({
    'counted.test.mjs': `
      import { fuzz } from 'norn/node-test'
      import { createServer } from 'node:net'
      fuzz('own', {}, () => void createServer().listen(0), { runs: 4 })
      fuzz('none', {}, () => void createServer().listen(0))
    `,
  })
  project.write('package.json', '{ "type": "module", "private": true, "norn": { "runs": 7 } }')
  const byDefault = await project.call('node', ['--test', 'counted.test.mjs'])
  expect(byDefault.output).toContain('4 of 4 executions inconclusive')
  expect(byDefault.output).toContain('7 of 7 executions inconclusive')
  const { output } = await project.call('node', ['--test', 'counted.test.mjs'], { NORN_RUNS: '3' })
  expect(output.match(/3 of 3 executions inconclusive/g)!.length).toBeGreaterThanOrEqual(2)
})
