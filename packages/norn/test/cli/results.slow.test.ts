/** Where the results of `norn fuzz` go: annotations on GitHub, `--junit` and `--sarif`. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parsed, project } from './project.ts'

const here = project({
  'sub/four.fuzz.ts': `import assert from 'node:assert/strict'
import { fc, fuzz } from 'norn'

fuzz('fails', { n: fc.integer() }, ({ n }) => {
  assert.equal(n > 5, false)
})
fuzz('passes', {}, async () => {})
fuzz('checks nothing', {}, () => fc.pre(false))
fuzz.skip('waits for a fix', {}, () => {})
`,
  'passes.fuzz.ts': "import { fuzz } from 'norn'\n\nfuzz('passes', {}, async () => {})\n",
})
const FILES = ['--junit', 'out/junit.xml', '--sarif', 'out/norn.sarif']
const four = ['fuzz', 'sub/four.fuzz.ts', '--runs', '20', '--seed', '1', '--no-saved', '--no-shrink']
const text = (name: string) => readFileSync(join(here.root, name), 'utf8')

afterEach(() => vi.unstubAllEnvs())

describe('--junit and --sarif', () => {
  it('hold each property once, and leave the exit status as it is', async () => {
    const { status, stdout, stderr } = await here.call(...four, ...FILES)
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    const junit = text('out/junit.xml')
    expect(junit).toContain('<testsuites name="norn" tests="4" failures="1" errors="1" skipped="1"')
    expect(junit).toMatch(/name="fails"[^>]*>\s*<failure type="error" message="Expected .*: true !== false">/)
    expect(junit).toMatch(/name="passes"[^>]*\/>/)
    expect(junit).toMatch(/name="checks nothing"[^>]*>\s*<error type="inconclusive" message="nothing was checked/)
    expect(junit).toMatch(/name="waits for a fix"[^>]*>\s*<skipped message="skipped"\/>/)
    // The report of the terminal, with the command that replays the failure.
    expect(stdout).toContain(here.failures()[0])
    expect(junit).toContain(here.failures()[0])
    const [run] = JSON.parse(text('out/norn.sarif')).runs
    expect(run.results).toMatchObject([
      { ruleId: 'error', locations: [{ physicalLocation: { region: { startLine: 5, startColumn: 10 } } }] },
      { ruleId: 'inconclusive', level: 'warning' },
    ])
  })

  it('are refused before the search where they cannot be written', async () => {
    mkdirSync(join(here.root, 'folder'), { recursive: true })
    symlinkSync('/dev/null', join(here.root, 'device'))
    const refused = async (...args: string[]) => {
      const { status, stdout, stderr } = await here.call('fuzz', 'passes.fuzz.ts', ...args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      return stderr
    }
    expect(await refused('--junit', 'folder')).toBe('norn: --junit: cannot write folder: not a regular file\n')
    expect(await refused('--sarif', 'device')).toBe('norn: --sarif: cannot write device: not a regular file\n')
    expect(await refused('--sarif', 'passes.fuzz.ts/a')).toMatch(
      /--sarif: cannot write passes\.fuzz\.ts\/a: .+ \(\w+\)/,
    )
    expect(await refused('--junit', 'a', '--sarif', './a')).toContain('--junit and --sarif name the same file')
  })

  it('lose no failure where they can no longer be written, and say so', async () => {
    const path = join(here.root, 'late.xml')
    rmSync(join(here.root, '.norn'), { recursive: true, force: true })
    const called = here.call('fuzz', 'sub/four.fuzz.ts', '--time', '3s', '--no-shrink', '--junit', 'late.xml')
    while (!existsSync(path)) await sleep(1)
    rmSync(path)
    mkdirSync(path)
    const { status, stdout, stderr } = await called
    expect(status).toBe(1)
    expect(stderr).toContain('norn: --junit: cannot write late.xml: not a regular file\n')
    expect(here.failures()).toHaveLength(1)
    expect(stdout).toContain(here.failures()[0])
  })

  it('end a call that found nothing with status 2 where they can no longer be written', async () => {
    const path = join(here.root, 'never.xml')
    const called = here.call('fuzz', 'passes.fuzz.ts', '--time', '1s', '--junit', 'never.xml')
    while (!existsSync(path)) await sleep(1)
    rmSync(path)
    mkdirSync(path)
    expect(await called).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot write never.xml') })
  })
})

describe('under GITHUB_ACTIONS', () => {
  it('annotates lines on stderr, with paths from the workspace; stdout holds JSON lines alone', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true')
    vi.stubEnv('GITHUB_WORKSPACE', join(here.root, '..'))
    const { status, stdout, stderr } = await here.call(...four, '--json')
    expect(status).toBe(1)
    expect(parsed(stdout).at(-1)).toMatchObject({ type: 'end', status: 1 })
    const file = `file=${here.root.split('/').at(-1)}/sub/four.fuzz.ts`
    const [error, warning, ...rest] = stderr.trimEnd().split('\n')
    expect(rest).toEqual([])
    expect(error).toMatch(
      `::error ${file},line=5,col=10,title=fails::Expected values to be strictly equal: true !== false%0A`,
    )
    expect(warning).toBe(`::warning ${file},line=1,title=checks nothing::nothing was checked: no execution passed`)
  })
})
