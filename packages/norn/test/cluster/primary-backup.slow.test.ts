/** The register in Python: its specification allows what it does, and not what it does with the bug. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsed, project } from '../cli/project.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../../../examples')
const hasPython = spawnSync('python3', ['--version']).status === 0
const FILES = [
  'register.py',
  'cluster-options.ts',
  'register.fuzz.ts',
  'mistake.fuzz.ts',
  'Register.tla',
  'Register.cfg',
]
const text = (path: string) => readFileSync(resolve(EXAMPLES, path), 'utf8')

const here = project({
  ...Object.fromEntries(FILES.map((name) => [name, text(`primary-backup/${name}`)])),
  'harness.py': text('stdio/harness.py'),
})

describe.runIf(hasPython)('the register in Python', () => {
  it('does what the specification allows', async () => {
    const options = ['--runs', '60', '--seed', '1', '--conformance', '--json']
    const { status, stdout } = await here.call('fuzz', 'register.fuzz.ts', ...options)
    expect(parsed(stdout)).toMatchObject([{ type: 'summary', passed: 60, flaky: 0, voided: 0 }, { type: 'end' }])
    expect(status).toBe(0)
  })

  it('violates the invariant with the bug, where the specification only guides', async () => {
    const [failure] = await failures()
    expect(failure!.message).toMatch(/^version \d is committed, but [bc] has \d$/)
  })

  it('departs from the specification with the bug', async () => {
    const [failure] = await failures('--conformance', '--no-saved')
    expect(failure!.message).toMatch(
      /^the model does not allow Commit\(\d\): acked = Backups is false, where acked is \{[bc]\}, Backups is \{b, c\} \(Register\.tla:\d+:6\)\n/,
    )
  })
})

async function failures(...options: string[]) {
  const call = ['mistake.fuzz.ts', '--runs', '100', '--seed', '1', '--no-shrink', '--json', ...options]
  const { status, stdout } = await here.call('fuzz', ...call)
  expect(status).toBe(1)
  return parsed(stdout).filter(({ type }) => type === 'failure')
}
