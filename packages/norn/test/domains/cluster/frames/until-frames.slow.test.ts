import { expect, test } from 'vitest'
import { project } from '../../../cli/project.ts'

/**
 * A token goes round; who has it counts. With a bug, if asked for, once it has gone round thrice.
 */
const ring = (more: string) => `
  import { actors, cluster, frames } from 'norn/cluster'
  const next = { a: 'b', b: 'c', c: 'a' }
  const make = (node) => {
    const actor = {
      had: 0,
      onStart: () => node.id === 'a' && node.setTimer('begin', 1),
      onTimer: () => node.send('b', 'token'),
      onMessage() {
        actor.had++
        node.send(next[node.id], 'token')
      },
    }
    return actor
  }
  const ring = { system: () => actors({ a: make, b: make, c: make }), steps: 30 }
  ${more}
`
const had = (node: string, times: number) => ({ [`nodes.${node}.state.had`]: { atLeast: times } })
const twice = { name: 'twice round', cluster: 'ring', frames: [{ where: had('a', 1) }, { where: had('a', 2) }] }
const never = {
  name: 'a before b',
  frames: [
    { name: 'begun', where: { 'nodes.b.state.had': 0 } },
    { name: 'a first', where: { ...had('a', 1), 'nodes.b.state.had': 0 } },
  ],
}

const begin = (more: string, frames: Readonly<Record<string, unknown>>) =>
  project({
    'ring.fuzz.ts': ring(more),
    ...Object.fromEntries(Object.entries(frames).map(([name, file]) => [`frames/${name}.json`, JSON.stringify(file)])),
  })
const UNTIL = ['--until-frames', 'frames', '--seed', '1'] as const

test('the search ends as soon as all are reached, and tells the steps that lead from each to the next', async () => {
  const { call } = begin("cluster('ring', ring)", { twice })
  const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL)
  expect(status).toBe(0)
  expect(stdout).toContain(
    "1 of 1 key frames reached, the last in execution 1\n  'twice round' in execution 1: default step × 4 | default step × 3",
  )
})

test('frames that are not reached leave the cluster undecided, and are told with how far it came', async () => {
  const { call } = begin("cluster('ring', ring)", { twice, never })
  const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--runs', '40')
  expect(status).toBe(3)
  expect(stdout).toMatch(
    /1 of 2 key frames reached\n {2}not reached: 'a before b': 'a first' never came after 'begun' \(\d+ executions? aimed at it\)/,
  )
})

test('a budget in runs reaches the same frames in the same executions each time', async () => {
  const { call } = begin("cluster('ring', ring)", { twice, never })
  const summary = async () => {
    const { stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--runs', '60', '--json')
    const { timeMs: _, ...line } = JSON.parse(stdout.split('\n').find((line) => line.includes('"summary"'))!)
    return line
  }
  const first = await summary()
  expect(first.frames).toMatchObject([
    { name: 'a before b', frames: ['begun', 'a first'], reached: 1 },
    { name: 'twice round', reached: 2, foundAt: 1, pieces: [['default step × 4'], ['default step × 3']] },
  ])
  expect(await summary()).toEqual(first)
})

test('a failure ends it as ever', async () => {
  const failing =
    "cluster('ring', { ...ring, invariant: (c) => { if (c.node('a').state.had > 1) throw new Error('thrice') } })"
  const { call } = begin(failing, { never })
  const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--runs', '40')
  expect(status).toBe(1)
  expect(stdout).toContain('Error: thrice')
})

test('a cluster may declare key frames as predicates; without a folder those alone are asked for', async () => {
  const declared =
    "cluster('ring', { ...ring, frames: [frames('once round', { begun: () => true, 'b has had it': (c) => c.node('b').state.had > 0 })] })"
  const { call } = begin(declared, { never })
  const alone = await call('fuzz', 'ring.fuzz.ts', '--seed', '1', '--until-frames')
  expect(alone).toMatchObject({ status: 0 })
  expect(alone.stdout).toContain("'once round' in execution 1: at once | default step × 2")
  const both = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--runs', '40')
  expect(both.stdout).toContain("not reached: 'a before b': 'a first' never came after 'begun'")
  expect(both.stdout).toContain('1 of 2 key frames reached')
})

test('what belongs to no cluster, or to none for certain, is refused', async () => {
  const { call, write } = begin("cluster('ring', ring); cluster('other', ring)", { never })
  const refusal = async (...args: string[]) => {
    const { status, stderr } = await call('fuzz', 'ring.fuzz.ts', ...args)
    expect(status).toBe(2)
    return stderr
  }
  expect(await refusal(...UNTIL)).toContain(`key frames "a before b": set "cluster" to one of 'ring', 'other'`)
  write('frames/never.json', JSON.stringify({ ...never, cluster: 'rign' }))
  expect(await refusal(...UNTIL)).toContain(`key frames "a before b": no cluster 'rign' is declared`)
  write('frames/never.json', '{')
  expect(await refusal(...UNTIL)).toMatch(/never\.json: not valid JSON/)
  expect(await refusal('--until-frames', 'none')).toMatch(/none: no such folder/)
})

test('of several workers the first that has reached all ends the search', async () => {
  const { call } = begin("cluster('ring', ring)", { twice })
  const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--workers', '2', '--time', '60s')
  expect(status).toBe(0)
  expect(stdout).toContain('1 of 1 key frames reached')
})

test.each(['nodes.b.state.has', 'nodes.B.state.had'])(
  'a misspelled path is reported: no value was ever found at %s',
  async (path) => {
    const slip = { name: 'slip', frames: [{ name: 'had', where: { [path]: 1 } }] }
    const { call } = begin("cluster('ring', ring)", { slip })
    const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL, '--runs', '6')
    expect(status).toBe(3)
    expect(stdout).toMatch(/'had' never came \(\d executions? aimed at it\); no value was ever found at "nodes/)
    expect(stdout).toContain(`at "${path}"`)
  },
)

test('a property that is no cluster has no frames to reach', async () => {
  const { call } = begin("import { fuzz } from 'norn'; fuzz('p', {}, () => {})", { never })
  const { status, stderr } = await call('fuzz', 'ring.fuzz.ts', ...UNTIL)
  expect(status).toBe(2)
  expect(stderr).toContain('--until-frames needs a cluster, but the files declare none')
})

test('a scenario is a body for any property: norn then varies what it is given', async () => {
  const body = `
    import { fc, fuzz } from 'norn'
    import { scenario } from 'norn/cluster'
    fuzz('the token survives a restart', { seed: fc.nat() }, ({ seed }) => {
      scenario({ ...ring, seed }, (s) => {
        s.until((c) => c.node('b').state.had > 0)
        s.crash('c')
        s.restart('c')
        s.until((c) => c.node('a').state.had > 0)
      })
    })`
  const { call } = begin(body, {})
  const { status, stdout } = await call('fuzz', 'ring.fuzz.ts', '--runs', '50', '--seed', '1')
  expect([status, stdout]).toEqual([0, expect.stringContaining('50 executions')])
})
