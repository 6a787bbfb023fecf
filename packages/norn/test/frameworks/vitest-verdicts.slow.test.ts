/** What `norn flaky` says of tests of vitest is what vitest says. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type Project, project } from '../cli/project.ts'

const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))

const SNAPSHOTS = `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`snapshots > stored 1\`] = \`
{
  "a": 1,
}
\`;

exports[\`snapshots > stored differs 1\`] = \`
{
  "a": 2,
}
\`;

exports[\`snapshots > stored with hints > one 1\`] = \`1\`;

exports[\`snapshots > stored with hints > two 1\`] = \`2\`;
`

function withVitest(files: Readonly<Record<string, string>>): Project {
  const here = project(files)
  mkdirSync(join(here.root, 'node_modules'))
  symlinkSync(VITEST, join(here.root, 'node_modules/vitest'))
  return here
}

interface Reported {
  readonly testResults: readonly { assertionResults: readonly Assertion[] }[]
}

interface Assertion {
  readonly status: string
  readonly ancestorTitles: readonly string[]
  readonly title: string
}

type Verdicts = Readonly<Record<string, string>>

function byVitest({ root }: Project, ...args: string[]): Verdicts {
  const call = [join(VITEST, 'vitest.mjs'), 'run', '--reporter=json', '--outputFile=out.json', ...args]
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env
  spawnSync(process.execPath, call, { cwd: root, env: { ...env, NODE_OPTIONS: '' } })
  const { testResults } = JSON.parse(readFileSync(join(root, 'out.json'), 'utf8')) as Reported
  const rows = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status, ancestorTitles, title }) => [[...ancestorTitles, title].join(' > '), status]),
  )
  return Object.fromEntries(rows)
}

/** One that needs an earlier test passes in the order of the file. */
const AS_VITEST: Verdicts = { clean: 'passed', dependent: 'passed', failing: 'failed' }

async function byNorn(here: Project, ...args: string[]): Promise<Verdicts> {
  const { stdout } = await here.call('flaky', ...args, '--json', '--schedules', '1', '--runs', '1')
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; name: string; verdict: string })
  const tests = rows.filter(({ type }) => type === 'test')
  return Object.fromEntries(tests.map(({ name, verdict }) => [name, AS_VITEST[verdict] ?? verdict]))
}

it('fixtures, snapshots, attempts, hooks and limits', async () => {
  const here = withVitest({
    'cases.test.mjs': readFileSync(join(import.meta.dirname, 'fixtures/vitest-cases.mjs'), 'utf8'),
    '__snapshots__/cases.test.mjs.snap': SNAPSHOTS,
    'stored.txt': 'content\n',
    'vitest.config.mjs': 'export default { test: { clearMocks: true, unstubGlobals: true } }',
  })
  // Vitest stores what is new, so norn goes first.
  const norn = await byNorn(here, 'cases.test.mjs')
  const vitest = byVitest(here)
  expect(Object.keys(vitest).length).toBeGreaterThan(60)
  expect(norn).toEqual(vitest)
  expect(readFileSync(join(here.root, 'stored.txt'), 'utf8')).toBe('content\n')
})
