/** Executions that hang, or kill their process: findings with a tape, and the campaign goes on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, OWN_STACK, parsed, project } from './project.ts'

const here = project({
  'loss.fuzz.ts': `import { fc, fuzz } from 'norn'

function hoard() {
  const kept: unknown[] = []
  for (;;) kept.push(new Array(10_000).fill(kept.length))
}

fuzz('hangs', { n: fc.integer({ min: 0, max: 1000 }) }, ({ n }) => {
  while (n > 500);
})
fuzz('hoards', { n: fc.integer({ min: 0, max: 1000 }) }, ({ n }) => {
  if (n > 500) hoard()
})
fuzz('always hangs', {}, () => {
  for (;;);
})
fuzz('hangs while it shrinks', { n: fc.integer({ min: 0, max: 1000 }) }, ({ n }) => {
  if (n > 600) throw new Error('large')
  while (n > 300);
})
fuzz('stays fine', {}, () => {})
`,
})

const HANG = ['--hang', '300ms']
// To fill the memory takes its time on a busy machine, and must not be taken for a hang.
const MEMORY = ['--memory', '96']
const limitsOf = (property: string) => (property === 'hoards' ? MEMORY : HANG)
let lines: Line[]
const of = (property: string) => lines.filter((line) => line.type === 'failure' && line.property === property)
const pathOf = (property: string) => of(property)[0]!.saved as string

beforeAll(async () => {
  const call = ['fuzz', 'loss.fuzz.ts', '--runs', '20', '--seed', '1', '--json']
  const hoarding = await here.call(...call, '--property', 'hoards', ...MEMORY)
  const { status, stdout, stderr } = await here.call(...call, '--property', 'n', ...HANG)
  expect([hoarding.stderr, stderr]).toEqual(['', ''])
  expect([hoarding.status, status]).toEqual([1, 1])
  lines = [...parsed(hoarding.stdout), ...parsed(stdout)]
})

describe('an execution that takes its process with it', () => {
  it('is a finding, and the properties after it still run', () => {
    expect(of('hangs')).toMatchObject([{ kind: 'hang', confirmed: true, input: expect.stringMatching(/^n = \d+$/) }])
    expect(of('hoards')).toMatchObject([
      {
        kind: 'out of memory',
        message: 'the process used more than 96 MB of memory (option --memory)',
        input: expect.stringMatching(/^n = \d+$/),
      },
    ])
    expect(of('always hangs')).toMatchObject([{ kind: 'hang', foundAt: 1, confirmed: true }])
    expect(lines.filter(({ type, property }) => type === 'summary' && property === 'stays fine')).toMatchObject([
      { executions: 20, passed: 20 },
    ])
    expect(lines.at(-1)).toMatchObject({ type: 'end', properties: 4 })
  })

  it('keeps its tape', () => {
    const saved = JSON.parse(readFileSync(join(here.root, pathOf('hangs')), 'utf8'))
    expect(saved.tape.input.length).toBeGreaterThan(0)
    expect(saved.inputText).toBe(of('hangs')[0]!.input)
  })

  it('does not lose the failure that was being shrunk', () => {
    expect(of('hangs while it shrinks').map(({ kind, message }) => [kind, message])).toEqual([
      ['error', 'large'],
      ['hang', expect.stringContaining('more than 0.3 s')],
    ])
  })

  it.each([
    ['hangs', 'hangs again'],
    ['hoards', 'runs out of memory again'],
  ])('%s again when it is replayed', async (property, says) => {
    const { status, stdout, stderr } = await here.call('replay', pathOf(property), ...limitsOf(property))
    expect(stdout).toContain(says)
    expect(stdout + stderr).not.toMatch(OWN_STACK)
    expect(status).toBe(1)
  })

  it('is gone when it is mended', async () => {
    here.edit('loss.fuzz.ts', 'while (n > 500);', '')
    const { status, stdout } = await here.call('replay', pathOf('hangs'), ...HANG)
    expect(stdout).toMatch(/no longer fails: /)
    expect(status).toBe(0)
  })

  it('is not shrunk', async () => {
    const { status, stderr } = await here.call('shrink', pathOf('hoards'))
    expect(stderr).toContain("cannot shrink a failure of kind 'out of memory': every attempt kills a worker process")
    expect(status).toBe(3)
  })
})
