import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { election } from '../../../../../../examples/leader-election/election.ts'
import { compileFrames } from '../../../../src/cluster/frames/key-frames.ts'
import {
  type ActorContext,
  actors,
  type ClusterOptions,
  findExecution,
  frames,
  loadFrames,
  logText,
  runFramed,
} from '../../../../src/cluster.ts'

/**
 * A lock that opens as the letters of its code arrive; one that is wrong begins it again. Each
 * letter has its sender.
 */
function lock(code: string): ClusterOptions {
  const dial = (letter: string) => (context: ActorContext) => ({
    onStart: () => context.setTimer('turn', 1),
    onTimer: () => {
      context.send('lock', letter)
      context.setTimer('turn', 1)
    },
  })
  const wheels = () => {
    const actor = {
      open: 0,
      onMessage(letter: string) {
        actor.open = letter === code[actor.open] ? actor.open + 1 : 0
      },
    }
    return actor
  }
  return { system: () => actors({ lock: wheels, a: dial('a'), b: dial('b'), c: dial('c'), d: dial('d') }), steps: 80 }
}

const opened = (count: number) =>
  frames<{ open: number }>(
    'opened',
    Array.from({ length: count }, (_, at) => (cluster) => cluster.node('lock').state.open > at),
  )
const wholly = (count: number) =>
  frames<{ open: number }>('opened', [(cluster) => cluster.node('lock').state.open >= count])

test('piece by piece finds what is far too unlikely as a whole', () => {
  const code = 'ddccbbaaddccbbaa'
  const piecewise = findExecution(lock(code), opened(code.length), { seed: 1, runs: 2_000 })
  expect(piecewise.found?.pieces.length).toBe(code.length)
  expect(findExecution(lock(code), wholly(code.length), { seed: 1, runs: 2_000 }).found).toBe(undefined)
})

test('what is found replays, to the same log, and is found again by the same seed', () => {
  const [options, keyFrames] = [lock('abdc'), opened(4)]
  const { found } = findExecution(options, keyFrames, { seed: 3 })
  expect(findExecution(options, keyFrames, { seed: 3 }).found).toEqual(found)
  const [one, other] = [runFramed(options, keyFrames, found!), runFramed(options, keyFrames, found!)]
  expect(one.at.length).toBe(4)
  expect(logText(other.log)).toBe(logText(one.log))
})

test.each([1, 2, 4, 5])('shrinking leaves no step that could as well be natural, or left out (seed %i)', (seed) => {
  const [options, keyFrames] = [lock('ddbb'), opened(4)]
  const large = findExecution(options, keyFrames, { seed, shrink: false }).found!
  const small = findExecution(options, keyFrames, { seed }).found!
  const departures = ({ pieces }: typeof small) => pieces.flat().filter((step) => step !== 0).length
  expect(departures(small)).toBeLessThan(departures(large))
  const steps = small.pieces.flat()
  for (const [at, step] of steps.entries()) {
    const passes = (changed: number[]) => runFramed(options, keyFrames, { ...small, pieces: [changed] }).at.length === 4
    if (step !== 0) expect([at, passes(steps.with(at, 0)) || passes(steps.toSpliced(at, 1))]).toEqual([at, false])
  }
})

test('frames may be met at one moment, and before the first step', () => {
  const twice = frames('begun', [({ nodes }) => nodes.length === 5, ({ nowMs }) => nowMs === 0])
  const { found, executions } = findExecution(lock('a'), twice)
  expect(executions).toBe(1)
  expect(found!.pieces).toEqual([[], []])
})

test('a search that ends without says how far it came, and what failed on the way', () => {
  const invariant: ClusterOptions['invariant'] = ({ log }) => {
    if (log.length > 30) throw new Error('too much')
  }
  const broken = { ...lock('ab'), invariant }
  const impossible = frames('impossible', { begun: () => true, 'the lock melts': () => false })
  const searched = findExecution(broken, impossible, { runs: 20 })
  expect(searched).toMatchObject({ found: undefined, reached: 1, missing: 'the lock melts', executions: 20 })
  expect((searched.failure as Error).message).toBe('too much')
})

test('a predicate that throws does not hold: a node that is down has no state', () => {
  const options = { system: election, faults: { crashes: 1 } }
  const keyFrames = frames<{ role: string }>('b back', {
    'b is down': (cluster) => !cluster.node('b').up,
    'b stands': (cluster) => cluster.node('b').state.role === 'candidate',
  })
  expect(findExecution(options, keyFrames).found).toBeDefined()
})

test('what clients ask stays the same from piece to piece', () => {
  const counter = () => {
    const actor = {
      sum: 0,
      onRequest(value: number) {
        actor.sum += value
      },
    }
    return actor
  }
  const options: ClusterOptions = { system: () => actors({ a: counter }), requests: [1, 2, 3] }
  const sums = frames<{ sum: number }>(
    'sums',
    [1, 3, 6].map((sum) => (cluster) => cluster.node('a').state.sum === sum),
  )
  const { found } = findExecution(options, sums)
  expect(found!.requests).toEqual([1, 2, 3])
  expect(found!.pieces.map(({ length }) => length)).toEqual([1, 1, 1])
})

test.each(['deposed-leader', 'restarted-voter', 'split-vote'])('%s of the example is found by every seed', (name) => {
  const file = resolve(import.meta.dirname, `../../../../../../examples/leader-election/frames/${name}.json`)
  const options = { system: election, steps: 120, faults: { crashes: 2, drops: 3, partitions: 1 } }
  for (let seed = 0; seed < 5; seed++)
    expect(findExecution(options, loadFrames(file), { seed, shrink: false }).missing).toBe(undefined)
})

test.each<[string, Parameters<typeof findExecution>[1], string]>([
  [
    'a predicate threw',
    frames<{ wheel: { open: number } }>('slip', {
      begun: () => true,
      next: (cluster) => cluster.node('lock').state.wheel.open > 0,
    }),
    "its predicate threw TypeError: Cannot read properties of undefined (reading 'open')",
  ],
  [
    'a path leads nowhere',
    compileFrames({
      name: 'slip',
      frames: [{ name: 'open', where: { 'nodes.lock.state.opne': 1, some: { up: true } } }],
    }),
    'no value was ever found at "nodes.lock.state.opne"',
  ],
])('frames that are never reached tell that %s', (_, keyFrames, doubt) => {
  expect(findExecution(lock('ab'), keyFrames, { runs: 3 })).toMatchObject({ found: undefined, doubt })
})
