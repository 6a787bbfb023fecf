/**
 * `norn/vitest` and `norn/node-test` as a user of the packages has them: projects in empty folders.
 * One file, since packing takes as long as all of its tests.
 */
import { describe, expect, test } from 'vitest'
import { ACCOUNT, FIXED_ACCOUNT, packageProject, snippet } from './project.ts'

const RUNS = { NORN_RUNS: '50', NORN_SEED: '1' }

describe('the snippet of the README', () => {
  const files = { 'account.test.ts': snippet('account.test.ts'), 'account.ts': ACCOUNT }

  test('fails readably, fails from the saved failure at once, and passes after the fix', async () => {
    const project = packageProject(files)
    const first = await project.call('vitest', ['run'], RUNS)
    expect(first.status).toBe(1)
    for (const text of [
      'FAIL  account.test.ts > deposits are never lost',
      'AssertionError: expected 1 to be 2 // Object.is equality',
      'amounts = [ 1, 1 ]',
      'fails under the default schedule',
      '0.52    ●  close account.txt            account.ts:22',
      'npx norn replay .norn/failures/deposits-are-never-lost-',
      'npx norn fuzz account.test.ts --execution ',
      ' ❯ account.test.ts:9:35',
      '9|   expect(await account.balance()).toBe(total)',
    ]) {
      expect(first.output).toContain(text)
    }
    expect(first.output).not.toMatch(/node_modules\/norn/)
    expect(project.failures()).toHaveLength(1)

    const again = await project.call('vitest', ['run'], RUNS)
    expect(again.status).toBe(1)
    expect(again.output).toContain(`saved in .norn/failures/${project.failures()[0]}; replayed exactly`)

    project.write('account.ts', FIXED_ACCOUNT)
    const fixed = await project.call('vitest', ['run'], RUNS)
    expect(fixed.output).toContain(`the failure saved in .norn/failures/${project.failures()[0]} no longer fails`)
    expect(fixed.output).toContain('1 passed (1)')
    expect(fixed.status).toBe(0)
  })

  test('replays by the command that the message names', async () => {
    const project = packageProject(files)
    await project.call('vitest', ['run'], RUNS)
    const { status, output } = await project.call('node', [
      'node_modules/norn/dist/cli/main.js',
      'replay',
      project.failures()[0]!.replace(/\.json$/, ''),
    ])
    expect(output).toContain('replayed exactly')
    expect(status).toBe(1)
  })

  test('fails in threads as in processes', async () => {
    const { status, output } = await packageProject(files).call('vitest', ['run', '--pool=threads'], RUNS)
    expect(output).toContain('amounts = [ 1, 1 ]')
    expect(status).toBe(1)
  })

  test('has types that resolve', async () => {
    const project = packageProject({
      ...files,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: true },
          ...{ allowImportingTsExtensions: true, types: ['node'] },
        },
        include: ['*.ts'],
      }),
    })
    const { status, output } = await project.call('tsc', ['-p', '.'])
    expect(output).toBe('')
    expect(status).toBe(0)
  })
})

test('properties stand in blocks, with their hooks, beside tests, skipped and alone', async () => {
  const { output, status } = await packageProject({
    'blocks.test.ts': `
      import fc from 'fast-check'
      import { fuzz } from 'norn/vitest'
      import { beforeEach, describe, expect, test } from 'vitest'
      let ready = 0
      test('a test', () => {})
      describe('outer', () => {
        beforeEach(() => {
          ready = 1
        })
        describe('inner', () => {
          fuzz('sees what the hook did', { n: fc.nat() }, ({ n }) => expect(n * ready).toBe(n))
        })
        fuzz.skip('skipped', {}, () => expect(1).toBe(2))
        fuzz.property('as fast-check has it', fc.property(fc.nat(), (n) => n + ready > n))
      })
    `,
  }).call('vitest', ['run'], RUNS)
  expect(output).toContain('3 passed | 1 skipped (4)')
  expect(status).toBe(0)
})

