import { expect, test } from 'vitest'
import { election } from '../../../../../examples/leader-election/election.ts'
import { FrameWatch } from '../../../src/cluster/frames/frame-watch.ts'
import { compileFrames } from '../../../src/cluster/frames/key-frames.ts'
import { Proposal, phasesOf } from '../../../src/cluster/frames/proposal.ts'
import { Simulation } from '../../../src/cluster/simulation.ts'
import { suggestStep } from '../../../src/cluster/suggestion.ts'
import { actors, type ClusterOptions } from '../../../src/cluster.ts'
import { chance } from '../../../src/tape/chance.ts'
import { project } from '../../cli/project.ts'

/** Runs steps by chance, all from one seed. */
function run(cluster: ClusterOptions, seed: number, steps: number, watch: (simulation: Simulation) => () => void) {
  const [nodes, schedule] = [chance(seed, 1), chance(seed, 2)]
  let settled = () => {}
  const onSettled = () => settled()
  const simulation = new Simulation({ cluster, requests: [], random: () => nodes.unit(), onSettled })
  settled = watch(simulation)
  simulation.start()
  for (let step = 0; step < steps; step++)
    simulation.perform(simulation.codes.steps[suggestStep(simulation, schedule)]!)
}

const options: ClusterOptions = { system: election, faults: { crashes: 2, drops: 3, partitions: 1 } }

function propose(seed: number, cluster = options, steps = 200) {
  let proposal: Proposal | undefined
  run(cluster, seed, steps, ({ view }) => {
    proposal = new Proposal(view)
    return () => proposal!.settled()
  })
  return proposal!.frames()
}

test('an execution passes what is proposed from it, in order', () => {
  for (let seed = 0; seed < 30; seed++) {
    const frames = propose(seed)
    expect(frames.length).toBeGreaterThan(0)
    expect(frames.length).toBeLessThanOrEqual(8)
    let watch: FrameWatch | undefined
    run(options, seed, 200, ({ view }) => {
      watch = new FrameWatch([compileFrames({ name: 'proposed', frames })], view)
      return () => watch!.settled(0)
    })
    expect(watch!.reached[0]!.steps.length).toBe(frames.length)
  }
})

test('what is new is a change that no node has gone through, or more nodes than ever at once', () => {
  const lamp = () => {
    const lamp = {
      light: 'red',
      turned: 0,
      onRequest(light: string) {
        lamp.light = light
        lamp.turned++
      },
    }
    return lamp
  }
  const requests = ['green', 'red', 'green', 'green', 'red', 'red', 'green']
  const route = (_: unknown, index: number) => ['a', 'a', 'a', 'b', 'b', 'a', 'b'][index]!
  const simulation: Simulation = new Simulation({
    cluster: { system: () => actors({ a: lamp, b: lamp }), route },
    requests,
    random: () => 0,
    onSettled: () => proposal.settled(),
  })
  const proposal = new Proposal(simulation.view)
  simulation.start()
  while (simulation.natural());
  expect(proposal.frames()).toEqual([
    { name: 'a: light red → green', where: { 'nodes.a.state.light': 'green' } },
    { name: 'a: light green → red, as b', where: { 'nodes.a.state.light': 'red', 'nodes.b.state.light': 'red' } },
    { name: 'b: light red → green, as a', where: { 'nodes.a.state.light': 'green', 'nodes.b.state.light': 'green' } },
  ])
})

test('a value that is ever another holds no phase', () => {
  const namer = (node: { send(to: string, message: number): void }) => {
    const actor = {
      last: 'none',
      onStart: () => node.send('a', 1),
      onMessage(count: number) {
        actor.last = `request ${count}`
        node.send('a', count + 1)
      },
    }
    return actor
  }
  expect(propose(1, { system: () => actors({ a: namer }) }, 50)).toEqual([])
})

test('phases are strings, booleans and null, of the state and of plain objects in it', () => {
  const state = {
    role: 'leader',
    term: 4,
    vote: null,
    flags: { ready: true, 'a.b': true, deep: { deeper: 'x' } },
    peers: new Set(['a']),
    log: ['x'],
    context: new (class Context {
      readonly id = 'a'
    })(),
    text: 'x'.repeat(41),
  }
  expect([...phasesOf({ up: true, state })]).toEqual([
    ['up', true],
    ['state.role', 'leader'],
    ['state.vote', null],
    ['state.flags.ready', true],
  ])
  expect([...phasesOf({ up: false, state: undefined })]).toEqual([['up', false]])
})

const TOGGLE = `
  import { actors, cluster } from 'norn/cluster'
  const make = (node) => {
    const actor = { mode: 'idle', onStart: () => node.setTimer('work', 1), onTimer: () => (actor.mode = 'busy') && undefined }
    return actor
  }
  cluster('idle', {
    system: () => actors({ a: make, b: make }),
    invariant: ({ nodes }) => {
      if (nodes.every(({ state }) => state.mode === 'busy')) throw new Error('all are busy')
    },
  })`

test('norn frames propose writes what a failure passes, which then is searched for', async () => {
  const { call, edit, failures } = project({ 'idle.fuzz.ts': TOGGLE })
  await call('fuzz', 'idle.fuzz.ts', '--runs', '5', '--seed', '1')
  const [failure] = failures()
  const printed = await call('frames', 'propose', failure!)
  expect(printed.status).toBe(0)
  expect(JSON.parse(printed.stdout)).toEqual({
    name: 'idle: all are busy',
    cluster: 'idle',
    frames: [
      { name: 'a: mode idle → busy', where: { 'nodes.a.state.mode': 'busy' } },
      { name: 'b: mode idle → busy, as a', where: { 'nodes.a.state.mode': 'busy', 'nodes.b.state.mode': 'busy' } },
    ],
  })
  expect((await call('frames', 'propose', failure!, '--out', 'frames/busy.json')).status).toBe(0)
  const again = await call('frames', 'propose', failure!, '--out', 'frames/busy.json')
  expect([again.status, again.stderr]).toEqual([
    2,
    expect.stringContaining('frames/busy.json exists; name another file'),
  ])
  edit('idle.fuzz.ts', "throw new Error('all are busy')", 'return')
  const fixed = await call('fuzz', 'idle.fuzz.ts', '--no-saved', '--until-frames', 'frames', '--seed', '1')
  expect(fixed).toMatchObject({ status: 0 })
  expect((await call('frames', 'propose', failure!)).stderr).toContain('the execution no longer fails')
})
