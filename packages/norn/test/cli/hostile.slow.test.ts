/**
 * Targets that do their worst: each is a finding of its own kind or lost control by name, leaves a
 * file that shows it again, and the next property still runs.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, OWN_STACK, parsed, project } from './project.ts'

interface Target {
  readonly name: string
  /** The kind of the finding; none if control is lost. */
  readonly kind?: string
  readonly what?: string
  readonly body: string
  readonly options?: string
}

const TARGETS: readonly Target[] = [
  { name: 'an endless chain of promises', kind: 'hang', body: 'return (async () => { for (;;) await null })()' },
  { name: 'a regular expression that blows up', kind: 'hang', body: "/^(a+)+$/.test('a'.repeat(60) + 'b')" },
  {
    name: 'immediates without end',
    kind: 'no progress',
    body: 'return new Promise(() => { const again = () => setImmediate(again); again() })',
    options: '{ maxSteps: 500 }',
  },
  { name: 'a heap without end', kind: 'out of memory', body: 'for (const k = [];;) k.push(new Array(10_000).fill(k))' },
  { name: 'buffers without end', kind: 'out of memory', body: 'for (const k = [];;) k.push(Buffer.alloc(1e6, 1))' },
  { name: 'output without end', kind: 'no progress', body: "for (;;) process.stdout.write('x'.repeat(1e6))" },
  { name: 'an exit in a callback', kind: 'exit', body: 'setTimeout(() => process.exit(3), 1)' },
  { name: 'a stack overflow', kind: 'error', body: 'const f = (): number => f() + 1; f()' },
  {
    name: 'a stack overflow inside of norn',
    kind: 'error',
    body: 'const f = (): number => (Math.random(), Date.now(), performance.now(), f() + 1); f()',
  },
  {
    name: 'a trap as what is thrown',
    kind: 'error',
    body: 'const h: any = { get: (): any => new Proxy(() => {}, h) }; throw new Proxy(() => {}, h)',
  },
  { name: 'a message of 10 MB', kind: 'error', body: "throw new Error('x'.repeat(1e7))" },
  {
    name: 'stacks that are tampered with',
    kind: 'error',
    body: "Error.stackTraceLimit = 0; Error.prepareStackTrace = () => { for (;;); }; throw new Error('x')",
  },
  { name: 'a signal to itself', what: 'process.kill(4242, SIGKILL)', body: "process.kill(process.pid, 'SIGKILL')" },
  { name: 'a native addon', what: 'process.dlopen', body: "process.dlopen({ exports: {} }, '/none.node')" },
]
const isHoarder = ({ kind }: Target) => kind === 'out of memory'
const FINDINGS = TARGETS.filter(({ kind }) => kind !== undefined)
const VOIDS = TARGETS.filter(({ what }) => what !== undefined)

const declared = ({ name, body, options = '{}' }: Target) =>
  `fuzz(${JSON.stringify(name)}, {}, () => {\n  ${body}\n}, ${options})\n`

const here = project({
  'hoarders.fuzz.ts': `import { fuzz } from 'norn'
${TARGETS.filter(isHoarder).map(declared).join('')}`,
  'hostile.fuzz.ts': `import { fuzz } from 'norn'

${TARGETS.filter((target) => !isHoarder(target))
  .map(declared)
  .join('')}
fuzz('a program that is well-behaved', {}, async () => {
  await new Promise((resolve) => setTimeout(resolve, 1))
})
`,
})

const HANG = ['--hang', '300ms']
// To fill the memory takes its time on a busy machine, and must not be taken for a hang.
const MEMORY = ['--memory', '128']

let lines: Line[]
const of = (type: string, property: string) => lines.find((line) => line.type === type && line.property === property)!

beforeAll(async () => {
  const call = ['--runs', '2', '--seed', '1', '--json']
  const hoarding = await here.call('fuzz', 'hoarders.fuzz.ts', ...call, ...MEMORY)
  const { status, stdout, stderr } = await here.call('fuzz', 'hostile.fuzz.ts', ...call, ...HANG)
  expect([hoarding.stderr, stderr]).toEqual(['', ''])
  expect([hoarding.status, status]).toEqual([1, 1])
  lines = [...parsed(hoarding.stdout), ...parsed(stdout)]
})

describe('a hostile target', () => {
  it.each(FINDINGS)('$name is a finding of the kind $kind, seen twice', ({ name, kind }) => {
    expect(of('failure', name)).toMatchObject({ kind, confirmed: true, saved: expect.stringMatching(/\.json$/) })
    expect(JSON.stringify(of('failure', name)).length).toBeLessThan(100_000)
  })

  it.each(VOIDS)('$name is lost control, by name', ({ name, what }) => {
    expect(of('void', name)).toMatchObject({ what })
  })

  it('leaves the process and the properties after it alone', () => {
    expect(of('summary', 'a program that is well-behaved')).toMatchObject({ executions: 2, passed: 2 })
    expect(lines.at(-1)).toMatchObject({
      type: 'end',
      properties: TARGETS.filter((target) => !isHoarder(target)).length + 1,
    })
  })

  it.each(FINDINGS)('$name is shown again by a replay', async (target) => {
    const { name, kind } = target
    const limits = isHoarder(target) ? MEMORY : HANG
    const { status, stdout, stderr } = await here.call('replay', of('failure', name).saved, '--json', ...limits)
    expect(stdout + stderr).not.toMatch(OWN_STACK)
    expect(parsed(stdout)).toMatchObject([{ verdict: 'failed', kind }])
    expect(status).toBe(1)
  })
})