test('nothing undecided passes: lost control, inputs that are all rejected, a name that changes', async () => {
  const { output } = await packageProject({
    'undecided.test.ts': `
      import { fc, fuzz } from 'norn/vitest'
      import { open } from 'node:inspector'
      fuzz('asks for a debugger', {}, () => open())
      fuzz('rejects all', { n: fc.nat() }, () => fc.pre(false))
      fuzz('named ' + process.pid, {}, () => {})
    `,
  }).call('vitest', ['run'], RUNS)
  expect(output).toContain('Inconclusive: 10 of 10 executions inconclusive')
  expect(output).toContain('uncontrolled: inspector.open (undecided.test.ts:4)')
  expect(output).toMatch(/norn's own process evaluates undecided\.test\.ts too, and finds no property 'named \d+'/)
  expect(output).toContain('Inconclusive: fc.pre rejected all 50 inputs, so nothing was checked')
  expect(output).toContain('3 failed (3)')
  expect(output).not.toMatch(/node_modules\/norn/)
})

test('a wrong variable of the environment is an error, not a smaller search', async () => {
  const files = { 'any.test.ts': `import { fuzz } from 'norn/vitest'\nfuzz('any', {}, () => {})\n` }
  const { output, status } = await packageProject(files).call('vitest', ['run'], { NORN_TIME: 'soon' })
  expect(output).toContain('NORN_TIME=soon: expected a duration such as 500ms, 30s or 5m')
  expect(status).toBe(1)
})

test('options come from variables, then from the property, then from norn.config.ts', async () => {
  const project = packageProject({
    'norn.config.ts': `import { defineConfig } from 'norn'\nexport default defineConfig({ runs: 7, seed: 7 })\n`,
    'counted.test.ts': `
      import { fuzz } from 'norn/vitest'
      import { open } from 'node:inspector'
      fuzz('own', {}, () => open(), { runs: 4 })
      fuzz('none', {}, () => open())
    `,
  })
  const byDefault = await project.call('vitest', ['run'])
  expect(byDefault.output).toContain('4 of 4 executions inconclusive')
  expect(byDefault.output).toContain('7 of 7 executions inconclusive')
  const { output } = await project.call('vitest', ['run'], { NORN_RUNS: '3' })
  expect(output.match(/3 of 3 executions inconclusive/g)!.length).toBeGreaterThanOrEqual(2)
  project.write('norn.config.ts', 'export default { hang: 5 }\n')
  const wrong = await project.call('vitest', ['run'])
  expect(wrong.output).toContain("norn.config.ts: unknown option 'hang'; did you mean 'hangMs'?")
  expect(wrong.status).toBe(1)
})

describe('a cluster', () => {
  const FILE = `import { describe, expect, test } from 'vitest'
import { actors, scenario } from 'norn/cluster'
import { cluster } from 'norn/vitest'
const options = {
  system: () => actors({
    a: ({ send }) => ({ onStart: () => send('b', 'hello') }),
    b: () => ({ heard: false, onMessage() { this.heard = true } }),
  }),
  faults: { drops: 1 },
}
const heard = ({ node }) => expect(node('b').state.heard).toBe(true)
describe('greetings', () => {
  cluster('arrive', { ...options, check: heard })
  cluster.skip('are skipped', { ...options, check: heard })
  test('arrive if nothing interferes', () => { heard(scenario(options, (s) => s.run(10)).view) })
})
`

  test('is a test beside others, and fails with the execution that breaks it', async () => {
    const project = packageProject({ 'greetings.test.ts': FILE })
    const { status, output } = await project.call('vitest', ['run'], { ...RUNS, NORN_RUNS: '500' })
    for (const text of [
      'FAIL  greetings.test.ts > greetings > arrive',
      'AssertionError: expected false to be true',
      'step 0: drop a → b',
      'npx norn replay .norn/failures/greetings-arrive-',
      '1 failed | 1 passed | 1 skipped (3)',
    ]) {
      expect(output).toContain(text)
    }
    expect(status).toBe(1)
  })

  test('whose options are wrong, or that is declared by norn/cluster itself, says so where it stands', async () => {
    const project = packageProject({
      'slip.test.ts': FILE.replace('drops: 1', 'drop: 1'),
      'outside.test.ts': FILE.replace('actors, scenario', 'actors, cluster, scenario').replace(
        /^.*norn\/vitest.*$/m,
        '',
      ),
    })
    const { status, output } = await project.call('vitest', ['run'], RUNS)
    expect(output).toContain("cluster('arrive', options): `faults`: unknown option 'drop'; did you mean 'drops'?")
    expect(output).toContain("cluster('arrive') was called outside a property file")
    expect(output).toContain("import cluster from 'norn/vitest' or 'norn/node-test' in a test file")
    expect(status).toBe(1)
  })
})

const NODE_FILE = `import { describe } from 'node:test'
${snippet('account.test.ts')
  .replace("'norn/vitest'", "'norn/node-test'")
  .replace("import { expect } from 'vitest'", "import assert from 'node:assert/strict'")
  .replace(/expect\((.*)\)\.toBe\(total\)/, 'assert.equal($1, total)')}
describe('group', () => {
  fuzz('holds', { n: fc.nat() }, ({ n }) => assert.ok(n >= 0))
})
`

describe('under node:test', () => {
  test('the property of the README fails readably under node --test, alone too, and passes after the fix', async () => {
    const project = packageProject({ 'account.test.ts': NODE_FILE, 'account.ts': ACCOUNT })
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

  test('a property makes a hundred executions however little time it has, and says how many', async () => {
    const project = packageProject({
      'slow.test.mjs':
        "import { fuzz } from 'norn/node-test'; fuzz('slow', {}, () => { for (let i = 0; i < 2e7; i++); })",
    })
    const { status, output } = await project.call('node', ['--test', 'slow.test.mjs'], { NORN_TIME: '1ms' })
    expect(Number(/(\d+) executions/.exec(output)![1])).toBeGreaterThanOrEqual(100)
    expect(status).toBe(0)
  })

  test('options come from variables, then from the property, then from package.json', async () => {
    const project = packageProject({
      'counted.test.mjs': `
        import { fuzz } from 'norn/node-test'
        import { open } from 'node:inspector'
        fuzz('own', {}, () => open(), { runs: 4 })
        fuzz('none', {}, () => open())
      `,
    })
    project.write('package.json', '{ "type": "module", "private": true, "norn": { "runs": 7 } }')
    const byDefault = await project.call('node', ['--test', 'counted.test.mjs'])
    expect(byDefault.output).toContain('4 of 4 executions inconclusive')
    expect(byDefault.output).toContain('7 of 7 executions inconclusive')
    const { output } = await project.call('node', ['--test', 'counted.test.mjs'], { NORN_RUNS: '3' })
    expect(output.match(/3 of 3 executions inconclusive/g)!.length).toBeGreaterThanOrEqual(2)
  })
})
