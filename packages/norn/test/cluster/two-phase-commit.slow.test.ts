/** The example, as a newcomer runs it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsed, project } from '../cli/project.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../../../examples/two-phase-commit')
const README = readFileSync(join(EXAMPLE, 'README.md'), 'utf8')
const sources = readdirSync(EXAMPLE).filter((name) => name.endsWith('.ts'))
const here = project(Object.fromEntries(sources.map((name) => [name, readFileSync(join(EXAMPLE, name), 'utf8')])))

const fuzz = (file: string, runs: number) => here.call('fuzz', file, '--runs', String(runs), '--seed', '1', '--json')

describe('two-phase commit', () => {
  it('holds as it should be, under crashes, losses and duplicates', async () => {
    const { status, stdout } = await fuzz('two-phase-commit.fuzz.ts', 300)
    expect(parsed(stdout)).toMatchObject([{ type: 'summary', passed: 300, voided: 0 }, { type: 'end' }])
    expect(status).toBe(0)
  })

  it('does what the model does not, with either mistake, as its readme tells', async () => {
    const { status, stdout } = await fuzz('mistakes.fuzz.ts', 300)
    const failures = parsed(stdout).filter(({ type }) => type === 'failure')
    expect(failures).toMatchObject([
      {
        message: expect.stringMatching(
          /^the model does not allow Abort\("\w+", 0\): the coordinator has not decided so\n/,
        ),
        input: 'requests = [ { refusing: [] } ]',
        faults: [],
      },
      {
        message: expect.stringMatching(
          /^the model does not allow DecideToAbort\(0\): the coordinator has decided to commit\n/,
        ),
        input: 'requests = [ { refusing: [] } ]',
        faults: [{ operation: 'crash', resource: 'coordinator' }],
      },
    ])
    for (const { error, message } of failures) {
      expect(error).toBe('ModelDivergence')
      expect(README).toContain(/: .*/.exec(message)![0])
    }
    expect(status).toBe(1)
  })

  it('has a model that never tears a transaction apart', async () => {
    expect(await fuzz('model.fuzz.ts', 1)).toMatchObject({ status: 0 })
  })
})
