/** `norn fuzz FILE --bytes FILE`: one execution, out of the bytes of another fuzzer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, parsed, project, start } from './project.ts'

const here = project({
  'big.fuzz.ts': `import { fc, fuzz } from 'norn'
fuzz('is small', { n: fc.integer({ min: 0, max: 65535 }) }, ({ n }) => {
  if (n === 0xbeef) throw new Error('found it')
})
`,
  'order.fuzz.ts': `import { writeFile } from 'node:fs/promises'
import { fuzz } from 'norn'
fuzz('in order', {}, async () => {
  const order: string[] = []
  const write = (name: string) => writeFile(name, '').then(() => order.push(name))
  await Promise.all([write('a'), write('b')])
  if (order.join('') === 'ba') throw new Error('out of order')
})
fuzz('hurries', {}, async () => {
  const { setPriority } = await import('node:os')
  setPriority(-1)
})
`,
})

function bytes(name: string, ...values: number[]): string {
  writeFileSync(join(here.root, name), Uint8Array.from(values))
  return name
}

describe('the input', () => {
  it('is read from the front: status 1 where it fails, 0 where it passes', async () => {
    const failing = await here.call('fuzz', 'big.fuzz.ts', '--bytes', bytes('beef', 0xef, 0xbe))
    expect(failing.stdout).toMatch(/✗ is small\n {2}the execution of 2 bytes[\s\S]*found it[\s\S]*n = 48879/)
    expect(failing.status).toBe(1)
    const passing = await here.call('fuzz', 'big.fuzz.ts', '--bytes', bytes('none'))
    expect(passing).toMatchObject({ status: 0, stdout: '✓ is small: the execution of 0 bytes passes\n\n' })
  })

  it('may come from stdin, and be told in JSON', async () => {
    const child = start(here.root, ['fuzz', 'big.fuzz.ts', '--bytes', '-', '--json'], 'pipe')
    child.stdin!.end(Uint8Array.of(0xef, 0xbe, 0, 0))
    const { status, stdout } = await ended(child)
    expect(parsed(stdout)).toMatchObject([
      { type: 'execution', property: 'is small', bytes: 4, verdict: 'failed', input: 'n = 48879' },
      { type: 'end', status: 1 },
    ])
    expect(status).toBe(1)
  })
})

it('the schedule is read from the back: any order comes of some bytes, the natural one of zeros', async () => {
  const run = (name: string) => here.call('fuzz', 'order.fuzz.ts', '--property', 'in order', '--bytes', name)
  expect(await run(bytes('zeros', ...Array(40).fill(0)))).toMatchObject({ status: 0 })
  const statuses = []
  for (let at = 2; at < 14; at += 2) {
    const late = Array(40).fill(0)
    late[late.length - at] = 0x40
    late[late.length - at + 1] = 0
    statuses.push((await run(bytes('late', ...late))).status)
  }
  expect(statuses).toContain(1)
})

it('an execution that loses control says nothing: status 3', async () => {
  const hurries = await here.call('fuzz', 'order.fuzz.ts', '--property', 'hurries', '--bytes', bytes('any', 1, 2))
  expect(hurries.stdout).toMatch(/hurries: inconclusive\n {2}uncontrolled: /)
  expect(hurries.status).toBe(3)
})

it.each([
  [['order.fuzz.ts', '--bytes', 'zeros'], /--bytes runs one property, but 2 are selected: select one/],
  [['big.fuzz.ts', '--bytes', 'gone'], /no such file: gone/],
  [['big.fuzz.ts', '--bytes', '.'], /not a regular file: \./],
  [['big.fuzz.ts', '--bytes', 'zeros', '--execution', '7'], /--bytes and --execution exclude each other/],
])('norn fuzz %j is refused', async (args, says) => {
  bytes('zeros', 0)
  const { status, stderr } = await here.call('fuzz', ...args)
  expect(stderr).toMatch(says)
  expect(status).toBe(2)
})
