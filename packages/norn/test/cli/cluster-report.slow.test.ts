/**
 * What a person reads of a cluster: the failure in space and time, its picture, and what never
 * happened.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { project } from './project.ts'

/**
 * A register with two copies: it acknowledges before the copy has it, and so a lost message loses a
 * write.
 */
const register = `import assert from 'node:assert/strict'
import { actors, cluster } from 'norn/cluster'

const primary = (context) => ({
  value: 0,
  onRequest({ set }, id) {
    this.value = set
    context.send('copy', { type: 'Write', value: set })
    context.reply(id, 'ok')
  },
})
const copy = () => ({
  value: 0,
  onMessage({ value }) {
    this.value = value
  },
})
const options = (drops) => ({
  system: () => actors({ primary, copy }),
  steps: 20,
  faults: { drops },
  requests: [{ set: 1 }, { set: 2 }],
  route: () => 'primary',
})

cluster('both have what was written last', {
  ...options(1),
  check: ({ nodes: [primary, copy] }) => assert.equal(copy.state.value, primary.state.value),
})
cluster('the copy never has more than was written', {
  ...options(0),
  faults: { crashes: 1, partitions: 1 },
  check: ({ nodes: [, copy] }) => assert(!copy.up || copy.state.value <= 2),
})
`

describe('a failure of a cluster', () => {
  const here = project({ 'register.fuzz.ts': register })
  let stdout: string

  beforeAll(async () => {
    const options = ['--property', 'both', '--seed', '1', '--runs', '200']
    stdout = (await here.call('fuzz', 'register.fuzz.ts', ...options)).stdout
  })

  it('is shown in space and time, with the steps that made it', () => {
    const steady = stdout
      .replaceAll(/(?:npx norn|node \S+) (replay|fuzz)/g, 'npx norn $1')
      .replaceAll(/ +# /g, '  # ')
      .replaceAll(/found in execution.*/g, 'found')
      .replaceAll(/--execution \d+/g, '--execution N')
      .replaceAll(/-[0-9a-f]{8}\./g, '-HASH.')
    expect(steady).toMatchInlineSnapshot(`
      "✗ both have what was written last
        found

        AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
        0 !== 2
            at Object.check (register.fuzz.ts:28:49)

            27 │   ...options(1),
          > 28 │   check: ({ nodes: [primary, copy] }) => assert.equal(copy.state.value, primary.state.value),
            29 │ })

        execution: 1 of 2 steps departs from the default schedule; without request 0 of the cluster's list
            step  ms  primary   copy
                      ┊         ┊  2 nodes start
               0  10  ◇         │  request 0: set=2  → #0  replies ok to request 0
          ◆    1  10  ├────────✗│  #0 Write is lost: dropped
                      │         │  ✗ Expected values to be strictly equal: 0 !== 2

            ◆ departs from the default schedule  → sends  ✗ lost  ◇ request  ms: virtual time

          step 1: drop primary → copy

        npx norn replay .norn/failures/both-have-what-was-written-last-HASH.json  # replay; with --locals, print variables too
        npx norn replay .norn/failures/both-have-what-was-written-last-HASH.json --inspect  # replay in the debugger
        .norn/failures/both-have-what-was-written-last-HASH.svg  # diagram, for a browser

      "
    `)
  })

  it('has a picture beside its file', () => {
    const [, path] = /^ {2}(\.norn\S+\.svg)/m.exec(stdout)!
    const svg = readFileSync(join(here.root, path!), 'utf8')
    expect(svg).toMatch(/^<svg .*<\/svg>\n$/s)
    expect(svg).toContain('#0 Write is lost: dropped')
  })

  it('is drawn by replay where one says, the same', async () => {
    const [, path] = /^ {2}(\.norn\S+\.svg)/m.exec(stdout)!
    const { status } = await here.call('replay', 'both', '--svg', 'pictures/it.svg')
    expect(status).toBe(1)
    expect(readFileSync(join(here.root, 'pictures/it.svg'), 'utf8')).toBe(readFileSync(join(here.root, path!), 'utf8'))
  })

  it('is drawn anew when it is made smaller', async () => {
    const [, path] = /^ {2}(\.norn\S+\.svg)/m.exec(stdout)!
    const drawn = readFileSync(join(here.root, path!), 'utf8')
    writeFileSync(join(here.root, path!), 'as it was before')
    await here.call('shrink', 'both')
    expect(readFileSync(join(here.root, path!), 'utf8')).toBe(drawn)
  })

  it('JSON lines tell its steps in words', async () => {
    const { stdout } = await here.call('replay', 'both', '--json')
    expect(JSON.parse(stdout).schedule).toEqual([{ step: expect.any(Number), text: 'drop primary → copy' }])
  })
})

it('a program without connections has a picture where one is asked for', async () => {
  const here = project({
    'plain.fuzz.ts': "import { fuzz } from 'norn'\nfuzz('fails', {}, () => { throw new Error('no') })",
  })
  const found = await here.call('fuzz', 'plain.fuzz.ts', '--runs', '3')
  expect(found.stdout).not.toContain('.svg')
  const { status, stdout } = await here.call('replay', 'fails', '--svg', 'it.svg')
  expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, 'diagram: it.svg'])
  expect(readFileSync(join(here.root, 'it.svg'), 'utf8')).toMatch(/^<svg .*the body fails.*<\/svg>\n$/s)
})

it('a campaign without a failure says what happened, and what never did', async () => {
  const here = project({ 'register.fuzz.ts': register })
  const call = (...options: string[]) =>
    here.call('fuzz', 'register.fuzz.ts', '--property', 'more', '--seed', '1', '--runs', '50', ...options)
  const { stdout } = await call()
  expect(stdout).toMatch(/requests: \d+ of \d+ got a reply/)
  expect(stdout).toMatch(/messages handled: Write \d+/)
  const { stdout: natural } = await call('--strategy', 'natural')
  expect(natural).toContain('! no node ever crashed, although crashes are allowed')
  expect(natural).toContain('! the network was never partitioned, although partitions are allowed')
  const tally = async () => {
    const { stdout } = await call('--json')
    return JSON.stringify(JSON.parse(stdout.split('\n').find((line) => line.includes('"summary"'))!).vacuity)
  }
  const first = await tally()
  expect(first).toContain('"counted":50')
  expect(await tally()).toBe(first)
})
