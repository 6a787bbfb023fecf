/**
 * The sample program: its mistake is found, made small and replayed, and is gone once it is mended.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWN_STACK, parsed, project } from '../cli/project.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../../../examples/stdio')
const hasPython = spawnSync('python3', ['--version']).status === 0
const FILES = ['harness.py', 'lock.py', 'lock.fuzz.ts']
const MISTAKE = `            self.voted = candidate
            out.send(`
const MENDED = `            self.voted = candidate
            self.save()
            out.send(`

const here = project(Object.fromEntries(FILES.map((name) => [name, readFileSync(resolve(EXAMPLE, name), 'utf8')])))

describe.runIf(hasPython)('the lock in Python', () => {
  it('is found to be held twice, by a crash that loses a vote', async () => {
    const { status, stdout } = await here.call('fuzz', 'lock.fuzz.ts', '--runs', '3000', '--seed', '1', '--json')
    const [failure, summary] = parsed(stdout)
    expect(failure).toMatchObject({
      type: 'failure',
      error: 'Error',
      message: expect.stringMatching(/^[abc] and [abc] both hold the lock of term \d+$/),
      confirmed: true,
      shrinking: { complete: true },
    })
    expect(failure!.faults.map(({ fault }: { fault: string }) => fault)).toContain('crash')
    expect(failure!.schedule.length).toBeLessThanOrEqual(8)
    expect(summary).toMatchObject({ flaky: 0, voided: 0 })
    expect(status).toBe(1)
  })

  it('is replayed', async () => {
    const { status, stdout } = await here.call('replay', here.failures()[0]!)
    expect(stdout).toContain('replayed exactly: the same trace')
    expect(stdout).not.toMatch(OWN_STACK)
    expect(status).toBe(1)
  })

  it('passes the protocol check', async () => {
    const { status, stdout } = await here.call(
      'protocol',
      'check',
      '--request',
      '"acquire"',
      '--',
      'python3',
      'lock.py',
    )
    expect(stdout).not.toMatch(/^ {2}[✗!]/m)
    expect(status).toBe(0)
  })

  it('is held once, when a vote is saved before it is given', async () => {
    here.edit('lock.py', MISTAKE, MENDED)
    const { status, stdout } = await here.call('fuzz', 'lock.fuzz.ts', '--runs', '1500', '--seed', '1')
    expect(stdout).toMatch(/gone|no failure|✓/)
    expect(status).toBe(0)
  })
})
